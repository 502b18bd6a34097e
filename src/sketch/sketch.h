// SPDX-License-Identifier: MIT
// The abstract diagram of a test, from the source alone: what its actors may send each other, and
// what causes what. Every execution keeps to it; it may allow more, and says where and why.
//
// It is built as ASpec does it (section 4.3): from the points-to analysis of the whole program, a
// graph of each handler for each kind of message, of which only sends, creations and what decides
// about these is left; edges from each send to the handlers of what is sent; and a walk through
// all of that which writes down what follows from each message.
#ifndef REHEARSE_SKETCH_SKETCH_H
#define REHEARSE_SKETCH_SKETCH_H

#include "bitcode/module.h"
#include "diagram/diagram.h"
#include "result/handler_graph.h"

struct rh_sketch {
    struct rh_arena arena; // of the diagram and of the words
    struct rh_diagram diagram;
    // Where and why the sketch allows more than the program does, or might miss something.
    RH_VECTOR(struct rh_unknown_place) reasons;
    struct rh_handler_graph graph;
};

struct rh_sketches {
    RH_VECTOR(struct rh_sketch *) items; // owned
};

// Makes the sketches of a program's tests, or of one of them. Errors are RH_BAD_INPUT.
struct rh_status rh_sketch_build(const struct rh_ir_module *module, const char *test,
                                 struct rh_sketches *sketches);
void rh_sketches_fini(struct rh_sketches *sketches);

#endif
