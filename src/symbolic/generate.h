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
#include "result/foreign.h"
#include "result/generated.h"

// Which behaviours the addresses have that the program's tests keep in states and messages.
struct rh_generate_kept;

struct rh_generate_options {
    const char *behaviour; // as in the source: "cart" or "cart_behaviour"
    const char *message;
    const char *test; // begin with the body of this test instead; NULL: with behaviour and message
    uint64_t loop, deliveries_each, actors_each;
    bool wraps;           // signed integers wrap; otherwise a path that needs it is left out
    bool no_stability;    // every actor's messages are tried at each point
    bool no_independence; // all messages to an actor depend on each other
    bool no_aliases;      // an unknown actor is none of those that there are
    bool block_aliases;   // an unknown pointer may lead to a block that there is, too
    // An unknown actor has one of these behaviours; NULL: any that takes what is sent to it.
    const struct rh_generate_kept *kept;
    bool any_messages;        // the fields of what the test's body sends are unknown, too
    bool is_closed;           // all actors are there: an unknown one is one of them, or null
    bool keeps_order;         // messages of one sender to one receiver come in their order
    const char *const *given; // "FIELD=VALUE" of the actor, "MESSAGE.FIELD=VALUE"
    size_t given_count;
    // Makes calls of functions that are not in the sources; NULL: such calls are not followed.
    const struct rh_foreign_caller *caller;
    uint32_t call_values;  // so many values of arguments that nobody knows are tried; 0: one
    uint64_t tests_most;   // 0: no limit
    uint64_t queries_most; // 0: no limit
    const char *queries;   // directory for what the solver is asked; NULL: none
    uint64_t solver_limit; // of one question, in the solver's units; 0: the default
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

// Gives `*kept`; free it with rh_generate_kept_free.
struct rh_status rh_generate_kept_find(const struct rh_ir_module *module,
                                       struct rh_generate_kept **kept);
void rh_generate_kept_free(struct rh_generate_kept *kept);

struct rh_status rh_generate_tests(const struct rh_ir_module *module,
                                   const struct rh_generate_options *options,
                                   struct rh_generate_result *result);
void rh_generate_result_fini(struct rh_generate_result *result);

#endif
