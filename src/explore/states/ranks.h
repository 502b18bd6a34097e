// SPDX-License-Identifier: MIT
// The messages that could be delivered in a state, in an order that depends on nothing but the
// state: when the state comes back, the message that corresponds to one of them has the same rank.
//
// With states compared exactly, messages are ordered by what they hold, sender and receiver
// included; among messages that are alike in all, the oldest comes first. (Of one channel only one
// message is deliverable at a time.) With states up to renaming, messages are ordered as in the
// state's form.
#ifndef REHEARSE_EXPLORE_STATES_RANKS_H
#define REHEARSE_EXPLORE_STATES_RANKS_H

#include "base/vector.h"
#include "explore/states/states.h"
#include "world/world.h"

struct rh_ranks {
    RH_VECTOR(uint32_t) messages; // numbers, by rank
};

// Ranks the `count` messages in world->deliverable. Gives the fingerprint of the state.
rh_hash128 rh_ranks_fill(struct rh_ranks *ranks, const struct rh_states *states,
                         struct rh_world *world, uint32_t count);

// The rank of a message; RH_NONE if the message has none.
uint32_t rh_ranks_find(const struct rh_ranks *ranks, uint32_t message);

#endif
