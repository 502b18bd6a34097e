// SPDX-License-Identifier: MIT
#include "diagram/infer.h"

#include "diagram/decompose.h"
#include "diagram/fold.h"

// With `~` for each `;` that stands in a `~`.
static const struct rh_node *flatten(struct rh_arena *arena, const struct rh_node *node)
{
    struct rh_nodes parts = {0};
    if (node->count == 0)
        return node;
    for (size_t i = 0; i < node->count; i++) {
        const struct rh_node *part = flatten(arena, node->parts[i]);
        bool is_inner = node->kind == RH_NODE_WEAK && part->kind == RH_NODE_SEQUENCE;
        for (size_t k = 0; k < part->count && is_inner; k++)
            *rh_vector_push(&parts) = part->parts[k];
        if (!is_inner)
            *rh_vector_push(&parts) = part;
    }
    node = rh_node_join(arena, node->kind, parts.items, parts.count);
    rh_vector_fini(&parts);
    return node;
}

const struct rh_node *rh_infer(struct rh_arena *arena, const struct rh_journal *classes,
                               struct rh_automaton *automaton, bool by_causes,
                               enum rh_infer_shape shape)
{
    struct rh_orders orders;
    struct rh_nodes ways = {0};
    rh_orders_init(&orders, classes, automaton, by_causes, RH_INFER_ORDERS);
    for (size_t i = 0; i < orders.items.count && !orders.is_full; i++) {
        const struct rh_node *way = rh_decompose(arena, &automaton->names, &orders.items.items[i]);
        *rh_vector_push(&ways) = shape == RH_INFER_FLAT ? flatten(arena, way) : way;
    }
    const struct rh_node *node = NULL;
    if (ways.count && shape == RH_INFER_CHOICES)
        node = rh_fold_ways(arena, ways.items, ways.count);
    else if (ways.count)
        node = rh_fold_choice(arena, ways.items, ways.count);
    node = node ? rh_fold(arena, node) : NULL;
    rh_vector_fini(&ways);
    rh_orders_fini(&orders);
    return node;
}
