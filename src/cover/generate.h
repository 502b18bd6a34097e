// SPDX-License-Identifier: MIT
// Schedules that reach goals which no execution has reached: algorithms 1 to 3 of Bita, applied to
// an execution.
//
// A schedule is a list of receives of the execution in another order. Algorithm 1 goes through the
// pairs of receives and asks for a schedule for each order that is not covered. Algorithm 2 makes
// it: what came before the pair, what must come before it, then the two receives in the order that
// is wanted. Algorithm 3 goes on with the receives that are left, and puts them in orders that are
// not covered either, by calling algorithm 2 again.
//
// A receive stays among those left only if it is certain to happen: its sender must have received,
// before it sends the message, the same messages in the same order as in the execution. So a
// schedule can be followed: every receive in it has the same past as in the execution, but for the
// order of receives at its own actor. The paper leaves out whatever must come after the pair
// instead. Where messages of one sender keep their order, that is more than necessary; and it is
// too little, since other receives may have changed places too.
#ifndef REHEARSE_COVER_GENERATE_H
#define REHEARSE_COVER_GENERATE_H

#include "cover/coverage.h"

// How far algorithm 1 has come. Begins as zeros and the criterion.
struct rh_generator {
    enum rh_criterion criterion;
    uint32_t first, second; // places of the pair that is looked at
    bool is_half_done;      // the pair has been looked at in the order that it has in the execution
    // Bits by place: no pair of this receive and a later one is wanted, in either order. Such a bit
    // stays true, since what is covered stays covered.
    uint64_t exhausted[RH_RECEIVES_MOST / 64];
};

struct rh_plan {
    uint32_t
        *places; // receives in the order of the schedule; room for all receives of the execution
    uint32_t count;
    uint32_t first, second; // the events whose order the schedule is for
};

// Gives the next schedule; false if there is none.
bool rh_generate(struct rh_generator *generator, const struct rh_coverage *coverage,
                 const struct rh_receives *execution, const struct rh_happens_before *before,
                 struct rh_plan *plan);

// Makes a schedule that only brings the receive at `second`, which need not follow the one at
// `first`, before that one.
void rh_generate_swapped(const struct rh_coverage *coverage, const struct rh_receives *execution,
                         const struct rh_happens_before *before, uint32_t first, uint32_t second,
                         struct rh_plan *plan);

#endif
