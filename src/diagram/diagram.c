// SPDX-License-Identifier: MIT
#include "diagram/diagram.h"

#include <stdlib.h>
#include <string.h>

#include "diagram/part.h"

enum { FILE_MOST = 1 << 24 };

void rh_diagram_file_fini(struct rh_diagram_file *file)
{
    rh_vector_fini(&file->diagrams);
    rh_arena_fini(&file->arena);
}

struct rh_status rh_diagram_read(struct rh_diagram_file *file, const char *path)
{
    struct rh_text text = {0};
    struct rh_status status = rh_text_read_file(&text, path, FILE_MOST);
    if (rh_is_ok(&status))
        status = rh_diagram_parse(file, path, rh_text_get(&text), text.length);
    rh_text_fini(&text);
    return status;
}

const struct rh_node *rh_node_skip(struct rh_arena *arena)
{
    struct rh_node *node = rh_arena_take(arena, sizeof *node);
    node->kind = RH_NODE_SKIP;
    return node;
}

// Whether a part is joined with its neighbours. Nothing is added by what is skipped, but in a
// choice it is a way.
static bool is_flat(enum rh_node_kind kind, const struct rh_node *part)
{
    return part->kind == kind || (part->kind == RH_NODE_SKIP && kind != RH_NODE_CHOICE);
}

const struct rh_node *rh_node_join(struct rh_arena *arena, enum rh_node_kind kind,
                                   const struct rh_node *const *parts, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += is_flat(kind, parts[i]) ? parts[i]->count : 1;
    if (total == 0)
        return rh_node_skip(arena);
    struct rh_node *node = rh_arena_take(arena, sizeof *node);
    node->kind = kind;
    node->parts = rh_arena_take(arena, total * sizeof *node->parts);
    for (size_t i = 0; i < count; i++) {
        if (!is_flat(kind, parts[i]))
            node->parts[node->count++] = parts[i];
        for (size_t k = 0; k < parts[i]->count && is_flat(kind, parts[i]); k++)
            node->parts[node->count++] = parts[i]->parts[k];
    }
    node->line = node->parts[0]->line;
    node->column = node->parts[0]->column;
    return node->count == 1 ? node->parts[0] : node;
}

static bool same_text(const char *one, const char *other)
{
    return one && other ? !strcmp(one, other) : one == other;
}

static bool same_party(const struct rh_party *one, const struct rh_party *other)
{
    return same_text(one->class, other->class) && rh_expression_equals(one->index, other->index);
}

// Parts of one diagram are the same if their names are.
static bool same_call(const struct rh_node *one, const struct rh_node *other)
{
    bool is_same = one->argument_count == other->argument_count &&
                   (!one->definition || !strcmp(one->definition->name, other->definition->name));
    for (size_t i = 0; i < one->argument_count && is_same; i++)
        is_same = rh_expression_equals(one->arguments[i], other->arguments[i]);
    return is_same;
}

bool rh_node_equals(const struct rh_node *one, const struct rh_node *other)
{
    if (one == other)
        return true;
    bool is_same = one->kind == other->kind && one->count == other->count &&
                   one->sending == other->sending && one->is_lost == other->is_lost &&
                   one->is_weak == other->is_weak && one->is_parallel == other->is_parallel &&
                   same_text(one->type, other->type) && same_text(one->variable, other->variable) &&
                   same_text(one->class, other->class) && same_party(&one->from, &other->from) &&
                   same_party(&one->to, &other->to) &&
                   rh_expression_equals(one->first, other->first) &&
                   rh_expression_equals(one->last, other->last) && same_call(one, other);
    for (size_t i = 0; i < one->count && is_same; i++)
        is_same = rh_node_equals(one->parts[i], other->parts[i]);
    return is_same;
}

static size_t own_size(const struct rh_node *node)
{
    size_t size = 1;
    for (size_t i = 0; i < node->count; i++)
        size += own_size(node->parts[i]);
    return size;
}

size_t rh_node_size(const struct rh_node *node)
{
    struct rh_definitions definitions = {0};
    size_t size = own_size(node);
    rh_definitions_add(&definitions, node);
    for (size_t i = 0; i < definitions.count; i++)
        size += own_size(definitions.items[i]->body);
    rh_vector_fini(&definitions);
    return size;
}
