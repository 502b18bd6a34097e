// SPDX-License-Identifier: MIT
// Looks at a file before it is executed. Nothing in the file is believed: every offset is checked
// against the file's size.
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <rehearse/version.h>

#include "base/file_name.h"
#include "base/input_file.h"
#include "cli/command.h"

enum { LONGEST_VERSION = 32 };

enum rh_file_kind rh_file_kind_of(const char *path)
{
    static const struct {
        const char *extension;
        enum rh_file_kind kind;
    } kinds[] = {
        {".c", RH_FILE_C},    {".cc", RH_FILE_CXX}, {".cpp", RH_FILE_CXX}, {".cxx", RH_FILE_CXX},
        {".o", RH_FILE_LINK}, {".a", RH_FILE_LINK}, {".so", RH_FILE_LINK},
    };
    const char *base = rh_base_name(path);
    const char *dot = strrchr(base, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(dot, kinds[i].extension))
            return kinds[i].kind;
    return RH_FILE_BINARY;
}

// Reads exactly `size` bytes at `offset`.
static bool read_at(const struct rh_input_file *file, uint64_t offset, void *bytes, uint64_t size)
{
    if (offset > file->size || size > file->size - offset)
        return false;
    return pread(file->descriptor, bytes, size, (off_t)offset) == (ssize_t)size;
}

static bool read_section(const struct rh_input_file *file, const Elf64_Ehdr *header, uint64_t index,
                         Elf64_Shdr *section)
{
    if (index >= header->e_shnum || header->e_shentsize != sizeof *section ||
        header->e_shoff > file->size)
        return false;
    return read_at(file, header->e_shoff + index * sizeof *section, section, sizeof *section);
}

static bool has_name(const struct rh_input_file *file, const Elf64_Shdr *names,
                     const Elf64_Shdr *section)
{
    static const char wanted[] = ".rehearse_version";
    char name[sizeof wanted];
    if (section->sh_name > names->sh_size || names->sh_offset > file->size)
        return false;
    return read_at(file, names->sh_offset + section->sh_name, name, sizeof name) &&
           !memcmp(name, wanted, sizeof wanted);
}

// Reads the version that the library has left in the program. `version` has LONGEST_VERSION + 1
// bytes.
static bool find_version(const struct rh_input_file *file, const Elf64_Ehdr *header, char *version)
{
    Elf64_Shdr names = {0}, section = {0};
    if (!read_section(file, header, header->e_shstrndx, &names))
        return false;
    for (uint64_t i = 1; i < header->e_shnum; i++) {
        if (!read_section(file, header, i, &section) || !has_name(file, &names, &section))
            continue;
        uint64_t size = section.sh_size < LONGEST_VERSION ? section.sh_size : LONGEST_VERSION;
        memset(version, 0, LONGEST_VERSION + 1);
        return read_at(file, section.sh_offset, version, size);
    }
    return false;
}

static struct rh_status check_header(const char *path, const struct rh_input_file *file,
                                     Elf64_Ehdr *header)
{
    if (!read_at(file, 0, header, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return rh_bad_input("%s is not a program: it is neither an executable nor a C or C++ "
                            "source",
                            path);
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64 ||
        (header->e_type != ET_EXEC && header->e_type != ET_DYN))
        return rh_bad_input("%s is not a program for this machine (x86-64)", path);
    return rh_ok();
}

// The version comes from a file that may hold anything, so it is shown only if it looks like a
// version.
static struct rh_status check_version(const char *path, const struct rh_input_file *file,
                                      const Elf64_Ehdr *header)
{
    char version[LONGEST_VERSION + 1];
    if (!find_version(file, header, version))
        return rh_bad_input("%s is not a Rehearse test program: link it with librehearse "
                            "(cc test.c $(pkg-config --cflags --libs rehearse))",
                            path);
    bool is_plain = version[strspn(version, "0123456789.abcdefghijklmnopqrstuvwxyz-+")] == '\0';
    if (strcmp(version, REHEARSE_VERSION) != 0)
        return rh_bad_input("%s was built with Rehearse %s, this is %s: rebuild it", path,
                            is_plain ? version : "of unknown version", REHEARSE_VERSION);
    return rh_ok();
}

// Whether the kernel starts the program with a dynamic linker, which can be told to load a library
// first.
static bool is_dynamic(const struct rh_input_file *file, const Elf64_Ehdr *header)
{
    Elf64_Phdr segment;
    if (header->e_phentsize != sizeof segment || header->e_phoff > file->size)
        return false;
    for (uint64_t i = 0; i < header->e_phnum; i++)
        if (read_at(file, header->e_phoff + i * sizeof segment, &segment, sizeof segment) &&
            segment.p_type == PT_INTERP)
            return true;
    return false;
}

static struct rh_status check_dynamic(const char *path, const struct rh_input_file *file,
                                      const char *replaced)
{
    Elf64_Ehdr header = {0};
    struct rh_status status = check_header(path, file, &header);
    if (!rh_is_ok(&status))
        return status;
    if (!is_dynamic(file, &header))
        return rh_bad_input("%s is linked statically: nothing can take the place of its %s", path,
                            replaced);
    if (access(path, X_OK) < 0)
        return rh_bad_input("%s cannot be executed: %s", path, strerror(errno));
    return rh_ok();
}

static struct rh_status check_file(const char *path, const struct rh_input_file *file,
                                   const char *replaced)
{
    (void)replaced;
    Elf64_Ehdr header = {0};
    struct rh_status status = check_header(path, file, &header);
    if (rh_is_ok(&status))
        status = check_version(path, file, &header);
    if (rh_is_ok(&status) && access(path, X_OK) < 0)
        return rh_bad_input("%s cannot be executed: %s", path, strerror(errno));
    return status;
}

typedef struct rh_status check_program(const char *path, const struct rh_input_file *file,
                                       const char *replaced);

static struct rh_status open_and_check(const char *path, check_program *check, const char *replaced)
{
    struct rh_input_file file;
    struct rh_status status = rh_input_open(&file, path);
    if (!rh_is_ok(&status))
        return status;
    status = check(path, &file, replaced);
    rh_input_close(&file);
    return status;
}

struct rh_status rh_program_check(const char *path)
{
    return open_and_check(path, check_file, NULL);
}

struct rh_status rh_program_check_dynamic(const char *path, const char *replaced)
{
    return open_and_check(path, check_dynamic, replaced);
}

// --- Symbols. ---

// Whether the symbol of the dynamic table is defined in the file, under that name.
static bool is_defined_as(const struct rh_input_file *file, const Elf64_Shdr *names,
                          const Elf64_Sym *symbol, const char *wanted)
{
    enum { LONGEST = 64 };
    char name[LONGEST];
    size_t size = strlen(wanted) + 1;
    if (symbol->st_shndx == SHN_UNDEF || size > LONGEST || names->sh_offset > file->size)
        return false;
    return read_at(file, names->sh_offset + symbol->st_name, name, size) &&
           !memcmp(name, wanted, size);
}

static bool defines(const struct rh_input_file *file, const char *wanted)
{
    Elf64_Ehdr header = {0};
    Elf64_Shdr section, names;
    Elf64_Sym symbol;
    if (!read_at(file, 0, &header, sizeof header))
        return false;
    for (uint64_t i = 1; i < header.e_shnum; i++) {
        if (!read_section(file, &header, i, &section) || section.sh_type != SHT_DYNSYM ||
            !read_section(file, &header, section.sh_link, &names))
            continue;
        for (uint64_t at = 0; at + sizeof symbol <= section.sh_size; at += sizeof symbol)
            if (read_at(file, section.sh_offset + at, &symbol, sizeof symbol) &&
                is_defined_as(file, &names, &symbol, wanted))
                return true;
    }
    return false;
}

bool rh_program_defines(const char *path, const char *symbol)
{
    struct rh_input_file file;
    struct rh_status status = rh_input_open(&file, path);
    bool is_defined = rh_is_ok(&status) && defines(&file, symbol);
    if (rh_is_ok(&status))
        rh_input_close(&file);
    return is_defined;
}
