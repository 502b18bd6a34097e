// SPDX-License-Identifier: MIT
// A test that reaches a place: which messages from outside, with which values and in which order of
// deliveries, lead from what a test's body sets up to a line of the source.
//
// The search goes forward from the set-up. What may happen next is a delivery of what is pending,
// or a message from outside with unknown fields to an actor that the outside may write to; which of
// the situations is tried next is decided by how far its messages are from the place in what
// handlers send and in the fields that they write.
#ifndef REHEARSE_SYMBOLIC_REACH_H
#define REHEARSE_SYMBOLIC_REACH_H

#include "symbolic/generate.h"

enum rh_reach_goal {
    RH_REACH_LINE,        // an instruction of the line is executed
    RH_REACH_CHECK,       // the check on the line fails
    RH_REACH_DEREFERENCE, // the line goes through a null pointer, or out of bounds
};

enum rh_reach_verdict {
    RH_REACH_NOT_FOUND,
    RH_REACH_REACHED,     // the result's test leads there
    RH_REACH_UNREACHABLE, // nothing that the outside sends leads there
};

struct rh_reach_options {
    const char *file; // as the source was named, or the end of that path
    uint32_t line;
    enum rh_reach_goal goal;
    const char *test;         // NULL: each test in turn
    bool without_messages;    // what the test's body sends is left out
    bool keeps_order;         // messages of one sender to one receiver come in their order
    uint32_t messages_most;   // from outside, besides those of the body
    uint64_t situations_most; // situations that are looked at
};

// A message that the outside sends once the test's body has run.
struct rh_reach_message {
    const char *type;
    uint32_t receiver; // index of an actor of the test
    uint64_t identity;
    struct rh_generate_fields fields;
};

struct rh_reach_result {
    struct rh_generate_result found; // at most one test, and what could not be followed
    enum rh_reach_verdict verdict;
    const char *test; // the program's test whose set-up it begins with
    const struct rh_reach_message *messages;
    uint32_t message_count;
    const char *reason;  // why the place is unreachable; or what has ended the search
    uint64_t situations; // that were looked at
};

struct rh_status rh_reach(const struct rh_ir_module *module, const struct rh_reach_options *options,
                          struct rh_reach_result *result);
void rh_reach_result_fini(struct rh_reach_result *result);

#endif
