// SPDX-License-Identifier: MIT
// Marks in a message flow graph, which the code gives, what executions have taken.
#ifndef REHEARSE_FLOW_TAKEN_H
#define REHEARSE_FLOW_TAKEN_H

#include "result/flow_graph.h"
#include "result/traffic.h"

// Marks what any of the `count` pieces of traffic has. The graph is finished, and the traffic is of
// its program.
void rh_flow_mark_taken(struct rh_flow_graph *graph, const struct rh_traffic *const *traffic,
                        size_t count);

#endif
