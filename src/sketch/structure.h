// SPDX-License-Identifier: MIT
// From a handler's graph to a term over its nodes: what its paths do, with choices where a branch
// has ways, up to the node at which all of them meet again, and loops.
#ifndef REHEARSE_SKETCH_STRUCTURE_H
#define REHEARSE_SKETCH_STRUCTURE_H

#include "sketch/graph.h"
#include "sketch/term.h"

struct rh__sketch_structure {
    struct rh__terms *terms; // borrowed
    const struct rh__sketch_graph *graph;
    const bool *ends;   // by node: paths end here; NULL: only at the exit
    const bool *silent; // by node: nothing that counts happens here
    bool is_tangled;    // some jumps were too wild: all events there, in any order
};

// The paths from a node on, up to the exit or to what ends paths. Leaves are numbers of nodes.
uint32_t rh__sketch_structure_term(struct rh__sketch_structure *structure, uint32_t node);

#endif
