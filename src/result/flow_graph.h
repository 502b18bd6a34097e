// SPDX-License-Identifier: MIT
// A message flow graph as data: which behaviours create which, which send what to which, and with
// which values.
#ifndef REHEARSE_RESULT_FLOW_GRAPH_H
#define REHEARSE_RESULT_FLOW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

struct rh_flow_node {
    char *name;     // owned; "account" for account_behaviour, "outside"
    char *function; // owned; NULL for the outside
    char *file;     // owned; NULL if unknown
    int line;
    bool is_receptionist; // the outside may write to actors of this behaviour
    bool has_run;         // an execution has run the handler; meaningful with has_coverage
};

// What a field may hold.
struct rh_flow_field {
    char *name;               // owned
    RH_VECTOR(char *) values; // owned: numbers, names of nodes and functions; sorted
};

#define RH_FLOW_OPERATIONS(X)                                                                      \
    X(SPAWN, "spawn")                                                                              \
    X(BECOME, "become")                                                                            \
    X(SEND, "send")                                                                                \
    X(ASK, "ask")                                                                                  \
    X(REPLY, "reply")                                                                              \
    X(TIMER, "timer")                                                                              \
    X(MAY_COME, "may come")

enum rh_flow_operation {
#define X(name, text) RH_FLOW_##name,
    RH_FLOW_OPERATIONS(X)
#undef X
};

// One place in the source from which something goes along an edge.
struct rh_flow_label {
    enum rh_flow_operation operation;
    char *type; // owned; type of the message or of the state; "" if unknown
    char *file; // owned
    int line;
    // Last line of an operation over several lines, which some compilers call its line.
    int last_line;
    RH_VECTOR(struct rh_flow_field) fields;
    bool is_taken; // an execution has come through here; meaningful with has_coverage
};

enum rh_flow_edge_kind { RH_FLOW_CREATES, RH_FLOW_BECOMES, RH_FLOW_SENDS };

struct rh_flow_edge {
    size_t from, to; // nodes
    enum rh_flow_edge_kind kind;
    RH_VECTOR(struct rh_flow_label) labels;
};

// Where a label is.
struct rh_flow_place {
    size_t edge, label;
};

// Two messages that come in at a node and that were both taken, and how one actor has received
// them. Neither is a reply that the actor waits for.
struct rh_flow_pair {
    struct rh_flow_place first, second;
    // An actor has received the first before the second, and the other way round.
    bool is_forth, is_back;
};

struct rh_flow_graph {
    RH_VECTOR(struct rh_flow_node) nodes;      // the first is the outside
    RH_VECTOR(struct rh_flow_edge) edges;      // by sender, kind and receiver
    RH_VECTOR(struct rh_flow_place) unhandled; // messages that their receiver has no rh_as for
    RH_VECTOR(char *) unknown; // owned: functions that were called and whose code was not there
    // Owned: in words, operations left out because nobody knows whom they name.
    RH_VECTOR(char *) unresolved;
    RH_VECTOR(char *) tests; // owned: tests that were looked at
    // What executions have shown, if anything is known about executions.
    bool has_coverage;
    uint64_t executions;
    RH_VECTOR(struct rh_flow_pair) pairs; // by receiver and place in the edges
    RH_VECTOR(char *) strange;            // owned: in words, what was seen and is not in the graph
};

const char *rh_flow_operation_name(enum rh_flow_operation operation);

// Each function gives the item that is there already, or adds one.
size_t rh_flow_node(struct rh_flow_graph *graph, const char *name);
struct rh_flow_edge *rh_flow_edge(struct rh_flow_graph *graph, size_t from, size_t to,
                                  enum rh_flow_edge_kind kind);
struct rh_flow_label *rh_flow_label(struct rh_flow_edge *edge, enum rh_flow_operation operation,
                                    const char *type, const char *file, int line);
void rh_flow_add_value(struct rh_flow_label *label, const char *field, const char *value);
void rh_flow_add_unknown(struct rh_flow_graph *graph, const char *function);
void rh_flow_add_unresolved(struct rh_flow_graph *graph, const char *words);

// Brings everything into an order that depends on nothing but the graph's contents. Indexes of
// edges and labels change.
void rh_flow_graph_sort(struct rh_flow_graph *graph);
size_t rh_flow_graph_label_count(const struct rh_flow_graph *graph);
size_t rh_flow_graph_taken_count(const struct rh_flow_graph *graph); // labels
static inline const struct rh_flow_label *rh_flow_label_at(const struct rh_flow_graph *graph,
                                                           struct rh_flow_place place)
{
    return &graph->edges.items[place.edge].labels.items[place.label];
}
// Whether no execution has run the node's handler; false where nothing is known about executions.
static inline bool rh_flow_node_never_ran(const struct rh_flow_graph *graph, size_t node)
{
    return graph->has_coverage && graph->nodes.items[node].function &&
           !graph->nodes.items[node].has_run;
}
// Pairs that come in at a node, by how they were received.
struct rh_flow_pair_count {
    size_t both, one, never;
};
struct rh_flow_pair_count rh_flow_graph_count_pairs(const struct rh_flow_graph *graph, size_t node);
void rh_flow_graph_fini(struct rh_flow_graph *graph);

#endif
