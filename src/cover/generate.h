// SPDX-License-Identifier: MIT
// Schedules that reach goals which no run has reached: algorithms 1 to 3 of Bita, from one run.
//
// A schedule is a list of receives of that run in another order. Algorithm 1 goes through the pairs of receives and asks
// for a schedule for each order that is not covered. Algorithm 2 makes it: what came before, what must come before, then
// both in the order that is wanted. Algorithm 3 goes on with what is left, and puts that in orders that are not covered
// either, by calling algorithm 2 again.
//
// What is left holds only what is certain to happen: whose sender has received, when it sends it, the same messages in
// the same order as in the run. So a schedule can be followed: every receive in it has the same past as in the run, but
// for orders at its own actor. The paper leaves out instead whatever must come after the two. That is more, where
// messages of one sender keep their order; and less, since others may have changed places too.
#ifndef REHEARSE_COVER_GENERATE_H
#define REHEARSE_COVER_GENERATE_H

#include "cover/coverage.h"

// How far algorithm 1 has come. All zero at first, but for the criterion.
struct rh_generator {
    enum rh_criterion criterion;
    uint32_t first, second; // places of the pair that is looked at
    bool is_half_done;      // of which the order as it was in the run has been looked at
    // Bits: receives that no later one is wanted with, in either order. What is covered stays so.
    uint64_t exhausted[RH_RECEIVES_MOST / 64];
};

struct rh_plan {
    uint32_t *places; // in the order of the schedule; room for all receives of the run
    uint32_t count;
    uint32_t first, second; // the events whose order the schedule is for
};

// Gives the next schedule; false if there is none.
bool rh_generate(struct rh_generator *generator, const struct rh_coverage *coverage,
                 const struct rh_receives *run, const struct rh_happens_before *before,
                 struct rh_plan *plan);

// A schedule that brings the receive at `second` before the one at `first`, which it need not follow, and nothing else.
void rh_generate_swapped(const struct rh_coverage *coverage, const struct rh_receives *run,
                         const struct rh_happens_before *before, uint32_t first, uint32_t second,
                         struct rh_plan *plan);

#endif
