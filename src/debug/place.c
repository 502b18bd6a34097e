// SPDX-License-Identifier: MIT
// Which variable or function an address belongs to. One walk through a module gives both tables.
#include "debug/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct rh_debug *debug;
    struct rh__module *module;
    Dwarf_Die unit;
};

// The scope of a DIE outside functions; the scope of a DIE inside one is the function's name.
static const char outside[] = "(file)";

// The address of a variable that stays in one place for the whole run. Gives false for a variable
// on the stack, in a register, or nowhere.
static bool fixed_address(struct rh__module *module, Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute found;
    Dwarf_Attribute indirect;
    Dwarf_Addr target;
    Dwarf_Op *operations;
    size_t count;

    if (!dwarf_attr(die, DW_AT_location, &found) ||
        dwarf_getlocation(&found, &operations, &count) != 0 || count == 0)
        return false;
    uint64_t number = operations[0].number;
    if (operations[0].atom == DW_OP_addrx && count == 1) {
        if (dwarf_getlocation_attr(&found, operations, &indirect) != 0 ||
            dwarf_formaddr(&indirect, &target) != 0)
            return false;
        *address = target + module->bias;
        return true;
    }
    if (operations[0].atom == DW_OP_addr && (count == 1 || operations[1].atom == DW_OP_piece)) {
        *address = number + module->bias;
        return true;
    }
    bool is_thread_data = count == 2 && (operations[1].atom == DW_OP_form_tls_address ||
                                         operations[1].atom == DW_OP_GNU_push_tls_address);
    *address = number + module->thread_data;
    return is_thread_data && module->thread_data;
}

static void add_variable(struct reader *reader, Dwarf_Die *die, const char *scope)
{
    uint64_t address;
    const char *name = dwarf_diename(die);
    if (!name || !fixed_address(reader->module, die, &address))
        return;
    size_t order = reader->module->variables.count;
    struct rh__variable *variable = rh_vector_push(&reader->module->variables);
    variable->start = address;
    variable->size = rh__type_of(reader->debug, die)->size;
    variable->function = scope == outside ? NULL : scope;
    variable->name = name;
    variable->order = order;
    rh__declared_at(die, &variable->file, &variable->line);
}

static void add_function(struct reader *reader, Dwarf_Die *die, const char *name, int depth)
{
    Dwarf_Addr base;
    Dwarf_Addr start;
    Dwarf_Addr end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
        // Code that the linker dropped is left at address 0.
        if (start == 0 || start >= end)
            continue;
        struct rh__function *function = rh_vector_push(&reader->module->functions);
        function->start = start + reader->module->bias;
        function->end = end + reader->module->bias;
        function->name = name;
        function->unit = reader->unit;
        function->depth = depth;
    }
}

static const void *visit(void *context, Dwarf_Die *die, const void *scope, int depth)
{
    struct reader *reader = context;
    const char *name;
    switch (dwarf_tag(die)) {
    case DW_TAG_variable:
        add_variable(reader, die, scope);
        return NULL;
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
        name = dwarf_diename(die);
        if (name)
            add_function(reader, die, name, depth);
        return name ? name : scope;
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        return scope;
    default:
        return NULL;
    }
}

static int compare_variables(const void *first, const void *second)
{
    const struct rh__variable *a = first;
    const struct rh__variable *b = second;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

// Of functions that begin at the same address the outer one comes first.
static int compare_functions(const void *first, const void *second)
{
    const struct rh__function *a = first;
    const struct rh__function *b = second;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->depth < b->depth ? -1 : a->depth > b->depth;
}

static void read_places(struct rh_debug *debug, struct rh__module *module)
{
    if (module->places_read)
        return;
    module->places_read = true;
    Dwarf *dwarf = rh__module_dwarf(module);
    struct reader reader = {.debug = debug, .module = module};
    struct rh__visitor visitor = {&reader, visit};
    Dwarf_CU *unit = NULL;
    while (dwarf && rh__next_unit(dwarf, &unit, &reader.unit))
        rh__walk_unit(&reader.unit, outside, &visitor);
    if (module->variables.count > 1)
        qsort(module->variables.items, module->variables.count, sizeof *module->variables.items,
              compare_variables);
    if (module->functions.count > 1)
        qsort(module->functions.items, module->functions.count, sizeof *module->functions.items,
              compare_functions);
}

// The module whose segments, or whose data of this thread, contain the address.
static struct rh__module *module_at(struct rh_debug *debug, uint64_t address)
{
    struct rh__module *module;
    if (rh__segment_at(debug, address, &module))
        return module;
    for (size_t i = 0; i < debug->modules.count; i++) {
        module = debug->modules.items[i];
        if (module->thread_data <= address && address - module->thread_data < module->thread_size)
            return module;
    }
    return NULL;
}

// A variable whose type is not understood is as long as its symbol.
static uint64_t variable_size(struct rh__module *module, const struct rh__variable *variable)
{
    if (variable->size > 0)
        return variable->size;
    const struct rh__symbol *symbol = rh__symbol_at(module, variable->start, false);
    return symbol && symbol->start == variable->start && symbol->size ? symbol->size : 1;
}

static const struct rh__variable *find_variable(struct rh__module *module, uint64_t address)
{
    size_t low = 0;
    size_t high = module->variables.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (module->variables.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct rh__variable *best = NULL;
    while (low-- > 0) {
        const struct rh__variable *variable = &module->variables.items[low];
        if (best && variable->start != best->start)
            break;
        if (address - variable->start < variable_size(module, variable))
            best = variable;
        else if (!best)
            break;
    }
    return best;
}

static void add_offset(struct rh_text *text, uint64_t offset)
{
    if (offset)
        rh_text_addf(text, "+%llu", (unsigned long long)offset);
}

static void add_variable_name(struct rh_text *text, const struct rh__variable *variable)
{
    if (variable->function)
        rh_text_addf(text, "%s.", variable->function);
    rh_text_add(text, variable->name);
}

bool rh_debug_variable_at(struct rh_debug *debug, uintptr_t address, struct rh_text *name,
                          const char **file, int *line)
{
    struct rh__module *module = module_at(debug, address);
    if (file)
        *file = NULL;
    if (line)
        *line = 0;
    if (!module)
        return false;
    read_places(debug, module);
    const struct rh__variable *variable = find_variable(module, address);
    if (variable) {
        add_variable_name(name, variable);
        add_offset(name, address - variable->start);
        if (file)
            *file = variable->file;
        if (line)
            *line = variable->line;
        return true;
    }
    const struct rh__symbol *symbol = rh__symbol_at(module, address, false);
    if (symbol) {
        rh__add_symbol_name(name, symbol);
        add_offset(name, address - symbol->start);
    }
    return symbol != NULL;
}

// The innermost function at an address: among the functions that contain the address, the one that
// begins last.
static const struct rh__function *find_function(struct rh__module *module, uint64_t address)
{
    size_t low = 0;
    size_t high = module->functions.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (module->functions.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    while (low-- > 0)
        if (address < module->functions.items[low].end)
            return &module->functions.items[low];
    return NULL;
}

// The function that begins at an address, even if its first instruction comes from a function that
// was inlined there.
static const struct rh__function *find_start(struct rh__module *module, uint64_t address)
{
    const struct rh__function *outermost = NULL;
    const struct rh__function *function = find_function(module, address);
    for (; function && function->start == address; function--) {
        outermost = function;
        if (function == module->functions.items)
            break;
    }
    return outermost;
}

static bool add_code(struct rh_debug *debug, struct rh__module *module, uint64_t address,
                     struct rh_text *name, const char **file, int *line)
{
    read_places(debug, module);
    const struct rh__function *function = find_start(module, address);
    if (!function)
        function = find_function(module, address);
    if (function) {
        Dwarf_Die unit = function->unit;
        rh_text_add(name, function->name);
        rh__line_at(&unit, address - module->bias, function->start - module->bias, file, line);
        return true;
    }
    const struct rh__symbol *symbol = rh__symbol_at(module, address, true);
    if (symbol)
        rh__add_symbol_name(name, symbol);
    return symbol != NULL;
}

bool rh_debug_code_at(struct rh_debug *debug, uintptr_t address, struct rh_text *function,
                      const char **file, int *line)
{
    struct rh__module *module = module_at(debug, address);
    const char *found_file = NULL;
    int found_line = 0;
    bool found = module && add_code(debug, module, address, function, &found_file, &found_line);
    if (file)
        *file = found_file;
    if (line)
        *line = found_line;
    return found;
}

bool rh_debug_line_at(struct rh_debug *debug, uintptr_t address, const char **function,
                      const char **file, int *line)
{
    struct rh__module *module = module_at(debug, address);
    if (!module)
        return false;
    read_places(debug, module);
    const struct rh__function *found = find_function(module, address);
    if (!found)
        return false;
    Dwarf_Die unit = found->unit;
    *function = found->name;
    *file = NULL;
    return rh__line_at(&unit, address - module->bias, found->start - module->bias, file, line) &&
           *file != NULL;
}

bool rh_debug_code_is_own(struct rh_debug *debug, uintptr_t address)
{
    struct rh__module *module = module_at(debug, address);
    if (!module)
        return false;
    read_places(debug, module);
    const struct rh__function *function = find_function(module, address);
    Dwarf_Die unit = function ? function->unit : (Dwarf_Die){0};
    return function && rh__unit_is_own(module, &unit);
}

bool rh__add_function_starting_at(struct rh_debug *debug, struct rh_text *text, uint64_t address)
{
    struct rh__module *module = module_at(debug, address);
    if (!module)
        return false;
    read_places(debug, module);
    const struct rh__function *function = find_start(module, address);
    const struct rh__symbol *symbol = function ? NULL : rh__symbol_at(module, address, true);
    if (function)
        rh_text_add(text, function->name);
    else if (symbol && symbol->start == address)
        rh__add_symbol_name(text, symbol);
    else
        return false;
    return true;
}
