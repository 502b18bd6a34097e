// SPDX-License-Identifier: MIT
// Who talks to whom: the message flow graph of a program of actors, by an analysis of the whole
// program.
//
// The graph is sound: whatever an execution of a test does, as long as it computes addresses as C
// allows, is in it; what is in the graph need not happen. The analysis is the paper's (TAP,
// sections 3.3.1 to 3.3.3): one abstract actor for each behaviour, an inclusion-based points-to
// analysis of the code that it runs, and a meaning for each operation of actor.h.
#ifndef REHEARSE_FLOW_FLOW_H
#define REHEARSE_FLOW_FLOW_H

#include <stdbool.h>

#include "base/status.h"
#include "bitcode/module.h"
#include "result/flow_graph.h"

struct rh_flow_options {
    const char *test;     // borrowed; NULL: all tests
    bool is_baseline;     // without the optimizations of section 3.3.3, and without guards
    bool ignores_numbers; // branches are followed whatever numbers their conditions may be
    bool ignores_origins; // messages are told apart by type, not by the place that sends them
};

// Builds the graph. Errors are RH_BAD_INPUT: there is no test, or none of the name in the options.
// Call rh_flow_graph_fini in any case.
struct rh_status rh_flow_build(const struct rh_ir_module *module,
                               const struct rh_flow_options *options, struct rh_flow_graph *graph);

#endif
