// SPDX-License-Identifier: MIT
// Livelocks in the graph of all states: ways round without progress, and whether there is a fair
// one.
//
// States that can be reached from each other without progress form a component. In a component a
// message may be followed from state to state. If a message of a state can't be got rid of, because
// no delivery within the component delivers it or makes it undeliverable, wherever one goes, then
// no fair way round passes that state. Leave out such states, then the states that are not part of
// any way round any more, and so on: in the component that remains each message can be got rid of,
// one after the other, before one goes back to the start, which is a fair way round. If nothing
// remains there is no fair way round.
//
// Where states are compared exactly this is the usual condition of weak fairness, that each message
// is delivered in the component or not deliverable in one of its states. With states up to renaming
// a message may come back as another one, which is why each message is followed (E. A. Emerson and
// A. P. Sistla, "Utilizing Symmetry when Model-Checking under Fairness Assumptions", 1997, follow
// processes in this way).
#ifndef REHEARSE_EXPLORE_STATES_LIVELOCK_SEARCH_H
#define REHEARSE_EXPLORE_STATES_LIVELOCK_SEARCH_H

#include "base/vector.h"
#include "explore/states/state_graph.h"

// Ways round that are alike: they deliver the same types of messages to the same behaviours.
struct rh_livelock_group {
    bool fair;
    uint64_t variety;  // hash of what is delivered
    uint64_t count;    // components
    uint32_t distance; // from the start to the nearest component, in edges; RH_NONE: not reached
    uint32_t *nodes;   // owned; of the nearest component, its node nearest to the start first
    uint32_t node_count;
};

struct rh_livelock_groups {
    RH_VECTOR(struct rh_livelock_group) items;
};

// Finds all ways round without progress; those that are not fair only if `wants_unfair`.
void rh_livelock_search(const struct rh_state_graph *graph, bool wants_unfair,
                        struct rh_livelock_groups *groups);
void rh_livelock_groups_fini(struct rh_livelock_groups *groups);

#endif
