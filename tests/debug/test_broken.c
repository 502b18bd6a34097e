// SPDX-License-Identifier: MIT
// No file can crash the reader: a copy of a program is damaged a few bytes at a time, in what the
// reader looks at, and asked everything. The arguments are rounds, seed and program; without them
// it is this program, which is large, for a few rounds. broken.sh runs many on small ones.
#include "debug/debug.h"
#include "test.h"

#include <elf.h>
#include <unistd.h>

struct inner {
    char letter;
    long number;
};

struct sample {
    int amount;
    unsigned low : 3;
    struct inner parts[3];
    union {
        float real;
        char *text;
    };
    enum { FIRST, SECOND } choice;
    int grid[2][3];
    char tail[];
};

struct sample *volatile used_sample;
static volatile int numbers[5];

struct range {
    size_t offset;
    size_t size;
};

static uint64_t state;

static uint64_t next_random(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static bool is_read(const char *name)
{
    return strncmp(name, ".debug_", 7) == 0 || strcmp(name, ".symtab") == 0 ||
           strcmp(name, ".strtab") == 0 || strcmp(name, ".shstrtab") == 0;
}

// The parts of the file to damage: headers, and the sections that are read.
static size_t find_ranges(const unsigned char *bytes, struct range *ranges, size_t most)
{
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    size_t count = 0;
    ranges[count++] = (struct range){0, sizeof header};
    ranges[count++] = (struct range){header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)};
    ranges[count++] = (struct range){header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)};
    const Elf64_Shdr *sections = (const void *)(bytes + header.e_shoff);
    const char *names = (const char *)bytes + sections[header.e_shstrndx].sh_offset;
    for (size_t i = 0; i < header.e_shnum && count < most; i++)
        if (is_read(names + sections[i].sh_name) && sections[i].sh_size > 0)
            ranges[count++] = (struct range){sections[i].sh_offset, sections[i].sh_size};
    return count;
}

static void ask_type(struct rh_debug *debug, const char *name)
{
    static const unsigned char bytes[4096] = {1, 2, 3};
    static unsigned char space[4096];
    size_t offsets[32];
    struct rh_text text = {0};
    const struct rh_debug_type *type = rh_debug_find_type(debug, name, 0);
    if (!type)
        return;
    size_t size = rh_debug_type_size(type);
    size_t start, pointers = rh_debug_type_pointers(type, offsets, 32);
    for (size_t i = 0; i < pointers; i++)
        rh_debug_type_pointee(debug, type, offsets[i]);
    rh_debug_type_tail(type, &start);
    rh_debug_add_value(debug, &text, type, bytes, size < sizeof bytes ? size : sizeof bytes, NULL);
    rh_debug_add_value(debug, &text, type, bytes, size / 2 < 64 ? size / 2 : 64, NULL);
    rh_debug_add_value(debug, &text, type, bytes, sizeof bytes, NULL);
    if (size <= sizeof space) {
        rh_debug_type_mask(type, space);
        rh_debug_parse_value(debug, type, "{}", space, sizeof space, NULL);
        rh_debug_parse_value(debug, type, "{low = 1, choice = SECOND, grid = [[1]]}", space, size,
                             NULL);
    }
    rh_text_fini(&text);
}

static void ask_addresses(struct rh_debug *debug)
{
    struct rh_text text = {0};
    const char *file;
    int line;
    for (uintptr_t address = 0; address < 0x80000; address += address < 0x5000 ? 0xb : 0x777) {
        if (rh_debug_code_at(debug, address, &text, &file, &line) && file)
            rh_text_add(&text, file);
        if (rh_debug_variable_at(debug, address, &text, &file, &line) && file)
            rh_text_add(&text, file);
    }
    rh_text_fini(&text);
}

static void ask_everything(const char *path)
{
    static const char *const names[] = {"sample",          "struct sample", "inner",
                                        "struct range[2]", "Elf64_Shdr",    "hidden",
                                        "unsigned long"};
    struct rh_status status;
    struct rh_debug *debug = rh_debug_open_file(path, &status);
    EXPECT(!debug == !rh_is_ok(&status));
    if (!debug)
        return;
    rh_debug_has_types(debug);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ask_type(debug, names[i]);
    ask_addresses(debug);
    rh_debug_free(debug);
}

static unsigned char damaged(unsigned char byte)
{
    static const unsigned char extremes[] = {0, 1, 0x7f, 0x80, 0xff};
    if (next_random(2))
        return byte ^ (unsigned char)(1u << next_random(8));
    return extremes[next_random(sizeof extremes)];
}

static void write_at(FILE *file, size_t offset, const void *bytes, size_t size)
{
    EXPECT(fseek(file, (long)offset, SEEK_SET) == 0);
    EXPECT(fwrite(bytes, 1, size, file) == size && fflush(file) == 0);
}

// Damages up to eight bytes of one part, asks, and repairs them.
static void damage_once(FILE *copy, const char *path, const unsigned char *bytes, size_t size,
                        struct range range)
{
    size_t offsets[8];
    size_t count = 1 + next_random(8);
    for (size_t i = 0; i < count; i++) {
        offsets[i] = range.offset + next_random(range.size);
        EXPECT(offsets[i] < size);
        unsigned char byte = damaged(bytes[offsets[i]]);
        write_at(copy, offsets[i], &byte, 1);
    }
    ask_everything(path);
    for (size_t i = 0; i < count; i++)
        write_at(copy, offsets[i], &bytes[offsets[i]], 1);
}

static void test_cut(const char *path, const unsigned char *bytes, size_t size)
{
    for (int i = 0; i < 64; i++) {
        size_t length = i < 4 ? (size_t)i * 30 : next_random(size);
        FILE *copy = fopen(path, "w");
        EXPECT(copy);
        write_at(copy, 0, bytes, length);
        fclose(copy);
        ask_everything(path);
    }
}

static void test_refused(void)
{
    struct rh_status status;
    EXPECT(!rh_debug_open_file("does-not-exist", &status));
    EXPECT_PART(status.text, "cannot read does-not-exist: ");
    EXPECT(status.code == RH_BAD_INPUT);
    EXPECT(!rh_debug_open_file("/", &status));
    EXPECT_TEXT(status.text, "cannot read /: it is a directory, not a file");
    EXPECT(!rh_debug_open_file("/dev/null", &status));
    EXPECT_TEXT(status.text, "cannot read /dev/null: it is a device, not a file");
}

int main(int count, char **arguments)
{
    long rounds = count > 1 ? atol(arguments[1]) : 100;
    const char *program = count > 3 ? arguments[3] : "/proc/self/exe";
    const char *directory = getenv("TMPDIR");
    struct rh_text text = {0};
    char path[4096];
    struct range ranges[64];

    state = 88172645463325252u + (count > 2 ? strtoull(arguments[2], NULL, 0) : 0);
    numbers[1] = 1;
    struct rh_status status = rh_text_read_file(&text, program, 1u << 30);
    EXPECT(rh_is_ok(&status));
    snprintf(path, sizeof path, "%s/broken-%ld", directory ? directory : "/tmp", (long)getpid());
    const unsigned char *bytes = (const unsigned char *)text.bytes;
    test_refused();
    test_cut(path, bytes, text.length);

    FILE *copy = fopen(path, "w+");
    EXPECT(copy);
    write_at(copy, 0, bytes, text.length);
    ask_everything(path);
    size_t range_count = find_ranges(bytes, ranges, 64);
    EXPECT(range_count > 3);
    for (long i = 0; i < rounds; i++) {
        state += (uint64_t)i;
        damage_once(copy, path, bytes, text.length, ranges[next_random(range_count)]);
    }
    fclose(copy);
    unlink(path);
    rh_text_fini(&text);
    return 0;
}
