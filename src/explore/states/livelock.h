// SPDX-License-Identifier: MIT
// Livelocks in one execution that was cut off: the execution had come back to an earlier state,
// without progress on the way round, and whatever stayed deliverable all the way round was
// delivered. (Searches that compare states find all livelocks: livelock_search.h.)
#ifndef REHEARSE_EXPLORE_STATES_LIVELOCK_H
#define REHEARSE_EXPLORE_STATES_LIVELOCK_H

#include <stdbool.h>

#include "base/table.h"
#include "base/vector.h"
#include "world/world.h"

// A way round. States are numbered by how many deliveries led to them.
struct rh_livelock_round {
    uint32_t from, to; // both 0: none
    // A message that could be delivered all along; RH_NONE: none, the way round is fair.
    uint32_t never;
};

struct rh_livelock_state {
    rh_hash128 fingerprint;
    uint32_t earlier; // the newest earlier state with the same fingerprint; RH_NONE: none
    uint32_t newest;  // in the first state with a fingerprint: the newest state with the same one
};

// Since when, and until when, a message could be delivered.
struct rh_livelock_span {
    uint32_t first, last; // states; first above last: never
};

struct rh_livelock {
    bool on;
    RH_VECTOR(struct rh_livelock_state) states; // before each delivery
    RH_VECTOR(struct rh_livelock_span) spans;   // by number of message
    struct rh_table table;                      // the first state with each fingerprint
    uint32_t since;                             // the first state after the newest progress
    struct rh_livelock_round fair;              // the first fair way round
    // The first way round that is not fair.
    struct rh_livelock_round unfair;
};

// The world is in the next state, in which `count` messages are in world->deliverable.
void rh_livelock_note(struct rh_livelock *livelock, const struct rh_world *world, uint32_t count);

#endif
