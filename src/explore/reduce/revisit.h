// SPDX-License-Identifier: MIT
// What a reduced search remembers of the states it has been to, so that it need not go on from one
// twice.
//
// Two things make that more than a look into a table. First, what was left out from a state depends
// on what was asleep there: if less is asleep now, the search goes on. Second, the deliveries that
// follow a known state are not made again, but may race with those that led to it this time. So the
// search keeps with each state what could follow: for each message that is pending there, what the
// message and what comes of it will touch. Where an earlier delivery depends on what they touch,
// whatever could come first there is tried as well.
//
// What follows a state that lies on a cycle is not known before the whole cycle is. So a search
// that comes back to a state of the present execution is begun again without a reduction: see
// give_up_reduction in run.c.
//
// Pending messages are known by name across executions: contents, and place in the channel.
#ifndef REHEARSE_EXPLORE_REDUCE_REVISIT_H
#define REHEARSE_EXPLORE_REDUCE_REVISIT_H

#include "explore/strategy/strategy.h"
#include "reduce/touched.h"

struct rh_reduction;

// A message that is pending at a point of the present execution.
struct rh_awaited {
    uint64_t name;
    const struct rh_touched *touched;   // what its delivery touches
    uint32_t message;                   // number
    const struct rh_touched *followers; // what deliveries that come of it touch
};

// Memory that survives workers.
struct rh_visits {
    struct rh_touched_sets *sets; // of the search; borrowed
    struct rh_awaited *awaited;   // a stack
    uint32_t *words;              // what is remembered
    uint64_t top;
};

// false if there is no memory.
bool rh_visits_init(struct rh_visits *visits);
void rh_visits_fini(struct rh_visits *visits);
void rh_visits_reset(struct rh_visits *visits);

// The search has come to the last point for the first time. Gives whether it has been in this
// state, and need not go on.
bool rh_revisit(struct rh_reduction *reduction, const struct rh_choice_point *choice);

// The search leaves the last point for good.
void rh_visit_end(struct rh_reduction *reduction);

#endif
