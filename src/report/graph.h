// SPDX-License-Identifier: MIT
// A message flow graph for people, for Graphviz and for machines.
#ifndef REHEARSE_REPORT_GRAPH_H
#define REHEARSE_REPORT_GRAPH_H

#include "base/text.h"
#include "result/flow_graph.h"

void rh_report_graph_text(struct rh_text *text, const struct rh_flow_graph *graph,
                          const char *program);
void rh_report_graph_dot(struct rh_text *text, const struct rh_flow_graph *graph,
                         const char *program);
void rh_report_graph_json(struct rh_text *text, const struct rh_flow_graph *graph,
                          const char *program);

// Adds "{amount = 50, from = teller|client}"; nothing if there are no fields.
void rh_report_graph_fields(struct rh_text *text, const struct rh_flow_label *label);

#endif
