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

// Why a sketch allows more than the program does, or might allow less.
struct rh_sketch_reason {
    const char *file; // NULL: no place
    int line;
    const char *words;
};

struct rh_sketch_edge {
    uint32_t from, to; // nodes
    const char *type;  // of the message that goes along it; NULL: control flow
};

// The inter-actor control-flow graph: a node is where a handler begins or ends, where something is
// sent or created, or where it branches.
enum rh_sketch_place { RH_SKETCH_ENTRY, RH_SKETCH_EXIT, RH_SKETCH_EVENT, RH_SKETCH_BRANCH };
struct rh_sketch_node {
    enum rh_sketch_place place;
    uint32_t handler;
    int line;          // 0: not known
    const char *words; // of an event: "send work"
};

struct rh_sketch_handler {
    const char *class, *type; // of the test's body: "outside" and ""
    uint32_t first, count;    // nodes
};

struct rh_sketch {
    struct rh_arena arena;
    struct rh_diagram diagram;
    RH_VECTOR(struct rh_sketch_reason) reasons;
    RH_VECTOR(struct rh_sketch_handler) handlers;
    RH_VECTOR(struct rh_sketch_node) nodes;
    RH_VECTOR(struct rh_sketch_edge) edges;
    size_t created; // places that create actors
};

struct rh_sketches {
    RH_VECTOR(struct rh_sketch *) items; // owned
};

// Makes the sketches of a program's tests, or of one of them. Errors are RH_BAD_INPUT.
struct rh_status rh_sketch_build(const struct rh_ir_module *module, const char *test,
                                 struct rh_sketches *sketches);
void rh_sketches_fini(struct rh_sketches *sketches);

#endif
