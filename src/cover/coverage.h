// SPDX-License-Identifier: MIT
// What is known of a test across its executions: which messages its actors can receive, and in
// which orders they have received them.
//
// An ordering goal is an order of two receives that depend on each other, for a criterion. For two
// receives of one actor these are definitions 1 to 3 of Bita:
//  - pr: the first comes before the second;
//  - pcr: the first comes before the second, and the actor receives nothing in between;
//  - pbr: the first comes before the second, one of the two changes the actor's behaviour, and no
//    receive in between changes it.
// Replies that an actor waits for do not count, neither as one of the two receives nor in between.
//
// Receives of different actors depend on each other if both touch something besides their actors,
// and not both only read it (rh_depends): both change what an invariant looks at, both use a lock.
// Replies count there, and receives that came too late do not. For pcr nothing comes in between
// that depends on both; pbr is about one actor.
//
// What receives touch is learned while executions run. An execution shows the pairs that depend on
// each other as far as is known when the execution is over. Nothing begins anew when more becomes
// known: the next execution with a pair that is new has that pair for the first time.
//
// A pair is free if some execution has had both receives and neither had to come first. Both orders
// of a free pair are goals. A pair that is not free but was seen in both orders has as goals what
// was seen of it. Other orders are not known to be possible; that they are impossible is another
// matter, which only reviews ask.
#ifndef REHEARSE_COVER_COVERAGE_H
#define REHEARSE_COVER_COVERAGE_H

#include "base/store.h"
#include "base/table.h"
#include "cover/happens_before.h"
#include "cover/receive.h"
#include "reduce/touched.h"

enum rh_criterion { RH_CRITERION_PR, RH_CRITERION_PBR, RH_CRITERION_PCR, RH_CRITERION_COUNT };

const char *rh_criterion_name(enum rh_criterion criterion);
bool rh_criterion_parse(const char *text, enum rh_criterion *criterion);

// The most events that one actor has. Its tables have a bit for each pair of them: 260 MB in all.
enum { RH_COVER_EVENTS_MOST = 1 << 14 };

// A message that an actor can receive, the same in every execution. The store has the texts.
struct rh_cover_event {
    uint64_t identity;
    uint32_t actor; // number of the receiver
    uint32_t local; // number of the event among the receiver's events
    int line;
    bool changes;        // the message has changed the receiver's behaviour in some execution
    bool is_synchronous; // the message is a reply that its receiver waits for
    const char *type;
    const char *sender;
    const char *file;
    // What the receive touches, in the coverage's sets; NULL: nothing but its actor.
    const struct rh_touched *touched;
    // The footprint that `touched` was last taken from, to be compared only.
    const struct rh_touched *learned;
    uint64_t footprint_type; // the message's type as footprints name it
    uint32_t shared;         // number of the event in `across`; RH_NONE: it touches only its actor
};

// Something that receives of different actors touch.
struct rh_cover_object {
    uint64_t number;
    const char *name; // in the store; "the invariant one_leader"; NULL until somebody says it
    bool carries;     // a receive that writes it may change what later ones do that touch it
};

// Tables of bits that each actor has, with a row and a column for each of its events.
enum rh_bits {
    RH_BITS_PR, // the first three have the numbers of the criteria
    RH_BITS_PBR,
    RH_BITS_PCR,
    RH_BITS_FREE,
    RH_BITS_BOTH,    // pairs seen in both orders, computed from RH_BITS_PR
    RH_BITS_FIRST,   // only in reviews: the one comes before the other whenever both come
    RH_BITS_DEPENDS, // only in `across`: pairs of different actors that depend on each other
    RH_BITS_COUNT
};

// Counts of the goals in which an event comes first.
struct rh_cover_row {
    bool is_counted; // the counts are up to date
    uint32_t covered[RH_CRITERION_COUNT];
    uint32_t known[RH_CRITERION_COUNT];
};

struct rh_cover_actor {
    bool is_across; // the events are of several actors
    uint64_t identity;
    const char *name;
    uint32_t *events; // by local number
    uint32_t event_count, event_capacity;
    uint32_t words;                // length of a row of bits; a table has 64 times as many rows
    uint64_t *bits[RH_BITS_COUNT]; // the tables
    struct rh_cover_row *rows;     // by local number
    uint32_t row_capacity;
    uint32_t changes;  // how many events changed the behaviour when goals were last counted
    bool is_uncounted; // goals have changed since they were last counted
    uint64_t covered[RH_CRITERION_COUNT]; // goals reached, when they were last counted
    uint64_t known[RH_CRITERION_COUNT];   // all goals, when they were last counted
};

// How many schedules for a goal have failed.
struct rh_cover_attempt {
    uint64_t goal;
    uint32_t count;
};

struct rh_coverage {
    struct rh_store store;
    bool has_guards; // some behaviour of the program has a guard
    // In the store, by identity.
    struct rh_table event_table, actor_table, attempt_table, object_table;
    struct rh_cover_event *events;
    struct rh_cover_actor *actors;
    // The events that touch more than their actor, with tables for pairs of different actors.
    struct rh_cover_actor *across;
    struct rh_touched_sets sets;
    struct rh_cover_object *objects;
    uint32_t object_count, object_capacity;
    uint32_t event_count, event_capacity;
    uint32_t actor_count, actor_capacity;
    struct rh_cover_attempt *attempts;
    uint32_t attempt_count, attempt_capacity;
};

// false if there is no address space of that size.
bool rh_coverage_open(struct rh_coverage *coverage, size_t size);
void rh_coverage_close(struct rh_coverage *coverage);

// Gives the number of an actor or event. One that is not known yet is added, with copies of its
// texts. RH_NONE if there is no room.
uint32_t rh_coverage_add_actor(struct rh_coverage *coverage, uint64_t identity, const char *name);
uint32_t rh_coverage_add_event(struct rh_coverage *coverage, const struct rh_cover_event *event);
uint32_t rh_coverage_find_event(const struct rh_coverage *coverage, uint64_t identity);

// Notes that the event touches these objects, all of which have numbers, besides what is known.
void rh_coverage_add_touched(struct rh_coverage *coverage, uint32_t event,
                             const struct rh_touched *touched);
// Says what an object is, unless that is known.
void rh_coverage_name_object(struct rh_coverage *coverage, uint64_t number, const char *name,
                             bool carries);
// Names the objects of which nobody has said what they are.
void rh_coverage_name_rest(struct rh_coverage *coverage);
// The index of the object with this number; RH_NONE if no event touches it.
uint32_t rh_coverage_find_object(const struct rh_coverage *coverage, uint64_t number);
// The index of an object that carries, from the touch `*at` of the event on; RH_NONE if there is
// none. `*at` is then behind it.
uint32_t rh_coverage_next_carrier(const struct rh_coverage *coverage, uint32_t event, uint32_t *at);

// Whether these two events depend on each other.
bool rh_coverage_depends(const struct rh_coverage *coverage, uint32_t one, uint32_t other);
// Whether the receives at these two places are a pair of which both orders may matter.
bool rh_coverage_are_pair(const struct rh_coverage *coverage, const struct rh_receives *execution,
                          uint32_t one, uint32_t other);
// The next place after `after` whose receive depends on the one at `place`, RH_NONE if there is
// none. At `after` there is a receive of the same actor, or what an earlier call gave.
uint32_t rh_coverage_next_partner(const struct rh_coverage *coverage,
                                  const struct rh_receives *execution, uint32_t place,
                                  uint32_t after);

// Notes the orders of the execution's receives as seen. Gives whether any of them is new.
bool rh_coverage_add_orders(struct rh_coverage *coverage, const struct rh_receives *execution);
// Notes the pairs of the execution that are free. Gives whether any of them is new.
bool rh_coverage_add_free(struct rh_coverage *coverage, const struct rh_receives *execution,
                          const struct rh_happens_before *before);

// Notes which of two receives comes first whenever both come (rh_happens_before_certain).
void rh_coverage_add_first(struct rh_coverage *coverage, const struct rh_receives *execution,
                           const struct rh_happens_before *certain);

// Whether the bit of two events is set: for a criterion, whether the goal that `first`
// comes before `second` was reached.
bool rh_coverage_has(const struct rh_coverage *coverage, enum rh_bits bits, uint32_t first,
                     uint32_t second);
void rh_coverage_set(struct rh_coverage *coverage, enum rh_bits bits, uint32_t first,
                     uint32_t second);

// Whether a schedule for the goal is still worth making: not if it was reached, nor if several
// schedules for it have failed.
bool rh_coverage_wants(const struct rh_coverage *coverage, enum rh_criterion criterion,
                       uint32_t first, uint32_t second);
void rh_coverage_note_attempt(struct rh_coverage *coverage, enum rh_criterion criterion,
                              uint32_t first, uint32_t second);

struct rh_goal_count {
    uint64_t covered, known;
};
// Counts the goals of all actors, and of pairs of different ones. Brings the counts of each actor
// up to date.
struct rh_goal_count rh_coverage_total(struct rh_coverage *coverage, enum rh_criterion criterion);

#endif
