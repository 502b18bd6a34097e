// SPDX-License-Identifier: MIT
// Tests for inputs that nobody wrote down: an actor with unknown fields gets a message with unknown
// fields, and every path through the handlers and every order of what they send is followed until
// nothing is pending or a limit cuts it. Each that comes to its end is a test.
//
// The method is that of aPET (Albert, Gomez-Zamalloa, Rojas, Puebla): symbolic execution of actors
// with temporarily stable actors and sleeping tasks as reductions, and three limits that make it
// finite.
#ifndef REHEARSE_SYMBOLIC_GENERATE_H
#define REHEARSE_SYMBOLIC_GENERATE_H

#include "bitcode/module.h"

enum rh_generate_cut {
    RH_CUT_LOOP,     // a loop or a recursion went round more often than the limit says
    RH_CUT_DELIVERY, // an actor would have got more messages
    RH_CUT_ACTOR,    // a place would have created more actors
    RH_CUT_COUNT,
};

struct rh_generate_options {
    const char *behaviour; // as in the source: "cart" or "cart_behaviour"
    const char *message;
    uint64_t loop, deliveries_each, actors_each;
    bool wraps;               // signed integers wrap; otherwise a path that needs it is left out
    bool no_stability;        // every actor's messages are tried at each point
    bool no_independence;     // all messages to an actor depend on each other
    bool no_aliases;          // an unknown actor is none of those that there are
    bool is_closed;           // all actors are there: an unknown one is one of them, or null
    bool keeps_order;         // messages of one sender to one receiver come in their order
    const char *const *given; // "FIELD=VALUE" of the actor, "MESSAGE.FIELD=VALUE"
    size_t given_count;
    uint64_t tests_most;   // 0: no limit
    uint64_t queries_most; // 0: no limit
};

// A field of a struct and its value, in C's words.
struct rh_generate_field {
    const char *path;  // "items[2].weight"
    const char *value; // "-1"; NULL: the field is an address that C has no word for
    uint32_t actor;    // the actor that the field is the address of; RH_NONE: it is none
};

struct rh_generate_fields {
    const struct rh_generate_field *items;
    uint32_t count;
};

// An actor of a test.
struct rh_generate_actor {
    const char *name;                  // "fact#1.2", as the world names it
    const char *behaviour;             // that it was created with: "fact_behaviour"
    const char *record;                // "fact"; NULL: it has no state, or its type is not known
    bool is_initial;                   // otherwise it was created on the way
    bool is_stopped;                   // at the end
    struct rh_generate_fields initial; // of an initial one
    struct rh_generate_fields final;
};

// A step of a test: a delivery, or an outcome of rh_choose in the delivery before it.
struct rh_generate_step {
    const char *type;          // of the message; NULL: an outcome
    uint32_t receiver, sender; // actors; RH_NONE: outside
    uint64_t identity;         // of the message, as the world has it
    uint32_t outcome, outcomes;
};

struct rh_generate_test {
    const char *condition; // of its class: "n > mx && ..."
    struct rh_generate_fields message;
    const struct rh_generate_actor *actors; // in the order of their creation
    uint32_t actor_count;
    const struct rh_generate_step *steps;
    uint32_t step_count;
    const char *broken;       // what goes wrong at the end; NULL: nothing
    bool is_undefined;        // what goes wrong has no meaning in C, so running it need not show it
    struct rh_ir_place place; // where
};

// What could not be followed, and how often.
struct rh_generate_note {
    const char *text;
    struct rh_ir_place place;
    uint64_t count;
};

struct rh_generate_result {
    struct rh_arena arena; // what the tests point to
    RH_VECTOR(struct rh_generate_test) tests;
    RH_VECTOR(struct rh_generate_note) notes;
    const char *behaviour, *message; // as the source has them
    uint64_t states, stable;         // states seen; of these, with a stable actor
    uint64_t cuts[RH_CUT_COUNT];
    uint64_t queries, queries_unknown;
};

// A behaviour with a message that it takes.
struct rh_generate_pair {
    const char *behaviour, *message;
};

struct rh_generate_pairs {
    struct rh_arena arena; // what the pairs point to
    RH_VECTOR(struct rh_generate_pair) items;
};

// The pairs of a program: those of one behaviour, or of one message, where they are not NULL.
struct rh_status rh_generate_pairs_find(const struct rh_ir_module *module, const char *behaviour,
                                        const char *message, struct rh_generate_pairs *pairs);
void rh_generate_pairs_fini(struct rh_generate_pairs *pairs);

struct rh_status rh_generate_tests(const struct rh_ir_module *module,
                                   const struct rh_generate_options *options,
                                   struct rh_generate_result *result);
void rh_generate_result_fini(struct rh_generate_result *result);

#endif
