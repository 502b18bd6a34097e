// SPDX-License-Identifier: MIT
// Messages that are under way for a random time (rh_options.transit_us). Senders do not wait, so a message can be
// overtaken by what its sender does next, as between machines; those of one sender to one receiver stay in order. A
// thread of its own hands them over.
#ifndef REHEARSE_RUNTIME_TRANSIT_H
#define REHEARSE_RUNTIME_TRANSIT_H

#include <pthread.h>

#include "base/index.h"
#include "base/rng.h"
#include "base/vector.h"
#include "runtime/mail.h"

struct rh_runtime;

struct rh_travelling {
    uint64_t due;    // nanoseconds since the start of the run
    uint64_t number; // of those that are due at the same time the least comes first
    struct rh_mail *mail;
};

struct rh_transit {
    pthread_mutex_t lock;
    pthread_cond_t
        changed; // something comes earlier than what the thread sleeps for, or it is over
    pthread_t thread;
    bool has_thread;
    bool ends;
    uint64_t pending; // messages that are not in their receiver's mailbox yet; atomic
    uint64_t sent;
    RH_VECTOR(struct rh_travelling) heap; // each is not before the one at half its place
    struct rh_index pairs;                // of sender and receiver: a place in `latest`
    RH_VECTOR(uint64_t) latest;           // when the newest message of the pair is due
};

void rh_transit_init(struct rh_transit *transit);
// The run begins: what setup has sent is on its way.
void rh_transit_start(struct rh_runtime *runtime);
// Ends the thread, and gives the list of what has not arrived.
struct rh_mail *rh_transit_stop(struct rh_transit *transit);
void rh_transit_fini(struct rh_transit *transit);

// Takes a message, which arrives after a random time.
void rh_transit_send(struct rh_runtime *runtime, struct rh_rng *rng, struct rh_mail *mail);

#endif
