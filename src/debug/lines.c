// SPDX-License-Identifier: MIT
// Source lines of code addresses.
#include "debug/internal.h"

#include <dwarf.h>
#include <string.h>

static const char *string_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    return dwarf_formstring(dwarf_attr(die, attribute, &found));
}

// What follows `directory/` in `path`, or NULL.
static const char *below(const char *path, const char *directory)
{
    size_t length = directory ? strlen(directory) : 0;
    if (length == 0 || strncmp(path, directory, length) != 0 || path[length] != '/')
        return NULL;
    while (path[length] == '/')
        length++;
    return path + length;
}

static const char *source_name(Dwarf_Die *unit, const char *path)
{
    const char *directory = string_of(unit, DW_AT_comp_dir);
    const char *main_source = dwarf_diename(unit);
    const char *relative = path ? below(path, directory) : NULL;
    // The compiler puts the name that it was given, even a full path, into __FILE__.
    if (path && main_source && strcmp(path, main_source) == 0)
        return main_source;
    return relative ? relative : path;
}

// dwarf_decl_file won't do: it takes index 0 for no file, but in DWARF 5 that is the main source.
void rh__declared_at(Dwarf_Die *die, const char **file, int *line)
{
    Dwarf_Attribute found;
    Dwarf_Word index;
    Dwarf_Half version = 0;
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t count;

    *file = NULL;
    *line = 0;
    if (!dwarf_attr_integrate(die, DW_AT_decl_file, &found) ||
        dwarf_formudata(&found, &index) != 0 ||
        dwarf_cu_info(found.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
        (index == 0 && version < 5) || dwarf_getsrcfiles(&unit, &files, &count) != 0 ||
        index >= count)
        return;
    *file = source_name(&unit, dwarf_filesrc(files, index, NULL, NULL));
    if (!*file || dwarf_decl_line(die, line) != 0 || *line < 0)
        *line = 0;
}

// The last row at or below the address, or -1.
static ptrdiff_t find_row(Dwarf_Lines *lines, size_t count, uint64_t address)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        Dwarf_Addr start = 0;
        if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &start) != 0)
            return -1;
        if (start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return (ptrdiff_t)low - 1;
}

// Reads the line of a row. Gives false for a row that ends a sequence or lies before `lowest`; line
// 0 marks code that belongs to no line.
static bool read_row(Dwarf_Line *row, uint64_t lowest, int *number)
{
    Dwarf_Addr start = 0;
    bool is_end = true;
    return row && dwarf_lineaddr(row, &start) == 0 && start >= lowest &&
           dwarf_lineendsequence(row, &is_end) == 0 && !is_end && dwarf_lineno(row, number) == 0;
}

// Several rows may stand at the address where a function begins: the first row is the function's
// own, the last may be of a function that was inlined there.
static ptrdiff_t first_row(Dwarf_Lines *lines, ptrdiff_t row, uint64_t address)
{
    for (; row > 0; row--) {
        int number = 0;
        if (!read_row(dwarf_onesrcline(lines, (size_t)row - 1), address, &number) || number == 0)
            break;
    }
    return row;
}

bool rh__line_at(Dwarf_Die *unit, uint64_t address, uint64_t lowest, const char **file, int *line)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return false;
    ptrdiff_t at = find_row(lines, count, address);
    if (address == lowest)
        at = first_row(lines, at, address);
    for (; at >= 0; at--) {
        Dwarf_Line *row = dwarf_onesrcline(lines, (size_t)at);
        int number = 0;
        if (!read_row(row, lowest, &number))
            return false;
        const char *path = number > 0 ? dwarf_linesrc(row, NULL, NULL) : NULL;
        if (path) {
            *file = source_name(unit, path);
            *line = number;
            return true;
        }
    }
    return false;
}
