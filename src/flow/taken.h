// SPDX-License-Identifier: MIT
// Static and dynamic in one picture: which parts of a message flow graph executions have taken.
#ifndef REHEARSE_FLOW_TAKEN_H
#define REHEARSE_FLOW_TAKEN_H

#include "result/flow_graph.h"
#include "result/traffic.h"

// Marks what is in any of the `count` pieces of traffic, all of this program, in a graph that is finished.
void rh_flow_mark_taken(struct rh_flow_graph *graph, const struct rh_traffic *const *traffic,
                        size_t count);

#endif
