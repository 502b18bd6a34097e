// SPDX-License-Identifier: MIT
#include "result/line_coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"

static void source_fini(struct rh_covered_source *source)
{
    for (size_t i = 0; i < source->functions.count; i++)
        free(source->functions.items[i].name);
    for (size_t i = 0; i < source->branches.count; i++)
        rh_vector_fini(&source->branches.items[i].ways);
    rh_vector_fini(&source->functions);
    rh_vector_fini(&source->lines);
    rh_vector_fini(&source->branches);
    free(source->file);
}

void rh_line_coverage_fini(struct rh_line_coverage *reached)
{
    for (size_t i = 0; i < reached->sources.count; i++)
        source_fini(&reached->sources.items[i]);
    rh_vector_fini(&reached->sources);
}

struct rh_covered_source *rh_line_coverage_add_source(struct rh_line_coverage *reached,
                                                      const char *file)
{
    size_t at = 0;
    while (at < reached->sources.count && strcmp(reached->sources.items[at].file, file) < 0)
        at++;
    if (at < reached->sources.count && strcmp(reached->sources.items[at].file, file) == 0)
        return &reached->sources.items[at];
    rh_vector_push(&reached->sources);
    struct rh_covered_source *added = &reached->sources.items[at];
    memmove(added + 1, added, (reached->sources.count - at - 1) * sizeof *added);
    *added = (struct rh_covered_source){.file = rh_strdup(file)};
    return added;
}

static bool is_same_branch(const struct rh_covered_branch *one,
                           const struct rh_covered_branch *other)
{
    if (one->line != other->line || one->ways.count != other->ways.count)
        return false;
    for (size_t i = 0; i < one->ways.count; i++)
        if (one->ways.items[i].to != other->ways.items[i].to)
            return false;
    return true;
}

static bool is_same_source(const struct rh_covered_source *one,
                           const struct rh_covered_source *other)
{
    if (strcmp(rh_base_name(one->file), rh_base_name(other->file)) != 0 ||
        one->lines.count != other->lines.count || one->branches.count != other->branches.count)
        return false;
    for (size_t i = 0; i < one->lines.count; i++)
        if (one->lines.items[i].number != other->lines.items[i].number)
            return false;
    for (size_t i = 0; i < one->branches.count; i++)
        if (!is_same_branch(&one->branches.items[i], &other->branches.items[i]))
            return false;
    return true;
}

bool rh_line_coverage_is_alike(const struct rh_line_coverage *one,
                               const struct rh_line_coverage *other)
{
    if (one->sources.count != other->sources.count)
        return false;
    for (size_t i = 0; i < one->sources.count; i++)
        if (!is_same_source(&one->sources.items[i], &other->sources.items[i]))
            return false;
    return true;
}

static void copy_source(struct rh_line_coverage *reached, const struct rh_covered_source *source)
{
    struct rh_covered_source *copy = rh_line_coverage_add_source(reached, source->file);
    for (size_t i = 0; i < source->functions.count; i++)
        *rh_vector_push(&copy->functions) = (struct rh_covered_function){
            rh_strdup(source->functions.items[i].name), source->functions.items[i].first,
            source->functions.items[i].last};
    for (size_t i = 0; i < source->lines.count; i++)
        *rh_vector_push(&copy->lines) = source->lines.items[i];
    for (size_t i = 0; i < source->branches.count; i++) {
        struct rh_covered_branch *branch = rh_vector_push(&copy->branches);
        branch->line = source->branches.items[i].line;
        for (size_t k = 0; k < source->branches.items[i].ways.count; k++)
            *rh_vector_push(&branch->ways) = source->branches.items[i].ways.items[k];
    }
}

static void merge_source(struct rh_covered_source *source, const struct rh_covered_source *other)
{
    for (size_t i = 0; i < source->lines.count; i++)
        source->lines.items[i].is_reached |= other->lines.items[i].is_reached;
    for (size_t i = 0; i < source->branches.count; i++)
        for (size_t k = 0; k < source->branches.items[i].ways.count; k++)
            source->branches.items[i].ways.items[k].is_taken |=
                other->branches.items[i].ways.items[k].is_taken;
}

void rh_line_coverage_merge(struct rh_line_coverage *reached, const struct rh_line_coverage *other)
{
    bool is_empty = reached->sources.count == 0;
    for (size_t i = 0; i < other->sources.count; i++)
        if (is_empty)
            copy_source(reached, &other->sources.items[i]);
        else
            merge_source(&reached->sources.items[i], &other->sources.items[i]);
}

void rh_line_coverage_count(const struct rh_covered_source *source,
                            struct rh_covered_figures *figures)
{
    figures->lines += source->lines.count;
    for (size_t i = 0; i < source->lines.count; i++)
        figures->reached += source->lines.items[i].is_reached;
    for (size_t i = 0; i < source->branches.count; i++) {
        const struct rh_covered_branch *branch = &source->branches.items[i];
        figures->ways += branch->ways.count;
        for (size_t k = 0; k < branch->ways.count; k++)
            figures->taken += branch->ways.items[k].is_taken;
    }
}

const char *rh_line_coverage_function_of(const struct rh_covered_source *source, uint32_t line)
{
    for (size_t i = 0; i < source->functions.count; i++)
        if (source->functions.items[i].first <= line && line <= source->functions.items[i].last)
            return source->functions.items[i].name;
    return NULL;
}
