// SPDX-License-Identifier: MIT
// Sweeps: runs that follow no schedule, but an order of all messages, so that each turns as much round as one run can.
// Of what is deliverable the first in that order comes next; so the last in it are held back for as long as there is
// anything else to do, whatever that leads to. Schedules that are generated from a run can't do this: they end where it
// is not certain any more what happens.
//
// The first four are the same in every call. Three of them have an order of kinds of messages: of one type, from and to
// actors that began with the same behaviours. Kinds whose messages never compete with others at an actor come at once,
// and so do timers: what is held back is what could be slow. Of the others,
//  - reversed: those that were sent last on average come first;
//  - holding: the one of which most orders were new is last, the others are reversed;
//  - rarest: those of which there are few are last, since most of the program goes on without them.
// The fourth, which comes second, changes as little as it can, but everywhere:
//  - neighbours: of messages that compete and wait at one actor the one that was sent last comes first, and those that
//    it has overtaken come at once.
// From then on the order is random, every second time of channels, and else of one of the others in turn:
//  - of channels, each of which is what comes in order from one sender to one receiver; at two deliveries, drawn beforehand, the channel whose turn
//    it is becomes the last (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with probabilistic
//    guarantees of finding bugs", ASPLOS 2010);
//  - of single messages, anew for those that wait whenever their receiver has got another (Yuan, Yang and Gu, "Partial
//    order aware concurrency sampling", CAV 2018);
//  - of the senders of one kind, half of which become slow with their first message of that kind or with a later one;
//    all else comes in sending order: bugs that need news of some actors and old words of others show here;
//  - of receivers, so that some are slow.
#ifndef REHEARSE_COVER_SWEEP_H
#define REHEARSE_COVER_SWEEP_H

#include "base/rng.h"
#include "cover/coverage.h"
#include "cover/record.h"
#include "explore/strategy.h"

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
    RH_SWEEP_RANDOM = RH_SWEEP_CHANNELS // the first of those whose orders are random
};

// How often, in an order of channels, the first becomes the last.
enum { RH_SWEEP_CHANGES = 2 };

struct rh_sweep_kind {
    uint32_t messages; // in the first run that had any
    double mean;       // of their numbers in the order of sending there
    uint64_t gain;     // in the newest run: how often one came first, which had never come second
    uint64_t pairs;    // in which one could have come before or after another message
    uint32_t rank;     // the least comes first
    bool is_timer;
    bool competes; // in some run one could have come before or after a message of some kind
    bool was_last; // in the order of some sweep
};

// What a run has received in some place.
struct rh_sweep_place {
    uint32_t kind;
    uint32_t sent; // its number in the order of sending
};

// A receive of an actor.
struct rh_sweep_receive {
    uint32_t place;  // in the run
    uint32_t sender; // slot
    uint32_t sent;   // how many messages had been sent in the run
};

// The newest receive of an actor, and the newest from another sender than that one's.
struct rh_sweep_newest {
    uint32_t run;   // its number
    uint32_t count; // of these
    struct rh_sweep_receive receives[2];
};

// In memory that outlives the workers.
struct rh_sweep {
    struct rh_numbers numbers; // of kinds
    struct rh_sweep_kind *kinds;
    uint32_t kind_count, kind_capacity;
    struct rh_record_place *of_message; // by message: its kind
    struct rh_sweep_place *of_place;    // by place in the run
    struct rh_sweep_newest *newest;     // by slot of an actor
    struct rh_record_place *oldest; // likewise: in the choice of that number, what waits longest
    struct rh_record_place
        *came; // likewise: in the run of that number, how many of the slow kind it has sent
    uint32_t choices;
    struct rh_rng rng;
    uint32_t started; // sweeps
    uint32_t blind;   // those before, when nothing was known that competes
    enum rh_sweep_form form;
    uint64_t salt;                      // of random orders
    uint32_t longest;                   // run so far, in receives
    uint32_t changes[RH_SWEEP_CHANGES]; // places in the run, in their order
    uint64_t last[RH_SWEEP_CHANGES];    // channels that have become the last
    uint32_t last_count;
    uint32_t slow_kind;  // of which some senders are slow; RH_NO_NUMBER if there is none
    uint32_t first_slow; // message of that kind and sender
};

// false if there is no address space.
bool rh_sweep_open(struct rh_sweep *sweep);
void rh_sweep_close(struct rh_sweep *sweep);

// This message is received next, in any run, at the end of what is written down of it so far.
void rh_sweep_receive(struct rh_sweep *sweep, struct rh_store *store,
                      const struct rh_record *record, const struct rh_world *world,
                      uint32_t message);

// Whether orders of kinds are still to come, for which runs are to be added.
static inline bool rh_sweep_is_learning(const struct rh_sweep *sweep)
{
    return sweep->started < RH_SWEEP_RANDOM;
}

// A run is over; its orders are in `coverage`, and `direct` is what rh_happens_before_direct says of it.
void rh_sweep_add_run(struct rh_sweep *sweep, const struct rh_coverage *coverage,
                      const struct rh_receives *run, const struct rh_happens_before *direct);

// Makes the next order; false if there is nothing that could be in another one. `is_blind`: nobody knows, since runs have
// ended too early; then it is a random one.
bool rh_sweep_start(struct rh_sweep *sweep, bool is_blind);

// The first of those that are deliverable; with `rng`, any of several that come first.
uint32_t rh_sweep_choose(struct rh_sweep *sweep, const struct rh_record *record,
                         const struct rh_choice_point *point, struct rh_rng *rng);

#endif
