// SPDX-License-Identifier: MIT
// Turns marks into lines and branches of sources.
#include "lines/code.h"

#include <stdlib.h>
#include <string.h>

// What RH_TEST makes of a test's body is called after the test.
static const char *name_of(const char *function)
{
    static const char prefix[] = "rh__test_body_";
    return strncmp(function, prefix, sizeof prefix - 1) ? function : function + sizeof prefix - 1;
}

static void add_function(struct rh_covered_source *source, const struct rh_code_place *place)
{
    const char *name = name_of(place->function);
    uint32_t line = (uint32_t)place->line;
    for (size_t i = 0; i < source->functions.count; i++) {
        struct rh_covered_function *function = &source->functions.items[i];
        if (strcmp(function->name, name) != 0)
            continue;
        function->first = line < function->first ? line : function->first;
        function->last = line > function->last ? line : function->last;
        return;
    }
    *rh_vector_push(&source->functions) = (struct rh_covered_function){rh_strdup(name), line, line};
}

// By number; of one number what was reached comes first.
static int compare_lines(const void *first, const void *second)
{
    const struct rh_covered_line *one = first, *other = second;
    if (one->number != other->number)
        return one->number < other->number ? -1 : 1;
    return (int)other->is_reached - (int)one->is_reached;
}

static int compare_functions(const void *first, const void *second)
{
    const struct rh_covered_function *one = first, *other = second;
    if (one->first != other->first)
        return one->first < other->first ? -1 : 1;
    return strcmp(one->name, other->name);
}

// Several pieces of code may be of one line: it was reached if one of them was.
static void sort_source(struct rh_covered_source *source)
{
    size_t kept = 0;
    if (source->lines.count > 0)
        qsort(source->lines.items, source->lines.count, sizeof *source->lines.items, compare_lines);
    for (size_t i = 0; i < source->lines.count; i++)
        if (kept == 0 || source->lines.items[kept - 1].number != source->lines.items[i].number)
            source->lines.items[kept++] = source->lines.items[i];
    source->lines.count = kept;
    if (source->functions.count > 0)
        qsort(source->functions.items, source->functions.count, sizeof *source->functions.items,
              compare_functions);
}

// Branches of one line stand in the order of their addresses.
static struct rh_covered_branch *insert_branch(struct rh_covered_source *source, uint32_t line)
{
    rh_vector_push(&source->branches);
    size_t at = source->branches.count - 1;
    for (; at > 0 && source->branches.items[at - 1].line > line; at--)
        source->branches.items[at] = source->branches.items[at - 1];
    source->branches.items[at] = (struct rh_covered_branch){.line = line};
    return &source->branches.items[at];
}

static void add_branch(const struct rh_code *code, const uint8_t *marks,
                       const struct rh_code_block *block, struct rh_line_coverage *reached)
{
    if (!block->place.file || block->is_open || block->way_count < 2)
        return;
    struct rh_covered_source *source = rh_line_coverage_add_source(reached, block->place.file);
    struct rh_covered_branch *branch = insert_branch(source, (uint32_t)block->branch_line);
    for (uint32_t i = block->first_way; i < block->first_way + block->way_count; i++) {
        const struct rh_code_place *to = &code->blocks.items[code->ways.items[i].to].place;
        bool is_there = to->file && !strcmp(to->file, block->place.file);
        *rh_vector_push(&branch->ways) = (struct rh_covered_way){is_there ? (uint32_t)to->line : 0,
                                                                 marks[code->ways.items[i].mark]};
    }
}

void rh_code_coverage(const struct rh_code *code, const uint8_t *marks,
                      struct rh_line_coverage *reached)
{
    for (size_t i = 0; i < code->lines.count; i++) {
        const struct rh_code_line *line = &code->lines.items[i];
        struct rh_covered_source *source = rh_line_coverage_add_source(reached, line->place.file);
        *rh_vector_push(&source->lines) =
            (struct rh_covered_line){(uint32_t)line->place.line, marks[line->mark]};
        add_function(source, &line->place);
    }
    for (size_t i = 0; i < code->blocks.count; i++)
        add_branch(code, marks, &code->blocks.items[i], reached);
    for (size_t i = 0; i < reached->sources.count; i++)
        sort_source(&reached->sources.items[i]);
}
