// SPDX-License-Identifier: MIT
// Sweeps: executions that follow no schedule but an order of all messages, so that each execution
// changes as many orders as one execution can. Of the deliverable messages the first in the order
// comes next. So the last ones are held back for as long as there is anything else to do, whatever
// that leads to. A schedule that is generated from an execution can't do so: it ends where it is
// not certain any more what happens.
//
// The first four sweeps have the same orders in every search. Three of them order kinds of
// messages: a kind is the messages of one type between actors that began with the same two
// behaviours. Kinds whose messages never compete with others at an actor come at once, and so do
// timers: only what could be slow is held back. Of the other kinds,
//  - reversed: those that were sent last on average come first;
//  - holding: the kind of which most orders were new is last, the others are reversed;
//  - rarest: kinds of which there are few messages are last, since most of the program goes on
//    without them.
// The second of the four sweeps changes as little as it can, but everywhere:
//  - neighbours: of the competing messages that wait at one actor the one that was sent last comes
//    first, and then those that it has overtaken come at once.
// All further orders are random: every second one is of channels, and the others take turns:
//  - of channels, where a channel is what comes in order from one sender to one receiver. At two
//    deliveries, drawn beforehand, the channel whose turn it is becomes the last (Burckhardt,
//    Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with probabilistic guarantees of
//    finding bugs", ASPLOS 2010);
//  - of single messages; those that wait at an actor get a new order whenever the actor has
//    received a message (Yuan, Yang and Gu, "Partial order aware concurrency sampling", CAV 2018);
//  - of the senders of one kind: half of them become slow, with their first message of the kind or
//    with a later one, and all else comes in sending order. Bugs that need new messages of some
//    actors and old ones of others show here;
//  - of receivers, so that some are slow.
#ifndef REHEARSE_COVER_SWEEP_H
#define REHEARSE_COVER_SWEEP_H

#include "base/rng.h"
#include "cover/coverage.h"
#include "cover/record.h"
#include "explore/strategy/strategy.h"

enum rh_sweep_form {
    RH_SWEEP_REVERSED,
    RH_SWEEP_NEIGHBOURS,
    RH_SWEEP_HOLDING,
    RH_SWEEP_RAREST,
    RH_SWEEP_CHANNELS,
    RH_SWEEP_MESSAGES,
    RH_SWEEP_SENDERS,
    RH_SWEEP_RECEIVERS,
    RH_SWEEP_COUNT,
    RH_SWEEP_RANDOM = RH_SWEEP_CHANNELS // the first form with a random order
};

// How often, in an order of channels, the channel whose turn it is becomes the last.
enum { RH_SWEEP_CHANGES = 2 };

struct rh_sweep_kind {
    uint64_t identity;
    uint32_t messages; // how many messages of the kind the first execution with any of them had
    double mean;       // average of the numbers, in sending order, of what `messages` counts
    // Pairs of the newest execution in which a message of the kind came before one of another kind,
    // and no execution has shown the other order.
    uint64_t gain;
    // Pairs, of all executions so far, of a message of the kind and one that need not come in this
    // order.
    uint64_t pairs;
    uint32_t rank; // place of the kind in the order; the least comes first
    bool is_timer;
    bool
        competes; // in some execution a message of the kind could have come before or after another
    bool was_last; // the kind was the last in the order of some sweep
};

// What an execution has received at some place.
struct rh_sweep_place {
    uint32_t kind; // kind of the message
    uint32_t sent; // number of the message in the order of sending
};

// A receive of an actor.
struct rh_sweep_receive {
    uint32_t place;  // place in the execution
    uint32_t sender; // slot of the sender
    uint32_t sent;   // how many messages had been sent in the execution before the receive
};

// The newest receive of an actor, and its newest receive from another sender.
struct rh_sweep_newest {
    uint32_t execution; // number of the execution; an entry of another execution says nothing
    uint32_t count;     // how many of the two receives there are
    struct rh_sweep_receive receives[2];
};

// Lives in memory that outlives the workers.
struct rh_sweep {
    struct rh_table table; // in a store: numbers of kinds by identity
    struct rh_sweep_kind *kinds;
    uint32_t kind_count, kind_capacity;
    struct rh_record_place *of_message; // by message: its kind
    struct rh_sweep_place *of_place;    // by place in the execution
    struct rh_sweep_newest *newest;     // by slot of an actor
    // By slot of an actor: the number of a choice, and the message that waited longest at the actor
    // then.
    struct rh_record_place *oldest;
    // By slot of an actor: the number of an execution, and how many messages of the slow kind that
    // the actor sent have been received in it.
    struct rh_record_place *came;
    uint32_t choices; // how many choices were made for RH_SWEEP_NEIGHBOURS
    struct rh_rng rng;
    uint32_t started; // how many sweeps have started when some kind was known to compete
    uint32_t blind;   // how many sweeps have started when no kind was known to compete
    enum rh_sweep_form form;
    uint64_t salt;    // makes the present random order another one than those before
    uint32_t longest; // receives of the longest execution so far
    uint32_t
        changes[RH_SWEEP_CHANGES];   // places in the execution at which a channel becomes the last
    uint64_t last[RH_SWEEP_CHANGES]; // channels that have become the last, the newest at the end
    uint32_t last_count;
    uint32_t slow_kind;  // the kind of which some senders are slow; RH_NONE if there is none
    uint32_t first_slow; // how many messages of the slow kind each sender gets through first
};

// false if there is no address space.
bool rh_sweep_open(struct rh_sweep *sweep);
void rh_sweep_close(struct rh_sweep *sweep);

// Notes that this message is received next, at the end of the execution that `record` has so far.
// To be called in every execution, not only in sweeps.
void rh_sweep_receive(struct rh_sweep *sweep, struct rh_store *store,
                      const struct rh_record *record, const struct rh_world *world,
                      uint32_t message);

// Whether sweeps that order kinds are still to come, for which rh_sweep_add_execution is to be
// called.
static inline bool rh_sweep_is_learning(const struct rh_sweep *sweep)
{
    return sweep->started < RH_SWEEP_RANDOM;
}

// Learns from an execution that is over; its orders are in `coverage`, and `direct` is what
// rh_happens_before_direct says of it.
void rh_sweep_add_execution(struct rh_sweep *sweep, const struct rh_coverage *coverage,
                            const struct rh_receives *execution,
                            const struct rh_happens_before *direct);

// Makes the order of the next sweep; false if no order could be another one, since nothing
// competes. `is_blind`: executions have ended before their time, so there may be more that competes
// than is known; if nothing is known, the order is random.
bool rh_sweep_start(struct rh_sweep *sweep, bool is_blind);

// Gives the way whose message is the first in the order; with `rng`, any of several that are
// equally early.
uint32_t rh_sweep_choose(struct rh_sweep *sweep, const struct rh_record *record,
                         const struct rh_choice_point *point, struct rh_rng *rng);

#endif
