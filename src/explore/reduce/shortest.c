// SPDX-License-Identifier: MIT
#include "explore/reduce/shortest.h"

#include <stdlib.h>

#include "base/status.h"
#include "base/vector.h"
#include "explore/strategy/strategy.h"

// What deliveries that are needed touch, each set once.
static bool is_touched(const rh_touched_list *list, const struct rh_touched *touched)
{
    for (size_t i = 0; i < list->count; i++)
        if (rh_depends(list->items[i], touched))
            return true;
    return false;
}

static void add(rh_touched_list *list, const struct rh_touched *touched)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == touched)
            return;
    *rh_vector_push(list) = touched;
}

// The end of an execution is no delivery, though it may be a decision.
static bool is_delivery(const struct rh_decision *decision)
{
    return !rh_decision_is_outcome(decision) && decision->identity != RH_FAULT_CRASH;
}

// The deliveries in order: their places among the decisions.
static uint32_t find_deliveries(const struct rh_decision *decisions, uint32_t length, uint32_t *at)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < length; i++)
        if (is_delivery(&decisions[i]))
            at[count++] = i;
    return count;
}

static void need(struct rh_decision *decisions, const uint32_t *at, uint32_t number)
{
    if (number > 0)
        decisions[at[number - 1]].is_needed = true;
}

// A choice belongs to the delivery before it; choices before the first are the test body's.
static void mark_choices(struct rh_decision *decisions, uint32_t length)
{
    bool is_needed = true;
    for (uint32_t i = 0; i < length; i++) {
        if (is_delivery(&decisions[i]))
            is_needed = decisions[i].is_needed;
        decisions[i].is_needed = is_needed;
    }
}

uint32_t rh_shortest_mark(struct rh_decision *decisions, uint32_t length,
                          const struct rh_needs *needs)
{
    uint32_t *at = rh_alloc(sizeof *at * (length + 1));
    uint32_t count = find_deliveries(decisions, length, at), needed = 0;
    rh_touched_list touched = {0};
    add(&touched, needs->touched);
    for (uint32_t i = 0; i < length; i++)
        decisions[i].is_needed = needs->all;
    need(decisions, at, count);
    need(decisions, at, needs->sent_at);
    need(decisions, at, needs->also_sent_at);
    // From the last to the first: whatever needs a delivery comes after it.
    for (uint32_t number = count; number > 0; number--) {
        struct rh_decision *decision = &decisions[at[number - 1]];
        decision->is_needed |= is_touched(&touched, decision->touched);
        if (!decision->is_needed)
            continue;
        needed++;
        add(&touched, decision->touched);
        need(decisions, at, decision->sent_at);
        need(decisions, at, decision->also_sent_at);
    }
    mark_choices(decisions, length);
    rh_vector_fini(&touched);
    free(at);
    return needed;
}

uint32_t rh_shortest_take(const struct rh_decision *decisions, uint32_t length,
                          struct rh_decision *to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < length; i++)
        if (decisions[i].is_needed)
            to[count++] = decisions[i];
    return count;
}
