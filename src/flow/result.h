// SPDX-License-Identifier: MIT
// From points-to sets to a graph: what the analysis of one test has found is added to what those of
// other tests have.
#ifndef REHEARSE_FLOW_RESULT_H
#define REHEARSE_FLOW_RESULT_H

#include "flow/internal.h"

// A behaviour looks for messages of a type.
struct rh__flow_taken {
    size_t node;
    const char *type; // NULL: any type
};

struct rh__flow_result {
    const struct rh_ir_module *module;
    struct rh_flow_graph *graph;
    RH_VECTOR(struct rh__flow_taken) taken;
};

void rh__flow_result_add(struct rh__flow_result *result, struct rh__flow *flow);
// Sorts the graph, and finds the messages that nobody looks for.
void rh__flow_result_finish(struct rh__flow_result *result);

// values.c: what fields may hold of the message or state that an operation sends or creates. Asking
// adds nodes, which are solved before answering.
struct rh__flow_question {
    uint32_t operation;
    uint32_t message;                  // RH_NONE: the operation is no send
    const struct rh_ir_record *record; // type of the message or state; NULL: not known
    uint32_t first_node;               // first of the nodes, one for each field
};
void rh__flow_question_ask(struct rh__flow *flow, struct rh__flow_question *question);
void rh__flow_question_answer(const struct rh__flow *flow, const struct rh__flow_question *question,
                              struct rh_flow_label *label);
// The name of the state's type that an rh_spawn names: "account" for struct account. NULL if it is
// not known.
const char *rh__flow_state_type(const struct rh__flow *flow, uint32_t operation);
// The name of a behaviour as people see it.
void rh__flow_behaviour_name(const struct rh_ir_module *module, uint32_t function,
                             struct rh_text *text);

#endif
