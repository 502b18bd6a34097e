// SPDX-License-Identifier: MIT
// Units and their DIEs, in a file that may be broken.
#include "debug/internal.h"

#include <dwarf.h>
#include <string.h>

bool rh__die_flag(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    bool value = false;
    return dwarf_attr(die, attribute, &found) && dwarf_formflag(&found, &value) == 0 && value;
}

bool rh__die_unsigned(Dwarf_Die *die, unsigned attribute, uint64_t *value)
{
    Dwarf_Attribute found;
    Dwarf_Word word;
    if (!dwarf_attr_integrate(die, attribute, &found) || dwarf_formudata(&found, &word) != 0)
        return false;
    *value = word;
    return true;
}

bool rh__die_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *target)
{
    Dwarf_Attribute found;
    return dwarf_attr_integrate(die, attribute, &found) && dwarf_formref_die(&found, target);
}

bool rh__next_unit(Dwarf *dwarf, Dwarf_CU **unit, Dwarf_Die *root)
{
    Dwarf_Half version;
    uint8_t kind = 0;
    Dwarf_Die body;

    // A unit of a kind that libdw does not know has no root.
    do {
        memset(&body, 0, sizeof body);
        if (dwarf_get_units(dwarf, *unit, unit, &version, &kind, root, &body) != 0)
            return false;
    } while (!root->addr);
    // A unit whose debug information was split off into another file: the body, if that file was
    // found, replaces the skeleton.
    if (kind == DW_UT_skeleton && body.addr)
        *root = body;
    return true;
}

// The length of the path up to and including "src/" in this library's own file names, as the
// compiler was given them.
static size_t own_prefix(void)
{
    static const char file[] = __FILE__;
    static const char tail[] = "debug/walk.c";
    if (sizeof file <= sizeof tail)
        return 0;
    size_t length = sizeof file - sizeof tail;
    return strcmp(&file[length], tail) == 0 ? length : 0;
}

static const char *unit_directory(Dwarf_Die *root)
{
    Dwarf_Attribute found;
    return dwarf_formstring(dwarf_attr(root, DW_AT_comp_dir, &found));
}

static const char *find_own_directory(Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die root;
    while (own_prefix() && rh__next_unit(dwarf, &unit, &root)) {
        const char *name = dwarf_diename(&root);
        if (name && strcmp(name, __FILE__) == 0)
            return unit_directory(&root);
    }
    return NULL;
}

// The library is linked into the program that it tests. The library's types must not be taken for
// the program's, and a program compiled without -g has no types although the library has.
bool rh__unit_is_own(struct rh__module *module, Dwarf_Die *root)
{
    const char *name = dwarf_diename(root);
    const char *directory = unit_directory(root);
    if (!name || !directory || strncmp(name, __FILE__, own_prefix()) != 0)
        return false;
    // Looked for only now, since the search goes through every unit.
    if (!module->own_tried) {
        module->own_tried = true;
        module->own_directory = find_own_directory(module->dwarf);
    }
    return module->own_directory && strcmp(directory, module->own_directory) == 0;
}

// DIEs stand in the file in the order of this walk, so each visit must go forward: the size of the
// unit bounds the walk whatever the file claims.
struct walk {
    const struct rh__visitor *visitor;
    const char *last;
};

static void walk_children(struct walk *walk, Dwarf_Die *parent, const void *scope, int depth)
{
    Dwarf_Die die;
    if (depth >= 4 * RH__DEBUG_DEPTH || dwarf_child(parent, &die) != 0)
        return;
    while ((const char *)die.addr > walk->last) {
        walk->last = die.addr;
        const void *inner = walk->visitor->visit(walk->visitor->context, &die, scope, depth);
        if (inner)
            walk_children(walk, &die, inner, depth + 1);
        if (dwarf_siblingof(&die, &die) != 0)
            return;
    }
}

void rh__walk_unit(Dwarf_Die *root, const void *scope, const struct rh__visitor *visitor)
{
    struct walk walk = {visitor, root->addr};
    walk_children(&walk, root, scope, 1);
}
