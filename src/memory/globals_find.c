// SPDX-License-Identifier: MIT
// Finds the writable data of the program and its libraries.
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/early.h"
#include "memory/specific.h"
#include "memory/watched.h"

extern char __start_rh_own[] __attribute__((weak));
extern char __stop_rh_own[] __attribute__((weak));

bool rh_is_ignored_library(const char *path)
{
    static const char *const names[] = {"libc.so",  "ld-linux",   "libpthread", "libdl.so",
                                        "librt.so", "libm.so",    "libdw.so",   "libelf.so",
                                        "libz.so",  "liblzma.so", "libbz2.so",  "linux-vdso",
                                        "libasan",  "libubsan",   "libtsan",    "libgcc_s"};
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(base, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

bool rh_is_system_library(const char *path)
{
    return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 ||
           strncmp(path, "/usr/local/lib", 14) == 0;
}

static void add_hole(char *start, char *end)
{
    *rh_vector_push(&rh__globals.holes) = (struct rh_range){start, end};
}

// The table that lazy binding fills in belongs to the dynamic linker, not to the program.
static void add_binding_table(const struct dl_phdr_info *info, const ElfW(Phdr) * header)
{
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + header->p_vaddr);
    char *table = NULL;
    size_t size = 0;
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_PLTGOT)
            table = (char *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_PLTRELSZ)
            size = entry->d_un.d_val / sizeof(ElfW(Rela)) * sizeof(void *) + 3 * sizeof(void *);
    }
    if (table)
        add_hole(table, table + size);
}

static void add_pages(char *start, char *end, struct rh_watched like)
{
    start = (char *)((uintptr_t)start & ~(uintptr_t)(RH_PAGE - 1));
    for (; start < end; start += RH_PAGE)
        *rh_vector_push(&rh__globals.places) = (struct rh_watched){.start = start,
                                                                   .size = RH_PAGE,
                                                                   .of_program = like.of_program,
                                                                   .of_body = like.of_body,
                                                                   .is_private = like.is_private};
}

// Memory that the test's body has allocated lies in the slot of the outside. Memory from before the
// test is among the mappings.
static void add_body(void)
{
    const struct rh_watched like = {.of_body = true};
    const struct rh_heap *heap = rh__globals.options.body;
    if (rh__process.owns_malloc && heap->live_count > 0)
        add_pages(rh_slot_base(0), rh_slot_base(0) + heap->used, like);
    for (size_t i = 0; i < rh__globals.mappings.count; i++)
        add_pages(rh__globals.mappings.items[i].start, rh__globals.mappings.items[i].end, like);
}

static void add_specific(void)
{
    char *start, *end;
    rh_specific_get(&start, &end);
    add_pages(start, end, (struct rh_watched){0});
}

// Writable segments without the part that the dynamic linker makes read-only after relocation.
static void add_segments(const struct dl_phdr_info *info, struct rh_watched like)
{
    uintptr_t fixed_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            fixed_end =
                (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz) &
                ~(uintptr_t)(RH_PAGE - 1);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_DYNAMIC)
            add_binding_table(info, header);
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        uintptr_t end = start + header->p_memsz;
        if (start < fixed_end && fixed_end <= end)
            start = fixed_end;
        add_pages((char *)start, (char *)end, like);
    }
}

// Our own thread-locals, where the executable has no others, are not worth a comparison after each
// delivery.
static bool is_own(const char *start, size_t size)
{
    return size == sizeof rh__local && start == (char *)&rh__local;
}

static void add_thread_locals(const struct dl_phdr_info *info, struct rh_watched like)
{
    const char *start = info->dlpi_tls_data;
    for (int i = 0; start && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_TLS && header->p_memsz > 0 && !is_own(start, header->p_memsz))
            *rh_vector_push(&rh__globals.places) =
                (struct rh_watched){.start = info->dlpi_tls_data,
                                    .size = (uint32_t)header->p_memsz,
                                    .of_program = like.of_program,
                                    .is_private = like.is_private,
                                    .hot = true};
    }
}

static void find_copied(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            rh_globals_find_copied(info->dlpi_addr,
                                   (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
}

static void add_module(const struct dl_phdr_info *info, const char *name)
{
    struct rh_module module = {.start = UINT64_MAX, .name_hash = rh_hash64_text(name, 4)};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        uint64_t start = info->dlpi_addr + header->p_vaddr;
        if (start < module.start)
            module.start = start;
        if (start + header->p_memsz > module.end)
            module.end = start + header->p_memsz;
    }
    *rh_vector_push(&rh__globals.modules) = module;
}

struct visit {
    enum { LEARN, SEGMENTS, THREAD_LOCALS } round;
    bool first; // the executable comes first
    const char *private_libraries;
    size_t private_count;
};

// Whether a comma-separated list has this library: "sqlite3" and "libsqlite3" both mean
// libsqlite3.so.0.
static bool is_listed(const char *list, const char *file)
{
    while (list && *list) {
        size_t length = strcspn(list, ",");
        const char *name =
            strncmp(file, "lib", 3) == 0 && strncmp(list, "lib", 3) != 0 ? file + 3 : file;
        if (length > 0 && strncmp(name, list, length) == 0 &&
            (name[length] == '.' || name[length] == '-' || name[length] == '\0'))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct visit *visit = context;
    bool executable = visit->first;
    visit->first = false;
    const char *base = strrchr(info->dlpi_name, '/');
    if (visit->round == LEARN) {
        add_module(info, executable ? "" : base ? base + 1 : info->dlpi_name);
        return 0;
    }
    if (!executable && (rh_is_ignored_library(info->dlpi_name) || !base))
        return 0;
    struct rh_watched like = {.of_program = executable || !rh_is_system_library(info->dlpi_name)};
    if (!executable && is_listed(visit->private_libraries, base + 1)) {
        like = (struct rh_watched){.is_private = true};
        visit->private_count++;
    }
    if (visit->round == THREAD_LOCALS)
        add_thread_locals(info, like);
    else
        add_segments(info, like);
    if (visit->round == SEGMENTS && executable)
        find_copied(info);
    return 0;
}

static int by_address(const void *left, const void *right)
{
    const struct rh_watched *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

static bool is_in_one_hole(const char *start, const char *end)
{
    for (size_t i = 0; i < rh__globals.holes.count; i++)
        if (start >= rh__globals.holes.items[i].start && end <= rh__globals.holes.items[i].end)
            return true;
    return false;
}

// Drops pages of which nothing would be compared.
static void drop_pages_in_holes(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < rh__globals.places.count; i++) {
        char *start = rh__globals.places.items[i].start;
        if (!is_in_one_hole(start, start + RH_PAGE))
            rh__globals.places.items[kept++] = rh__globals.places.items[i];
    }
    rh__globals.places.count = kept;
}

// The buffers of standard streams are libc's, whatever they hold.
static void add_stream_hole(const FILE *stream)
{
    if (rh_early_owns(stream->_IO_buf_base))
        add_hole(stream->_IO_buf_base, stream->_IO_buf_end);
}

void rh_globals_learn_early(void)
{
    char *start, *end;
    rh_early_get(&start, &end);
    rh_globals_unmap(start, RH_SLOT_SIZE);
    if (start < end)
        rh_globals_map(start, (size_t)(end - start));
}

void rh_globals_learn(void)
{
    rh_globals_learn_early();
    add_stream_hole(stdin);
    add_stream_hole(stdout);
    add_stream_hole(stderr);
    struct visit visit = {LEARN, true, NULL, 0};
    dl_iterate_phdr(visit_module, &visit);
}

struct rh_status rh_globals_find(void)
{
    struct rh_globals *globals = &rh__globals;
    const char *private_libraries = globals->options.private_libraries;
    struct visit visit = {SEGMENTS, true, private_libraries, 0};
    dl_iterate_phdr(visit_module, &visit);
    if (private_libraries && visit.private_count == 0)
        return rh_bad_input("--private-library %s: the program uses no such library (ldd lists "
                            "them)",
                            private_libraries);
    add_hole(__start_rh_own, __stop_rh_own);
    add_hole((char *)&rh__local, (char *)(&rh__local + 1));
    rh_globals_find_instruments(globals->options.debug);
    drop_pages_in_holes();
    add_body();
    add_specific();
    qsort(globals->places.items, globals->places.count, sizeof *globals->places.items, by_address);
    globals->page_count = globals->places.count;
    visit = (struct visit){THREAD_LOCALS, true, private_libraries, 0};
    dl_iterate_phdr(visit_module, &visit);
    return rh_ok();
}
