// SPDX-License-Identifier: MIT
// Diagrams with one small change.
#ifndef REHEARSE_TESTS_DIAGRAM_MUTANT_H
#define REHEARSE_TESTS_DIAGRAM_MUTANT_H

#include <string.h>

#include "base/rng.h"
#include "diagram/diagram.h"

struct mutation {
    struct rh_arena *arena;
    struct rh_rng *rng;
    size_t left; // nodes before the one that changes
    bool is_done;
};

static inline struct rh_node *mutant_copy(struct mutation *mutation, const struct rh_node *node)
{
    struct rh_node *copy = rh_arena_take(mutation->arena, sizeof *copy);
    *copy = *node;
    if (node->count) {
        copy->parts = rh_arena_take(mutation->arena, (node->count + 1) * sizeof *copy->parts);
        memcpy(copy->parts, node->parts, node->count * sizeof *copy->parts);
    }
    return copy;
}

static inline const struct rh_node *
mutant_loop(struct mutation *mutation, const struct rh_node *body, int64_t least, int64_t most)
{
    struct rh_node *loop = rh_arena_take(mutation->arena, sizeof *loop);
    loop->kind = RH_NODE_LOOP;
    loop->parts = rh_arena_take(mutation->arena, sizeof *loop->parts);
    loop->parts[0] = body;
    loop->count = 1;
    // Pipelined loops without a bound have too many ways, and the judge says so after seconds.
    loop->is_weak = most >= 0 && rh_rng_below(mutation->rng, 2);
    loop->first = rh_expression_number(mutation->arena, least);
    loop->last = most < 0 ? NULL : rh_expression_number(mutation->arena, most);
    return loop;
}

// Of a list: a part is dropped, doubled, or changes its place with the next, or the operator changes.
static inline const struct rh_node *mutant_list(struct mutation *mutation, struct rh_node *node)
{
    size_t at = rh_rng_below(mutation->rng, node->count);
    switch (rh_rng_below(mutation->rng, 4)) {
    case 0:
        memmove(&node->parts[at], &node->parts[at + 1],
                (node->count - at - 1) * sizeof *node->parts);
        return --node->count == 1 ? node->parts[0] : node;
    case 1:
        node->parts[node->count++] = node->parts[at];
        return node;
    case 2: {
        size_t other = (at + 1) % node->count;
        const struct rh_node *part = node->parts[at];
        node->parts[at] = node->parts[other];
        node->parts[other] = part;
        return node;
    }
    default:
        node->kind = RH_NODE_SEQUENCE +
                     (node->kind - RH_NODE_SEQUENCE + 1 + (int)rh_rng_below(mutation->rng, 3)) % 4;
        return node;
    }
}

static inline const struct rh_node *mutant_loop_like(struct mutation *mutation,
                                                     struct rh_node *node)
{
    int64_t delta = rh_rng_below(mutation->rng, 2) ? 1 : -1;
    switch (rh_rng_below(mutation->rng, 3)) {
    case 0:
        if (node->kind == RH_NODE_ALL)
            node->kind = RH_NODE_EACH;
        else
            node->is_weak = !node->is_weak && node->last;
        return node;
    case 1:
        if (node->kind == RH_NODE_LOOP)
            node->last = NULL, node->is_weak = false;
        else
            node->kind = node->kind == RH_NODE_ALL ? RH_NODE_EACH : RH_NODE_ALL,
            node->is_weak = false;
        return node;
    default:
        if (!node->last || node->last->kind != RH_EXPRESSION_NUMBER ||
            node->last->number + delta < 0)
            return node;
        if (node->kind == RH_NODE_LOOP && rh_expression_equals(node->first, node->last))
            node->first = rh_expression_number(mutation->arena, node->last->number + delta);
        node->last = rh_expression_number(mutation->arena, node->last->number + delta);
        if (node->kind == RH_NODE_LOOP && node->first->number > node->last->number)
            node->first = node->last;
        return node;
    }
}

static inline const struct rh_node *mutant_arrow(struct mutation *mutation, struct rh_node *node)
{
    switch (rh_rng_below(mutation->rng, 4)) {
    case 0:
        return rh_node_skip(mutation->arena);
    case 1:
        return mutant_loop(mutation, node, 0, 1);
    case 2:
        return mutant_loop(mutation, node, 1, 2);
    default:
        node->is_lost = !node->is_lost;
        return node;
    }
}

static inline const struct rh_node *mutant_change(struct mutation *mutation,
                                                  const struct rh_node *node)
{
    struct rh_node *copy = mutant_copy(mutation, node);
    mutation->is_done = true;
    switch (node->kind) {
    case RH_NODE_SKIP:
    case RH_NODE_SOME:
    case RH_NODE_CALL:
        return node;
    case RH_NODE_ARROW:
        return mutant_arrow(mutation, copy);
    case RH_NODE_LOOP:
    case RH_NODE_ALL:
    case RH_NODE_EACH:
        return mutant_loop_like(mutation, copy);
    default:
        return rh_rng_below(mutation->rng, 8) ? mutant_list(mutation, copy)
                                              : mutant_loop(mutation, copy, 0, -1);
    }
}

static inline const struct rh_node *mutant_walk(struct mutation *mutation,
                                                const struct rh_node *node)
{
    if (mutation->left == 0 && !mutation->is_done)
        return mutant_change(mutation, node);
    mutation->left--;
    struct rh_node *copy = NULL;
    for (size_t i = 0; i < node->count && !mutation->is_done; i++) {
        const struct rh_node *part = mutant_walk(mutation, node->parts[i]);
        if (part == node->parts[i])
            continue;
        copy = copy ? copy : mutant_copy(mutation, node);
        copy->parts[i] = part;
    }
    return copy ? copy : node;
}

// The diagram with a change at some node. The change may be none.
static inline const struct rh_node *mutant_of(struct rh_arena *arena, struct rh_rng *rng,
                                              const struct rh_node *node)
{
    struct mutation mutation = {
        .arena = arena, .rng = rng, .left = rh_rng_below(rng, rh_node_size(node))};
    return mutant_walk(&mutation, node);
}

#endif
