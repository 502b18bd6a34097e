// SPDX-License-Identifier: MIT
// A test that reaches a place: which messages from outside, with which values and in which order of
// deliveries, lead from what a test's body sets up to a line of the source.
#ifndef REHEARSE_SYMBOLIC_REACH_H
#define REHEARSE_SYMBOLIC_REACH_H

#include "result/reached.h"
#include "symbolic/generate.h"

// Messages that are found come from a sender of their own, so that the order rule does not put them
// behind those of the test's body.
#define RH_REACH_SENDER "anyone"

enum rh_reach_goal {
    RH_REACH_LINE,        // an instruction of the line is executed
    RH_REACH_CHECK,       // the check on the line fails
    RH_REACH_DEREFERENCE, // the line goes through a null pointer, or out of bounds
};

// What looks for a way.
enum rh_reach_search {
    RH_REACH_EVERY,    // each of the others, for what the one before has not reached
    RH_REACH_FORWARD,  // from the set-up, with values that nobody knows
    RH_REACH_BACKWARD, // from the place, over summaries of handlers
    RH_REACH_RANDOM,   // runs in which messages, fields and orders are drawn
};

enum rh_reach_verdict {
    RH_REACH_NOT_FOUND,
    RH_REACH_REACHED,     // the result's test leads there
    RH_REACH_UNREACHABLE, // nothing does
};

// Why nothing leads there.
enum rh_reach_proof {
    RH_REACH_NO_STATE,  // no state and no message of its handler comes there
    RH_REACH_NO_WAY,    // nothing creates such an actor, or sends what it would have to get
    RH_REACH_NO_PAST,   // nothing brings about what is needed before
    RH_REACH_ALL_TRIED, // all values and all orders were followed to their end
};

struct rh_reach_result;

struct rh_reach_options {
    const char *file; // as the source was named, see rh_is_named
    uint32_t line;
    enum rh_reach_goal goal;
    const char *test;       // the search begins with the body of this test
    bool without_messages;  // what the test's body sends is left out
    bool keeps_order;       // messages of one sender to one receiver come in their order
    uint32_t messages_most; // from outside, besides those of the body
    bool messages_are_said; // never more than that; otherwise the search backward may find more
    uint64_t queries_most, solver_limit;
    enum rh_reach_search search;
    bool no_weights, no_feedback; // of the search backward: see backward.h
    // Makes calls of functions that are not in the sources; NULL: such calls are not followed.
    const struct rh_foreign_caller *caller;
    // Whether the program that runs has code of the line; NULL: it has what the bitcode has.
    bool (*has_code)(void *context, uint32_t line);
    // Whether a run goes the way that the result has.
    bool (*confirm)(void *context, const struct rh_reach_result *result);
    void *context; // of both
};

// A message that the outside sends once the test's body has run.
struct rh_reach_message {
    const char *type;
    uint32_t receiver; // index of an actor of the test
    struct rh_generate_fields fields;
};

struct rh_reach_result {
    struct rh_generate_result found; // at most one test, and what could not be followed
    enum rh_reach_verdict verdict;
    enum rh_reach_proof proof; // of RH_REACH_UNREACHABLE
    enum rh_reach_search found_by;
    // It is unreachable with no more messages from outside than the options have.
    bool is_bounded;
    const char *why;                   // what is missing for RH_REACH_NO_WAY
    struct rh_reached_nearest nearest; // if it was not reached
    const struct rh_reach_message *messages;
    uint32_t message_count;
    bool is_to_end;      // the way is over when nothing can be delivered any more
    uint64_t situations; // that were looked at
    uint64_t refuted;    // ways that a run did not go
};

// Whether there is such a place: code of the line, in bitcode and program alike, that a handler may
// come to. Bad input otherwise, with what is there instead.
struct rh_status rh_reach_check(const struct rh_ir_module *module,
                                const struct rh_reach_options *options);

// Whether nothing leads to the place whatever the test is: no state and no message of a handler
// comes there. The verdict says no more than that.
struct rh_status rh_reach_alone(const struct rh_ir_module *module,
                                const struct rh_reach_options *options,
                                struct rh_reach_result *result);

// Looks for a way to the place.
struct rh_status rh_reach(const struct rh_ir_module *module, const struct rh_reach_options *options,
                          struct rh_reach_result *result);
void rh_reach_result_fini(struct rh_reach_result *result);

// A check that a handler or a judge makes.
struct rh_reach_check_place {
    const char *file; // borrowed from the module
    uint32_t line;
};
struct rh_reach_checks {
    struct rh_reach_check_place *items;
    size_t count, capacity;
};
// The checks of all functions but bodies of tests, in the order of the module.
void rh_reach_checks_find(const struct rh_ir_module *module, struct rh_reach_checks *checks);

// The names of the program's tests, in the order of the source; borrowed from the module.
struct rh_reach_tests {
    const char **items;
    size_t count, capacity;
};
void rh_reach_tests_find(const struct rh_ir_module *module, struct rh_reach_tests *tests);

#endif
