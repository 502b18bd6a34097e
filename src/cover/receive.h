// SPDX-License-Identifier: MIT
// The receives of one execution, in the order of the execution, with what decides whether they
// could have come in another order.
//
// A receive is a delivery, so its place in the execution is the delivery's number less one. A
// message that came when its receiver had stopped counts as received after all other messages of
// that actor: the receives of such messages are the last of the execution, and nothing follows from
// them.
#ifndef REHEARSE_COVER_RECEIVE_H
#define REHEARSE_COVER_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/none.h"

enum rh_receive_flag {
    RH_RECEIVE_SYNCHRONOUS = 1, // the message is the reply that its receiver waits for in rh_ask
    RH_RECEIVE_CHANGES = 2,     // the receiver changes its behaviour when it handles the message
    RH_RECEIVE_WAITS = 4,       // the receiver waits in an rh_ask when the delivery ends
    RH_RECEIVE_LOST = 8,        // the receiver had stopped before the message came
    RH_RECEIVE_TIMER = 16,
};

struct rh_receive {
    uint32_t event; // number of the message across executions
    uint32_t actor; // number of the receiver across executions
    // Place of the receive whose handler sent the message; RH_NONE: the test's body sent it.
    uint32_t sent_at;
    // Place of an earlier receive that was needed as well for the message to be sent; RH_NONE:
    // there is none.
    uint32_t also_sent_at;
    // Place of the receive whose handler created the receiver; RH_NONE: the test's body did.
    uint32_t created_at;
    // Place of the newest receive that had to come before this one because messages of one sender
    // to one receiver keep their order; RH_NONE: there is none.
    uint32_t behind;
    // Place of the receive after which a guard let the message in that it had refused; RH_NONE:
    // no guard has refused the message.
    uint32_t enabled_at;
    // Place of the receive after which the guard began to refuse the message; RH_NONE: the guard
    // refused it from the beginning.
    uint32_t disabled_at;
    uint32_t next; // place of the receiver's next receive; RH_NONE: this one is its last
    uint64_t due;  // due time of a timer, otherwise 0
    uint32_t flags;
};

struct rh_receives {
    struct rh_receive *items;
    uint32_t count;
};

// Fills in `next` of all receives of the execution. Actors have numbers below `actors`.
void rh_receives_link(struct rh_receives *execution, uint32_t actors);

static inline bool rh_receive_is(const struct rh_receive *receive, enum rh_receive_flag flag)
{
    return (receive->flags & (uint32_t)flag) != 0;
}

#endif
