// SPDX-License-Identifier: MIT
// The receives of one run, in their order, as far as it matters for what else could have happened.
//
// A receive is a delivery, so its place in the run is the delivery's number less one. A message that came when its
// receiver had stopped counts as received after all others of that actor: such receives are last, and nothing follows
// from them.
#ifndef REHEARSE_COVER_RECEIVE_H
#define REHEARSE_COVER_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

#define RH_NOWHERE UINT32_MAX

enum rh_receive_flag {
    RH_RECEIVE_SYNCHRONOUS = 1, // the reply that its receiver waits for in rh_ask
    RH_RECEIVE_CHANGES = 2,     // the receiver changes its behaviour
    RH_RECEIVE_WAITS = 4,       // the receiver waits in an rh_ask after it
    RH_RECEIVE_LOST = 8,        // the receiver had stopped
    RH_RECEIVE_TIMER = 16,
};

struct rh_receive {
    uint32_t event;      // its number across runs
    uint32_t actor;      // the receiver's, likewise
    uint32_t sent_at;    // place of the receive that sent the message; RH_NOWHERE: the test's body
    uint32_t created_at; // of the one that created the receiver; likewise
    uint32_t behind; // of the newest that had to come before it since the order of messages is kept
    uint32_t enabled_at; // of the one after which a guard that had refused it let it in
    uint32_t
        disabled_at; // of the one after which that had begun to refuse it; RH_NOWHERE: it always had
    uint32_t next;   // of the next receive of the same actor
    uint64_t due;    // of a timer
    uint32_t flags;
};

struct rh_receives {
    struct rh_receive *items;
    uint32_t count;
};

// Fills in `next` of all. Actors have numbers below `actors`.
void rh_receives_link(struct rh_receives *run, uint32_t actors);

static inline bool rh_receive_is(const struct rh_receive *receive, enum rh_receive_flag flag)
{
    return (receive->flags & (uint32_t)flag) != 0;
}

// Whether receives at these places are a pair of which both orders may matter: received by the same actor, neither of
// them a reply that it waits for, and not both after it had stopped.
static inline bool rh_receives_are_pair(const struct rh_receives *run, uint32_t one, uint32_t other)
{
    const struct rh_receive *first = &run->items[one], *second = &run->items[other];
    return first->actor == second->actor &&
           !((first->flags | second->flags) & RH_RECEIVE_SYNCHRONOUS) &&
           !(first->flags & second->flags & RH_RECEIVE_LOST);
}

#endif
