// SPDX-License-Identifier: MIT
// How a worker writes down the graph of states: what it knows about the states on its present path.
#ifndef REHEARSE_EXPLORE_STATES_GRAPH_RECORD_H
#define REHEARSE_EXPLORE_STATES_GRAPH_RECORD_H

#include "explore/states/ranks.h"
#include "explore/states/state_graph.h"
#include "explore/strategy/strategy.h"

// A state on the path.
struct rh_graph_level {
    bool valid;
    uint32_t node;
    struct rh_ranks ranks;
};

struct rh_graph_record {
    RH_VECTOR(struct rh_graph_level) levels; // by number of deliveries before the state
    uint32_t delivered;                      // number of the newest message
    RH_VECTOR(uint16_t) scratch;
};

// A message was delivered; it led to the state after world->number deliveries.
void rh_graph_record_delivery(struct rh_graph_record *record, const struct rh_world *world,
                              uint32_t message);

// The world is in a state in which `count` messages are in world->deliverable: writes down the
// state, and the delivery that led to it with the outcomes of its choices, unless both are in the
// graph already.
void rh_graph_record_state(struct rh_graph_record *record, struct rh_state_graph *graph,
                           const struct rh_states *states, struct rh_world *world, uint32_t count,
                           const struct rh_decision *choices, uint32_t choice_count);

#endif
