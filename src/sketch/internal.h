// SPDX-License-Identifier: MIT
// Between the files that make a sketch. A variable stands for a message and all that follows from
// it: for each pair of classes, type and kind, and for each set of entries that the message leads
// to. An entry is the handler of one class for messages of one origin, or what a handler does
// behind one rh_ask. Each has a term, whose leaves are variables: so the whole is a system of
// equations, and one solution is the diagram (solve.c).
#ifndef REHEARSE_SKETCH_INTERNAL_H
#define REHEARSE_SKETCH_INTERNAL_H

#include "sketch/graph.h"
#include "sketch/sketch.h"
#include "sketch/term.h"

struct rh__sketch_numbers {
    uint32_t *items;
    size_t count, capacity;
};

struct rh__sketch_entry {
    uint32_t actor;     // of the flow's, whose graph it is
    uint32_t operation; // it begins behind this rh_ask; RH_NONE: with the message
    uint32_t class;     // that runs it
    uint32_t term;      // over variables; RH_NONE: not made yet
};

struct rh__sketch_variable {
    uint32_t from, to; // classes
    const char *type;
    enum rh_journal_kind kind;
    bool is_lost; // nobody can receive it
    struct rh__sketch_numbers entries;
    uint32_t body; // term: what the receiver does
};

struct rh__sketch_class {
    const char *name;
    uint32_t created; // places that create its actors: none, one that runs once, or more
    struct rh_ir_place place;
};

struct rh__sketch_builder {
    struct rh__flow *flow;
    struct rh__sketch_calls calls;
    struct rh__terms terms;
    struct rh_sketch *sketch;
    RH_VECTOR(struct rh__sketch_class) classes; // 0 is the outside
    struct rh__sketch_graph **graphs;           // owned; by the flow's actor; NULL: it never runs
    RH_VECTOR(struct rh__sketch_entry) entries;
    RH_VECTOR(struct rh__sketch_variable) variables;
    uint32_t body;   // term of the test's body
    bool is_tangled; // some jumps were too wild
    struct rh_status status;
};

// classes.c
void rh__sketch_classes_find(struct rh__sketch_builder *builder);
// The classes of actors with this address, one for each name that they are created by.
void rh__sketch_classes_of_address(struct rh__sketch_builder *builder, uint32_t address,
                                   struct rh__sketch_numbers *classes);
// Those of whoever runs this part of a behaviour.
void rh__sketch_classes_of_actor(struct rh__sketch_builder *builder, uint32_t actor,
                                 struct rh__sketch_numbers *classes);
// Those of senders that an operation may name.
void rh__sketch_classes_of_outsiders(struct rh__sketch_builder *builder,
                                     struct rh__sketch_numbers *classes);
// Whether there is one actor of the class at most.
bool rh__sketch_class_is_single(const struct rh__sketch_builder *builder, uint32_t class);
void rh__sketch_numbers_add(struct rh__sketch_numbers *numbers, uint32_t number);

// messages.c
// The variables that an operation of an entry may send, as a choice.
uint32_t rh__sketch_messages(struct rh__sketch_builder *builder, uint32_t operation,
                             uint32_t class);
uint32_t rh__sketch_variable_get(struct rh__sketch_builder *builder,
                                 struct rh__sketch_variable *variable);

// construct.c
// Makes the equations: all variables that the test's body leads to.
void rh__sketch_construct(struct rh__sketch_builder *builder);

// minimise.c
// Variables that say the same become one.
void rh__sketch_minimise(struct rh__sketch_builder *builder);
// Whether two variables are the same message, whatever follows.
bool rh__sketch_is_same_message(const struct rh__sketch_variable *one,
                                const struct rh__sketch_variable *other);

// solve.c
// Makes the diagram of the equations.
void rh__sketch_solve(struct rh__sketch_builder *builder);

// describe.c
// Makes the graph of all handlers, as data.
void rh__sketch_describe(struct rh__sketch_builder *builder);

// reasons.c
void rh__sketch_reasons_find(struct rh__sketch_builder *builder);

#endif
