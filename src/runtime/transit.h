// SPDX-License-Identifier: MIT
// Messages that are under way for a random time (rh_options.transit_us). Senders do not wait, so
// whatever a sender does next can overtake its message, as between machines; messages of one sender
// to one receiver stay in order. A thread of its own hands the messages over.
#ifndef REHEARSE_RUNTIME_TRANSIT_H
#define REHEARSE_RUNTIME_TRANSIT_H

#include <pthread.h>

#include "base/index.h"
#include "base/rng.h"
#include "base/vector.h"
#include "runtime/mail.h"

struct rh_runtime;

struct rh_travelling {
    uint64_t due; // nanoseconds since the start of the run
    // Order of sending, which decides between messages that are due at the same time.
    uint64_t number;
    struct rh_mail *mail;
};

struct rh_transit {
    pthread_mutex_t lock;
    // Signalled when a message comes earlier than the one that the thread sleeps for, or the run is
    // over.
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread;
    bool ends;
    uint64_t pending; // messages that are not in their receiver's mailbox yet; atomic
    uint64_t sent;
    RH_VECTOR(struct rh_travelling) heap; // a binary heap: no message is before its parent
    struct rh_index pairs;                // of a sender and a receiver: their place in `latest`
    RH_VECTOR(uint64_t) latest;           // when the newest message of the pair is due
};

void rh_transit_init(struct rh_transit *transit);
// Starts the thread at the beginning of the run: the messages that setup has sent are on their way.
void rh_transit_start(struct rh_runtime *runtime);
// Ends the thread, and gives the list of the messages that have not arrived.
struct rh_mail *rh_transit_stop(struct rh_transit *transit);
void rh_transit_fini(struct rh_transit *transit);

// Takes a message, which arrives after a random time.
void rh_transit_send(struct rh_runtime *runtime, struct rh_rng *rng, struct rh_mail *mail);

#endif
