// SPDX-License-Identifier: MIT
#ifndef REHEARSE_REPORT_HANDLER_GRAPH_H
#define REHEARSE_REPORT_HANDLER_GRAPH_H

#include "base/text.h"
#include "result/handler_graph.h"

// The graph in Graphviz's language, with a box for each handler. `title` is one line.
void rh_report_handlers_dot(struct rh_text *text, const struct rh_handler_graph *graph,
                            const char *title);

#endif
