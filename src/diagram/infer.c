// SPDX-License-Identifier: MIT
#include "diagram/infer.h"

#include "diagram/decompose.h"
#include "diagram/fold.h"

const struct rh_node *rh_infer(struct rh_arena *arena, const struct rh_journal *classes,
                               struct rh_automaton *automaton, bool by_causes)
{
    struct rh_orders orders;
    struct rh_nodes ways = {0};
    rh_orders_init(&orders, classes, automaton, by_causes, RH_INFER_ORDERS);
    for (size_t i = 0; i < orders.items.count && !orders.is_full; i++)
        *rh_vector_push(&ways) = rh_decompose(arena, &automaton->names, &orders.items.items[i]);
    const struct rh_node *node =
        ways.count ? rh_fold(arena, rh_fold_choice(arena, ways.items, ways.count)) : NULL;
    rh_vector_fini(&ways);
    rh_orders_fini(&orders);
    return node;
}
