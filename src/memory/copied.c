// SPDX-License-Identifier: MIT
// Variables of libraries that lie in the executable. Where an executable refers to a library's
// variable (std::cout, say), the linker reserves room for it in the executable's own data, and the
// dynamic linker copies the variable there, for the library to use as well. It is the library's
// wherever it lies.
#include <dlfcn.h>
#include <elf.h>
#include <string.h>

#include "memory/watched.h"

// The tables of the executable that relocations need.
struct tables {
    const ElfW(Rela) * relocations;
    size_t count;
    const ElfW(Sym) * symbols;
    const char *names;
};

static struct tables find_tables(const ElfW(Dyn) * entry)
{
    struct tables tables = {0};
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_RELA)
            tables.relocations = (const ElfW(Rela) *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_RELASZ)
            tables.count = entry->d_un.d_val / sizeof(ElfW(Rela));
        if (entry->d_tag == DT_SYMTAB)
            tables.symbols = (const ElfW(Sym) *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRTAB)
            tables.names = (const char *)entry->d_un.d_ptr;
    }
    return tables;
}

// The file of the library that the variable was copied from; NULL if it can't be told.
static const char *find_origin(const char *name)
{
    Dl_info info;
    const void *original = dlsym(RTLD_NEXT, name);
    return original && dladdr(original, &info) ? info.dli_fname : NULL;
}

static void add_copied(char *start, size_t size, const char *library)
{
    if (!library || !rh_is_system_library(library))
        return;
    struct rh_range range = {start, start + size};
    if (rh_is_ignored_library(library))
        *rh_vector_push(&rh__globals.holes) = range;
    else
        *rh_vector_push(&rh__globals.copied) = range;
}

void rh_globals_find_copied(uintptr_t base, const ElfW(Dyn) * dynamic)
{
    struct tables tables = find_tables(dynamic);
    if (!tables.symbols || !tables.names || !tables.relocations)
        return;
    for (size_t i = 0; i < tables.count; i++) {
        const ElfW(Rela) *relocation = &tables.relocations[i];
        if (ELF64_R_TYPE(relocation->r_info) != R_X86_64_COPY)
            continue;
        const ElfW(Sym) *symbol = &tables.symbols[ELF64_R_SYM(relocation->r_info)];
        add_copied((char *)(base + relocation->r_offset), symbol->st_size,
                   find_origin(tables.names + symbol->st_name));
    }
}

bool rh_globals_is_copied(const char *address)
{
    for (size_t i = 0; i < rh__globals.copied.count; i++)
        if (address >= rh__globals.copied.items[i].start &&
            address < rh__globals.copied.items[i].end)
            return true;
    return false;
}
