// SPDX-License-Identifier: MIT
// A component of the graph: states that can be reached from each other by deliveries without
// progress; and how to get rid of messages, and to a state, without leaving the component.
#ifndef REHEARSE_EXPLORE_STATES_COMPONENT_H
#define REHEARSE_EXPLORE_STATES_COMPONENT_H

#include "explore/states/state_graph.h"

struct rh_component {
    const struct rh_state_graph *graph;
    const uint32_t *nodes; // borrowed
    uint32_t count;
    uint32_t *places; // borrowed; by node: its index in `nodes`; RH_NONE: outside of the component
    // Edges within the component by the node they lead to, and the node that each comes from, as
    // indexes in `nodes`.
    uint32_t *first_in; // count + 1 entries
    uint32_t *in_edges, *in_from;
    // Messages, by first_message[index of node] + rank.
    uint32_t *first_message; // count + 1 entries
    // Deliveries until the message is delivered or not deliverable any more; RH_NONE: never.
    uint32_t *steps;
    uint32_t *via; // edge with which a message is got rid of in the fewest steps
};

// `places` has an entry for each node of the graph, RH_NONE in all of them; fini restores these
// entries.
void rh_component_init(struct rh_component *component, const struct rh_state_graph *graph,
                       const uint32_t *nodes, uint32_t count, uint32_t *places);
void rh_component_fini(struct rh_component *component);

// Whether an edge of one of the component's nodes stays in the component.
bool rh_component_has(const struct rh_component *component, const struct rh_graph_edge *edge);

// Where the message of this rank is got rid of: how many deliveries away, and the first of them.
uint32_t rh_component_steps(const struct rh_component *component, uint32_t node, uint32_t rank);
uint32_t rh_component_via(const struct rh_component *component, uint32_t node, uint32_t rank);

// For each node by its index: the edge with which a shortest route to `node` begins; for `node`
// itself, a shortest route round. Owned by the caller.
uint32_t *rh_component_routes(const struct rh_component *component, uint32_t node);

#endif
