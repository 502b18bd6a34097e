// SPDX-License-Identifier: MIT
// Linker symbols: the names that are left without debug information, and the only names of a system
// library.
#include "debug/internal.h"

#include <stdlib.h>
#include <string.h>

// The table of all symbols if the file was not stripped, else that of the symbols for dynamic
// linking.
static Elf_Scn *find_table(Elf *elf, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    Elf_Scn *dynamic = NULL;
    GElf_Shdr dynamic_header;
    while ((section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, header))
            continue;
        if (header->sh_type == SHT_SYMTAB)
            return section;
        if (header->sh_type == SHT_DYNSYM) {
            dynamic = section;
            dynamic_header = *header;
        }
    }
    if (dynamic)
        *header = dynamic_header;
    return dynamic;
}

// Of several names for one thing people know the one without an underscore: puts, not _IO_puts.
static size_t rank_of(const GElf_Sym *symbol, const char *name, size_t index)
{
    size_t binding = GELF_ST_BIND(symbol->st_info);
    size_t class = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
    return (size_t)(name[0] == '_') << 48 | class << 40 | index;
}

static void add_symbol(struct rh__module *module, const GElf_Sym *symbol, const char *name,
                       size_t index)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    bool is_code = type == STT_FUNC || type == STT_GNU_IFUNC;
    bool is_thread_data = type == STT_TLS;
    if (!name || !*name || symbol->st_shndx == SHN_UNDEF ||
        (!is_code && !is_thread_data && type != STT_OBJECT))
        return;
    if (is_thread_data && !module->thread_data)
        return;
    struct rh__symbol *added = rh_vector_push(&module->symbols);
    added->start = symbol->st_value + (is_thread_data ? module->thread_data : module->bias);
    added->size = symbol->st_size;
    added->name = name;
    added->section = symbol->st_shndx;
    added->is_code = is_code;
    added->rank = rank_of(symbol, name, index);
}

static int compare_symbols(const void *first, const void *second)
{
    const struct rh__symbol *a = first;
    const struct rh__symbol *b = second;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void read_symbols(struct rh__module *module)
{
    if (module->symbols_read)
        return;
    module->symbols_read = true;
    GElf_Shdr header;
    Elf *elf = rh__module_elf(module);
    Elf_Scn *section = elf ? find_table(elf, &header) : NULL;
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    size_t count = data ? data->d_size / sizeof(Elf64_Sym) : 0;
    for (size_t i = 0; i < count && i <= INT32_MAX; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, (int)i, &symbol))
            add_symbol(module, &symbol, elf_strptr(elf, header.sh_link, symbol.st_name), i);
    }
    if (module->symbols.count > 1)
        qsort(module->symbols.items, module->symbols.count, sizeof *module->symbols.items,
              compare_symbols);
}

// How many symbols begin at or below the address.
static size_t count_below(const rh__symbols *symbols, uint64_t address)
{
    size_t low = 0;
    size_t high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct rh__segment *segment_of(const struct rh__module *module, uint64_t address)
{
    for (size_t i = 0; i < module->segments.count; i++)
        if (module->segments.items[i].start <= address && address < module->segments.items[i].end)
            return &module->segments.items[i];
    return NULL;
}

// A symbol without a size, as hand-written assembly has them, reaches to the next symbol, but not
// from code into data.
static bool covers(const struct rh__module *module, const struct rh__symbol *symbol,
                   uint64_t address)
{
    if (symbol->size == 0)
        return segment_of(module, symbol->start) == segment_of(module, address);
    return address - symbol->start < symbol->size;
}

const struct rh__symbol *rh__symbol_at(struct rh__module *module, uint64_t address, bool is_code)
{
    read_symbols(module);
    const struct rh__symbol *best = NULL;
    for (size_t i = count_below(&module->symbols, address); i-- > 0;) {
        const struct rh__symbol *symbol = &module->symbols.items[i];
        if (best && symbol->start != best->start)
            break;
        if (symbol->is_code != is_code)
            continue;
        if (!covers(module, symbol, address))
            return best;
        best = symbol;
    }
    return best;
}

void rh_debug_visit_data(struct rh_debug *debug,
                         void (*visit)(void *context, const struct rh_debug_data *data),
                         void *context)
{
    struct rh__module *executable = debug->modules.items[0];
    read_symbols(executable);
    for (size_t i = 0; i < executable->symbols.count; i++) {
        const struct rh__symbol *symbol = &executable->symbols.items[i];
        struct rh_debug_data data = {symbol->name, symbol->start, symbol->size, symbol->section};
        if (!symbol->is_code)
            visit(context, &data);
    }
}

void rh_debug_visit_code(struct rh_debug *debug,
                         void (*visit)(void *context, const struct rh_debug_code *code),
                         void *context)
{
    struct rh__module *executable = debug->modules.items[0];
    read_symbols(executable);
    for (size_t i = 0; i < executable->symbols.count; i++) {
        const struct rh__symbol *symbol = &executable->symbols.items[i];
        struct rh_debug_code code = {symbol->name, symbol->start, symbol->size};
        if (symbol->is_code)
            visit(context, &code);
    }
}

const char *rh_debug_function_name(struct rh_debug *debug, uintptr_t address)
{
    const struct rh__symbol *symbol = rh__symbol_at(debug->modules.items[0], address, true);
    return symbol && symbol->start == address ? symbol->name : NULL;
}

uintptr_t rh_debug_find_function(struct rh_debug *debug, const char *name)
{
    struct rh__module *executable = debug->modules.items[0];
    uintptr_t found = 0;
    read_symbols(executable);
    for (size_t i = 0; i < executable->symbols.count; i++) {
        const struct rh__symbol *symbol = &executable->symbols.items[i];
        if (!symbol->is_code || strcmp(symbol->name, name) != 0 || symbol->start == found)
            continue;
        if (found != 0)
            return 0;
        found = symbol->start;
    }
    return found;
}

void rh__add_symbol_name(struct rh_text *text, const struct rh__symbol *symbol)
{
    rh_text_add_bytes(text, symbol->name, strcspn(symbol->name, "@"));
}
