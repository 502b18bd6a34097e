// SPDX-License-Identifier: MIT
// The executions of a search that tries one of each class, as sets of messages with the orders that
// all executions have in common.
#ifndef REHEARSE_DIAGRAM_ORDER_H
#define REHEARSE_DIAGRAM_ORDER_H

#include "diagram/automaton.h"

// A message is known by who sends it to whom, its type, and how many such messages its sender has
// sent before; or, `by_causes`, also by what has led to it.
struct rh_order_event {
    uint64_t key;
    struct rh_label label;
    uint32_t
        cause; // event whose handler sends it; RH_NONE: the test's body, or not always the same
};

// Executions that send the same messages. Events are in the order of the first of them. A moment is
// that of sending a message (2 * event) or of receiving it (2 * event + 1).
struct rh_order {
    RH_VECTOR(struct rh_order_event) events;
    size_t words; // of a row
    // Owned; rows of bits: the moments that come before each in every execution. What a handler
    // sends to different actors comes both before and after each other: nobody sees a difference.
    uint64_t *before;
    size_t executions;
};

static inline bool rh_order_has(const struct rh_order *order, size_t one, size_t other)
{
    return order->before[other * order->words + one / 64] >> one % 64 & 1;
}

struct rh_orders {
    RH_VECTOR(struct rh_order) items;
    bool is_full; // there are more than `most`
};

// Groups the executions of a journal by what they send. Actors have the names of the automaton.
void rh_orders_init(struct rh_orders *orders, const struct rh_journal *journal,
                    struct rh_automaton *automaton, bool by_causes, size_t most);
void rh_orders_fini(struct rh_orders *orders);

#endif
