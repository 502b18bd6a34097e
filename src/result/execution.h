// SPDX-License-Identifier: MIT
// One execution as data: what happened, in order, and who is who in it. Reports, schedules and
// shrinking read it.
#ifndef REHEARSE_RESULT_EXECUTION_H
#define REHEARSE_RESULT_EXECUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/vector.h"
#include "result/event.h"

// An actor that was created in the execution.
struct rh_execution_actor {
    uint64_t address;
    uint32_t created; // event of its creation
};

// A message that was sent in the execution. One that comes by itself, as recorded ones do, is none.
struct rh_execution_message {
    uint64_t identity;
    uint32_t sent;    // event of its sending
    uint32_t sent_in; // number of the delivery that sent it; 0: the test's body
    uint32_t taken;   // event in which it was delivered or lost; RH_NONE: it was still pending
};

// Begins as zeros. Events are in the order in which they happened, actors and messages in the order
// in which they were created and sent; identities and addresses are found in constant time.
struct rh_execution {
    RH_VECTOR(struct rh_event) events;
    RH_VECTOR(struct rh_execution_actor) actors;
    RH_VECTOR(struct rh_execution_message) messages;
    uint32_t deliveries; // number of the last delivery, crashes included
    struct rh_index actors_by_address;
    struct rh_index messages_by_identity;
};

void rh_execution_fini(struct rh_execution *execution);

// Adds the next event, and takes what that owns.
void rh_execution_add(struct rh_execution *execution, const struct rh_event *event);

// The message with this identity; NULL if none was sent.
const struct rh_execution_message *rh_execution_message(const struct rh_execution *execution,
                                                        uint64_t identity);
// The event that sent the message with this identity; NULL if there is none.
const struct rh_event *rh_execution_sending(const struct rh_execution *execution,
                                            uint64_t identity);
// The event that created the actor at this address; NULL if there is none.
const struct rh_event *rh_execution_creation(const struct rh_execution *execution,
                                             uint64_t address);
// The name of the actor at this address; NULL if there is none.
const char *rh_execution_name(const struct rh_execution *execution, uint64_t address);

// Whether two executions made the same deliveries and choices.
bool rh_execution_has_same_path(const struct rh_execution *one, const struct rh_execution *other);

#endif
