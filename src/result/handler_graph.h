// SPDX-License-Identifier: MIT
// What handlers do with messages, as one graph of a whole test: a handler's nodes are where it
// begins and ends, where it sends, asks, answers or creates, and branches that decide about these;
// besides control flow there is an edge from each send to each handler that it leads to.
#ifndef REHEARSE_RESULT_HANDLER_GRAPH_H
#define REHEARSE_RESULT_HANDLER_GRAPH_H

#include <stdint.h>

#include "base/arena.h"
#include "base/vector.h"

enum rh_handler_place { RH_HANDLER_ENTRY, RH_HANDLER_EXIT, RH_HANDLER_EVENT, RH_HANDLER_BRANCH };

struct rh_handler_node {
    enum rh_handler_place place;
    int line;          // 0: not known
    const char *words; // of an event: "send work"; otherwise ""
};

// Of nodes, by number.
struct rh_handler_edge {
    uint32_t from, to;
    const char *type; // of the message that goes along it; NULL: control flow
};

struct rh_handler {
    const char *class;     // of the actors that have it; "outside": the test's body
    const char *type;      // of the messages that it handles; "" for the body
    uint32_t first, count; // nodes
};

// Texts live in the arena. Begins as zeros.
struct rh_handler_graph {
    struct rh_arena arena;
    RH_VECTOR(struct rh_handler) handlers;
    RH_VECTOR(struct rh_handler_node) nodes;
    RH_VECTOR(struct rh_handler_edge) edges;
};

void rh_handler_graph_fini(struct rh_handler_graph *graph);

// A place in the source, or none (`file` is NULL), and what is not known there.
struct rh_unknown_place {
    const char *file;
    int line;
    const char *words;
};

#endif
