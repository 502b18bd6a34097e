// SPDX-License-Identifier: MIT
// The index of named types. Another unit is read only when a name was not found in the units before
// it: so most of the library's own units, which come last, are never read. Types inside functions
// are read only when a name is not found without them, since finding them means walking through
// every function.
#include "debug/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct rh_debug *debug;
    bool is_plus_plus; // types may stand inside structs
    bool local;        // add the types inside functions, and nothing else
};

// The scope of a DIE is the prefix of its qualified name ("bank::"), or inside_function for a DIE
// in a function's body.
static const char inside_function[] = "(function)";

static void add_name(struct rh_debug *debug, const char *name, Dwarf_Die *die)
{
    size_t order = debug->names.count;
    struct rh__named *named = rh_vector_push(&debug->names);
    named->name = name;
    named->die = *die;
    named->tag = dwarf_tag(die);
    named->order = order;
}

static const char *qualified(struct rh_debug *debug, const char *prefix, const char *name,
                             const char *end)
{
    struct rh_text text = {0};
    rh_text_addf(&text, "%s%s%s", prefix, name, end);
    return rh__debug_keep(debug, rh_text_take(&text));
}

static void visit_type(struct reader *reader, Dwarf_Die *die, const char *scope)
{
    const char *name = dwarf_diename(die);
    bool is_local = scope == inside_function;
    if (!name || is_local != reader->local || rh__die_flag(die, DW_AT_declaration))
        return;
    add_name(reader->debug, name, die);
    if (!is_local && *scope)
        add_name(reader->debug, qualified(reader->debug, scope, name, ""), die);
}

static const char *inner_scope(struct reader *reader, Dwarf_Die *die, const char *scope)
{
    const char *name = dwarf_diename(die);
    if (scope == inside_function || !name)
        return scope;
    return qualified(reader->debug, scope, name, "::");
}

static const void *visit(void *context, Dwarf_Die *die, const void *scope, int depth)
{
    struct reader *reader = context;
    (void)depth;
    switch (dwarf_tag(die)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        visit_type(reader, die, scope);
        return reader->is_plus_plus ? inner_scope(reader, die, scope) : NULL;
    case DW_TAG_enumeration_type:
    case DW_TAG_typedef:
    case DW_TAG_base_type:
        visit_type(reader, die, scope);
        return NULL;
    case DW_TAG_namespace:
        return inner_scope(reader, die, scope);
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
        return reader->local ? inside_function : NULL;
    default:
        return NULL;
    }
}

static bool is_plus_plus(Dwarf_Die *root)
{
    switch (dwarf_srclang(root)) {
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
        return true;
    default:
        return false;
    }
}

static void read_unit(struct reader *reader, struct rh__module *module, Dwarf_Die *root)
{
    struct rh__visitor visitor = {reader, visit};
    if (rh__unit_is_own(module, root))
        return;
    reader->is_plus_plus = is_plus_plus(root);
    rh__walk_unit(root, "", &visitor);
}

static int compare_names(const void *first, const void *second)
{
    const struct rh__named *a = first;
    const struct rh__named *b = second;
    int order = strcmp(a->name, b->name);
    return order ? order : a->order < b->order ? -1 : a->order > b->order;
}

// Reads `most` units. Gives false after the last unit.
static bool read_names(struct rh_debug *debug, struct rh__names_place *place, bool local,
                       size_t most)
{
    struct reader reader = {.debug = debug, .local = local};
    size_t known = debug->names.count;
    Dwarf_Die root;
    while (place->module < debug->modules.count && most > 0) {
        struct rh__module *module = debug->modules.items[place->module];
        Dwarf *dwarf = rh__module_dwarf(module);
        if (dwarf && rh__next_unit(dwarf, &place->unit, &root)) {
            read_unit(&reader, module, &root);
            place->count++;
            most--;
        } else {
            place->module++;
            place->unit = NULL;
        }
    }
    if (debug->names.count > known)
        qsort(debug->names.items, debug->names.count, sizeof *debug->names.items, compare_names);
    return place->module < debug->modules.count;
}

// Reads twice as many units each time, since each call sorts the index anew.
bool rh__read_more_names(struct rh_debug *debug)
{
    struct rh__names_place *place = &debug->names_place;
    bool has_more = place->module < debug->modules.count;
    if (has_more)
        read_names(debug, place, false, place->count + 1);
    return has_more;
}

const struct rh__named *rh__find_names(struct rh_debug *debug, const char *name, bool local,
                                       size_t *count)
{
    read_names(debug, &debug->names_place, false, SIZE_MAX);
    if (local)
        read_names(debug, &debug->local_names_place, true, SIZE_MAX);
    return rh__find_read_names(debug, name, count);
}

const struct rh__named *rh__find_read_names(const struct rh_debug *debug, const char *name,
                                            size_t *count)
{
    size_t low = 0;
    size_t high = debug->names.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(debug->names.items[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < debug->names.count; ++*count)
        if (strcmp(debug->names.items[low + *count].name, name) != 0)
            break;
    return *count ? &debug->names.items[low] : NULL;
}
