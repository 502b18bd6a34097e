// SPDX-License-Identifier: MIT
// The states that a search has seen and the deliveries between them, for livelocks: ways round can
// be judged only when all states are known. The graph lies in shared memory that is reserved at its
// largest, so that it survives the workers that fill it. A state takes 40 to 48 bytes, a delivery
// 24 and 2 more for each message that could be delivered before it.
//
// Messages have other numbers, and other identities, each time that a state is reached. In a state
// they are told by their rank: the place among the messages deliverable there, in an order that
// depends on nothing but the state (ranks.h).
#ifndef REHEARSE_EXPLORE_STATES_STATE_GRAPH_H
#define REHEARSE_EXPLORE_STATES_STATE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/table.h"

// The rank of a message that was delivered, or is not deliverable any more.
#define RH_GRAPH_GONE UINT16_MAX

// The first node stands for the world before the test's body has run. Its edges lead to the states
// in which the body ends, by the outcomes of choices in the body.
#define RH_GRAPH_START 0

struct rh_graph_node {
    rh_hash128 fingerprint;
    uint32_t first_edge;  // RH_NONE: none
    uint16_t deliverable; // how many messages are deliverable
};

// One delivery, with the outcomes of its choices.
struct rh_graph_edge {
    uint32_t to;   // node
    uint32_t next; // edge of the same node; RH_NONE: none
    // Index in the graph's data: first the outcomes, then for each message of the node its rank in
    // `to`.
    uint32_t data;
    uint32_t kind; // hash of the receiver's behaviour and the message's type
    uint16_t rank; // of the delivered message; RH_GRAPH_GONE: the edge is the test's body
    uint16_t choice_count;
    bool progress; // the delivery has called rh_progress
};

struct rh_state_graph {
    bool on;   // the search writes the graph
    bool full; // there was no room for more: a part of the graph is missing
    struct rh_graph_node *nodes;
    struct rh_graph_edge *edges;
    uint16_t *data;
    struct rh_store store;
    struct rh_table table; // in the store: nodes by fingerprint
    uint32_t node_count, edge_count, data_count;
};

// Reserves the memory. false if there is none.
bool rh_graph_open(struct rh_state_graph *graph);
void rh_graph_fini(struct rh_state_graph *graph);
// Forgets all nodes but the first, and all edges.
void rh_graph_clear(struct rh_state_graph *graph);

// The node of a fingerprint; RH_NONE if there is none.
uint32_t rh_graph_find(const struct rh_state_graph *graph, rh_hash128 fingerprint);
// Finds or adds a node. RH_NONE if there is no room.
uint32_t rh_graph_add_node(struct rh_state_graph *graph, rh_hash128 fingerprint,
                           uint32_t deliverable);

struct rh_graph_delivery {
    uint32_t from, to;
    uint32_t kind;
    uint16_t rank;
    bool progress;
    const uint16_t *choices;
    uint32_t choice_count;
    const uint16_t *ranks; // for each message deliverable in `from`, its rank in `to`
};
// Adds an edge unless it is there.
void rh_graph_add_edge(struct rh_state_graph *graph, const struct rh_graph_delivery *delivery);

static inline const uint16_t *rh_graph_choices(const struct rh_state_graph *graph,
                                               const struct rh_graph_edge *edge)
{
    return graph->data + edge->data;
}

static inline const uint16_t *rh_graph_ranks(const struct rh_state_graph *graph,
                                             const struct rh_graph_edge *edge)
{
    return graph->data + edge->data + edge->choice_count;
}

#endif
