// SPDX-License-Identifier: MIT
// What stands in a diagram several times becomes a part that is written once.
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "diagram/part.h"

// So many rounds are made at most, and parts have no more parameters than can be read. Larger
// diagrams are left as they are.
enum { ROUNDS_MOST = 30, PARAMETERS_SHARED = 6, NODES_MOST = 20000 };

static const char *const names[PARAMETERS_SHARED] = {"a", "b", "c", "d", "e", "f"};

// A node, or the end of a list from one of its parts on.
struct place {
    const struct rh_node *node;
    size_t first; // part that the end begins with; 0: the whole node
};

// Indexes that a place has from outside, in the order in which they are met.
struct indexes {
    struct rh_arena *arena;
    const struct rh_expression *items[PARAMETERS_SHARED];
    size_t count;
    bool is_full;
};

// Variables that are bound within the place.
struct bound {
    const char *variable;
    const struct bound *outer;
};

static bool is_inner(const struct rh_expression *expression, const struct bound *bound)
{
    if (!expression)
        return false;
    if (expression->kind == RH_EXPRESSION_VARIABLE)
        for (; bound; bound = bound->outer)
            if (!strcmp(bound->variable, expression->variable))
                return true;
    return is_inner(expression->left, bound) || is_inner(expression->right, bound);
}

// What stands for an index in the part.
static const struct rh_expression *
outer_index(struct indexes *indexes, const struct rh_expression *index, const struct bound *bound)
{
    if (!index || is_inner(index, bound))
        return index;
    for (size_t i = 0; i < indexes->count; i++)
        if (rh_expression_equals(indexes->items[i], index))
            return rh_expression_variable(indexes->arena, names[i]);
    if (indexes->count == PARAMETERS_SHARED) {
        indexes->is_full = true;
        return index;
    }
    indexes->items[indexes->count++] = index;
    return rh_expression_variable(indexes->arena, names[indexes->count - 1]);
}

static const struct rh_expression *outer_bound(struct indexes *indexes,
                                               const struct rh_expression *expression,
                                               const struct bound *bound)
{
    bool is_number = expression && expression->kind == RH_EXPRESSION_NUMBER;
    return is_number ? expression : outer_index(indexes, expression, bound);
}

// The node with parameters for indexes, and for bounds that are no numbers.
static const struct rh_node *abstract(struct indexes *indexes, const struct rh_node *node,
                                      const struct bound *bound)
{
    struct rh_node *copy = rh_arena_take(indexes->arena, sizeof *copy);
    *copy = *node;
    struct bound own = {node->variable, bound};
    copy->from.index = outer_index(indexes, node->from.index, bound);
    copy->to.index = outer_index(indexes, node->to.index, bound);
    copy->first = outer_bound(indexes, node->first, bound);
    copy->last = outer_bound(indexes, node->last, bound);
    copy->arguments =
        rh_arena_take(indexes->arena, node->argument_count * sizeof *copy->arguments + 1);
    for (size_t i = 0; i < node->argument_count; i++)
        copy->arguments[i] = outer_index(indexes, node->arguments[i], bound);
    copy->parts = rh_arena_take(indexes->arena, node->count * sizeof *copy->parts + 1);
    for (size_t i = 0; i < node->count; i++)
        copy->parts[i] = abstract(indexes, node->parts[i], node->variable ? &own : bound);
    return copy;
}

static const struct rh_node *node_at(struct rh_arena *arena, const struct place *place)
{
    return place->first ? rh_node_join(arena, place->node->kind, place->node->parts + place->first,
                                       place->node->count - place->first)
                        : place->node;
}

static size_t count_arrows(const struct rh_node *node)
{
    size_t count = node->kind == RH_NODE_ARROW;
    for (size_t i = 0; i < node->count; i++)
        count += count_arrows(node->parts[i]);
    return count;
}

// --- What is there several times. ---

// Places that are the same but for indexes.
struct family {
    const struct rh_node *part;
    struct indexes indexes; // of the first
    size_t count, size;
};

struct sharer {
    struct rh_arena *arena;
    struct rh_arena trial; // of a round
    size_t least;          // arrows of a part
    RH_VECTOR(struct family) families;
    struct rh_table table;
    struct rh_definitions made;
};

static void add_place(struct sharer *sharer, struct place place)
{
    struct indexes indexes = {.arena = &sharer->trial};
    const struct rh_node *node = node_at(&sharer->trial, &place);
    if (count_arrows(node) < sharer->least)
        return;
    const struct rh_node *part = abstract(&indexes, node, NULL);
    if (indexes.is_full)
        return;
    struct rh_text text = {0};
    rh_node_print(&text, part);
    uint64_t hash = rh_hash64(rh_text_get(&text), text.length, 0);
    rh_text_fini(&text);
    struct rh_probe probe = rh_table_probe(&sharer->table, hash);
    while (rh_probe_next(&probe))
        if (rh_node_equals(sharer->families.items[probe.number].part, part)) {
            sharer->families.items[probe.number].count++;
            return;
        }
    rh_table_add(&sharer->table, NULL, hash, (uint32_t)sharer->families.count);
    *rh_vector_push(&sharer->families) =
        (struct family){.part = part, .indexes = indexes, .count = 1, .size = rh_node_size(part)};
}

static void add_places(struct sharer *sharer, const struct rh_node *node)
{
    bool is_list = node->kind == RH_NODE_SEQUENCE || node->kind == RH_NODE_WEAK;
    if (node->kind != RH_NODE_ARROW && node->kind != RH_NODE_CALL && node->kind != RH_NODE_SKIP)
        add_place(sharer, (struct place){.node = node});
    for (size_t i = 1; i + 1 < node->count && is_list; i++)
        add_place(sharer, (struct place){node, i});
    for (size_t i = 0; i < node->count; i++)
        add_places(sharer, node->parts[i]);
}

// The family that takes the most away: each place but one becomes a line.
static const struct family *find_family(const struct sharer *sharer)
{
    const struct family *best = NULL;
    size_t most = sharer->least - 1;
    for (size_t i = 0; i < sharer->families.count; i++) {
        const struct family *family = &sharer->families.items[i];
        size_t saved = (family->count - 1) * (family->size - 1);
        if (family->count > 1 && saved > most) {
            best = family;
            most = saved;
        }
    }
    return best;
}

// --- Parts. ---

static const struct rh_node *first_arrow(const struct rh_node *node)
{
    while (node->count > 0)
        node = node->parts[0];
    return node->kind == RH_NODE_CALL ? first_arrow(node->definition->body) : node;
}

static bool is_taken(const struct sharer *sharer, const char *name)
{
    for (size_t i = 0; i < sharer->made.count; i++)
        if (!strcmp(sharer->made.items[i]->name, name))
            return true;
    return false;
}

// A part is called as the message that it begins with.
static const char *name_of(struct sharer *sharer, const struct rh_node *part)
{
    struct rh_text text = {0};
    const struct rh_node *arrow = first_arrow(part);
    const char *stem = arrow->type ? arrow->type : "part";
    rh_text_add(&text, stem);
    for (int i = 2; is_taken(sharer, rh_text_get(&text)); i++) {
        rh_text_clear(&text);
        rh_text_addf(&text, "%s_%d", stem, i);
    }
    const char *name = rh_arena_text(sharer->arena, rh_text_get(&text), text.length);
    rh_text_fini(&text);
    return name;
}

// The part of a family lives no longer than the round, and neither do its parameters.
static const struct rh_node *copy_of(struct sharer *sharer, const struct family *family)
{
    struct rh_substitution own[PARAMETERS_SHARED];
    for (size_t i = 0; i < family->indexes.count; i++)
        own[i] = (struct rh_substitution){names[i], rh_expression_variable(sharer->arena, names[i]),
                                          i ? &own[i - 1] : NULL};
    return rh_node_substitute(sharer->arena, family->part,
                              family->indexes.count ? &own[family->indexes.count - 1] : NULL);
}

static struct rh_definition *define(struct sharer *sharer, const struct family *family)
{
    struct rh_definition *definition = rh_arena_take(sharer->arena, sizeof *definition);
    definition->name = name_of(sharer, family->part);
    definition->count = family->indexes.count;
    definition->parameters =
        rh_arena_take(sharer->arena, PARAMETERS_SHARED * sizeof *definition->parameters);
    for (size_t i = 0; i < definition->count; i++)
        definition->parameters[i] = names[i];
    definition->body = copy_of(sharer, family);
    *rh_vector_push(&sharer->made) = definition;
    return definition;
}

static const struct rh_node *call(struct sharer *sharer, struct rh_definition *definition,
                                  const struct indexes *indexes)
{
    struct rh_node *node = rh_arena_take(sharer->arena, sizeof *node);
    node->kind = RH_NODE_CALL;
    node->definition = definition;
    node->argument_count = indexes->count;
    node->arguments = rh_arena_take(sharer->arena, indexes->count * sizeof *node->arguments + 1);
    for (size_t i = 0; i < indexes->count; i++)
        node->arguments[i] = indexes->items[i];
    return node;
}

// The call that says the same as the place; NULL if it is none of the part.
static const struct rh_node *call_at(struct sharer *sharer, const struct place *place,
                                     struct rh_definition *definition)
{
    struct indexes indexes = {.arena = &sharer->trial};
    const struct rh_node *part = abstract(&indexes, node_at(&sharer->trial, place), NULL);
    return !indexes.is_full && rh_node_equals(part, definition->body)
               ? call(sharer, definition, &indexes)
               : NULL;
}

static const struct rh_node *replace(struct sharer *sharer, const struct rh_node *node,
                                     struct rh_definition *definition)
{
    const struct rh_node *whole =
        node->count ? call_at(sharer, &(struct place){.node = node}, definition) : NULL;
    if (whole || node->count == 0)
        return whole ? whole : node;
    struct rh_nodes parts = {0};
    bool is_sequence = node->kind == RH_NODE_SEQUENCE || node->kind == RH_NODE_WEAK;
    for (size_t i = 0; i < node->count; i++) {
        const struct rh_node *end = i > 0 && i + 1 < node->count && is_sequence
                                        ? call_at(sharer, &(struct place){node, i}, definition)
                                        : NULL;
        *rh_vector_push(&parts) = end ? end : replace(sharer, node->parts[i], definition);
        if (end)
            break;
    }
    struct rh_node *copy = rh_arena_take(sharer->arena, sizeof *copy);
    *copy = *node;
    copy->count = parts.count;
    copy->parts = rh_arena_take(sharer->arena, parts.count * sizeof *copy->parts);
    memcpy(copy->parts, parts.items, parts.count * sizeof *copy->parts);
    rh_vector_fini(&parts);
    return copy;
}

static bool share_once(struct sharer *sharer, const struct rh_node **node)
{
    size_t old = sharer->made.count;
    add_places(sharer, *node);
    for (size_t i = 0; i < old; i++)
        add_places(sharer, sharer->made.items[i]->body);
    const struct family *family = find_family(sharer);
    struct rh_definition *definition = family ? define(sharer, family) : NULL;
    if (definition)
        *node = replace(sharer, *node, definition);
    for (size_t i = 0; i < old && definition; i++)
        sharer->made.items[i]->body = replace(sharer, sharer->made.items[i]->body, definition);
    sharer->families.count = 0;
    rh_table_fini(&sharer->table);
    sharer->table = (struct rh_table){0};
    rh_arena_fini(&sharer->trial);
    sharer->trial = (struct rh_arena){0};
    return definition != NULL;
}

const struct rh_node *rh_share(struct rh_arena *arena, const struct rh_node *node, size_t least)
{
    struct sharer sharer = {.arena = arena, .least = least};
    // Parts that are there already are left alone, but their names are taken.
    rh_definitions_add(&sharer.made, node);
    bool has_parts = sharer.made.count > 0;
    for (int i = 0; i < ROUNDS_MOST && !has_parts && rh_node_size(node) < NODES_MOST; i++)
        if (!share_once(&sharer, &node))
            break;
    rh_vector_fini(&sharer.families);
    rh_vector_fini(&sharer.made);
    rh_table_fini(&sharer.table);
    return node;
}
