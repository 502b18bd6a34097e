// SPDX-License-Identifier: MIT
// What one handler does with one kind of message, as a graph: the control flow of the handler and
// of all functions that it calls, of which only what is sent, asked, answered and created is left,
// and branches that decide about these (the paper's reduced control-flow graphs).
#ifndef REHEARSE_SKETCH_GRAPH_H
#define REHEARSE_SKETCH_GRAPH_H

#include "flow/internal.h"

struct rh__sketch_node {
    uint32_t operation; // of the flow's; RH_NONE: a branch, or where paths meet
    struct rh_ir_place place;
    RH_VECTOR(uint32_t) next;
};

struct rh__sketch_graph {
    uint32_t actor; // of the flow's: the part of a behaviour that handles these messages
    RH_VECTOR(struct rh__sketch_node) nodes;
    uint32_t entry, exit;
    bool is_shared;  // functions have one copy for several calls of them: the code is too long
    bool has_strays; // some code runs that no call leads to: functions that a library calls back
};

// What is known about all instances of functions.
struct rh__sketch_calls {
    struct rh__flow *flow;
    struct rh_index operations; // by instance and instruction
    struct rh_index addresses;  // the flow's `calls`, by instance and instruction
    bool *matters;              // by instance: it sends or creates, or calls what does
};
void rh__sketch_calls_init(struct rh__sketch_calls *calls, struct rh__flow *flow);
void rh__sketch_calls_fini(struct rh__sketch_calls *calls);

// The graph of an actor's handler; for actor 0, of the test's body. It is reduced.
void rh__sketch_graph_init(struct rh__sketch_graph *graph, const struct rh__sketch_calls *calls,
                           uint32_t actor, uint32_t function);
void rh__sketch_graph_fini(struct rh__sketch_graph *graph);

// reduce.c
void rh__sketch_graph_reduce(struct rh__sketch_graph *graph);
// Whether a node can be come to again from itself.
bool rh__sketch_graph_repeats(const struct rh__sketch_graph *graph, uint32_t node);

#endif
