// SPDX-License-Identifier: MIT
// Code addresses of source lines.
#include "base/file_name.h"
#include "debug/internal.h"

struct wanted {
    const char *file;
    int line;
    void (*visit)(void *context, uintptr_t address);
    void *context;
};

static bool is_wanted(Dwarf_Line *row, const struct wanted *wanted)
{
    int number = 0;
    bool is_end = true;
    if (!row || dwarf_lineno(row, &number) != 0 || number != wanted->line ||
        dwarf_lineendsequence(row, &is_end) != 0 || is_end)
        return false;
    const char *path = dwarf_linesrc(row, NULL, NULL);
    return path && rh_is_named(path, wanted->file);
}

// Whether code follows before the next row begins.
static bool has_code(Dwarf_Lines *lines, size_t count, size_t row, Dwarf_Addr address)
{
    Dwarf_Addr next = 0;
    return row + 1 >= count || dwarf_lineaddr(dwarf_onesrcline(lines, row + 1), &next) != 0 ||
           next != address;
}

static void visit_unit(const struct rh__module *module, Dwarf_Die *unit,
                       const struct wanted *wanted)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        if (is_wanted(row, wanted) && dwarf_lineaddr(row, &address) == 0 && address &&
            has_code(lines, count, i, address))
            wanted->visit(wanted->context, (uintptr_t)(address + module->bias));
    }
}

void rh_debug_visit_line(struct rh_debug *debug, const char *file, int line,
                         void (*visit)(void *context, uintptr_t address), void *context)
{
    const struct wanted wanted = {file, line, visit, context};
    for (size_t i = 0; i < debug->modules.count; i++) {
        struct rh__module *module = debug->modules.items[i];
        Dwarf *dwarf = module->is_system ? NULL : rh__module_dwarf(module);
        Dwarf_CU *unit = NULL;
        Dwarf_Die root;
        while (dwarf && rh__next_unit(dwarf, &unit, &root))
            if (!rh__unit_is_own(module, &root))
                visit_unit(module, &root, &wanted);
    }
}
