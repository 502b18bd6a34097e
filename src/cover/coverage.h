// SPDX-License-Identifier: MIT
// What is known of a test across its runs: which messages its actors can receive, and in which orders they have.
//
// An ordering goal is an order of two receives of one actor, for a criterion (definitions 1 to 3 of Bita):
//  - pr: one comes before the other;
//  - pcr: and the actor receives nothing in between;
//  - pbr: one of both changes the actor's behaviour, and nothing in between does.
// Replies that an actor waits for do not count, neither as one of both nor in between.
//
// A pair is free if it has been seen in a run in which neither had to come first. Both orders of free pairs are goals;
// and so is what was seen of pairs that were seen in both orders all the same. Others are not known to be possible.
#ifndef REHEARSE_COVER_COVERAGE_H
#define REHEARSE_COVER_COVERAGE_H

#include "cover/happens_before.h"
#include "cover/receive.h"
#include "cover/store.h"

enum rh_criterion { RH_CRITERION_PR, RH_CRITERION_PBR, RH_CRITERION_PCR, RH_CRITERION_COUNT };

const char *rh_criterion_name(enum rh_criterion criterion);
bool rh_criterion_parse(const char *text, enum rh_criterion *criterion);

// A message that an actor can receive, the same in every run. Texts are in the store.
struct rh_cover_event {
    uint64_t identity;
    uint32_t actor;
    uint32_t local; // its number among the actor's events
    int line;
    bool changes; // it has changed the receiver's behaviour in some run
    bool is_synchronous;
    const char *type;
    const char *sender;
    const char *file;
};

// Tables of bits: a row for each of an actor's events, a column likewise.
enum rh_bits {
    RH_BITS_PR, // numbered as the criteria
    RH_BITS_PBR,
    RH_BITS_PCR,
    RH_BITS_FREE,
    RH_BITS_BOTH, // seen in both orders: follows from pr
    RH_BITS_COUNT
};

// The goals in which an event comes first.
struct rh_cover_row {
    bool is_counted;
    uint32_t covered[RH_CRITERION_COUNT];
    uint32_t known[RH_CRITERION_COUNT];
};

struct rh_cover_actor {
    uint64_t identity;
    const char *name;
    uint32_t *events; // by local number
    uint32_t event_count, event_capacity;
    uint32_t words; // of a row; there are 64 times as many rows
    uint64_t *bits[RH_BITS_COUNT];
    struct rh_cover_row *rows; // by local number
    uint32_t row_capacity;
    uint32_t changes;  // how many events change the behaviour, when they were counted
    bool is_uncounted; // goals have changed since they were counted
    uint64_t covered[RH_CRITERION_COUNT]; // goals
    uint64_t known[RH_CRITERION_COUNT];
};

struct rh_coverage {
    struct rh_store store;
    struct rh_numbers event_numbers, actor_numbers, attempts;
    struct rh_cover_event *events;
    struct rh_cover_actor *actors;
    uint32_t event_count, event_capacity;
    uint32_t actor_count, actor_capacity;
};

// false if there is no address space of that size.
bool rh_coverage_open(struct rh_coverage *coverage, size_t size);
void rh_coverage_close(struct rh_coverage *coverage);

// The number of an actor or event, which is added if it is not known yet: then its texts are copied. RH_NO_NUMBER if
// there is no room.
uint32_t rh_coverage_add_actor(struct rh_coverage *coverage, uint64_t identity, const char *name);
uint32_t rh_coverage_add_event(struct rh_coverage *coverage, const struct rh_cover_event *event);
uint32_t rh_coverage_find_event(const struct rh_coverage *coverage, uint64_t identity);

// Takes the orders of receives for seen. Whether any of them was not.
bool rh_coverage_add_orders(struct rh_coverage *coverage, const struct rh_receives *run);
// Takes pairs for free that are in this run.
bool rh_coverage_add_free(struct rh_coverage *coverage, const struct rh_receives *run,
                          const struct rh_happens_before *before);

// Whether the goal that event `first` comes before `second`, of the same actor, was reached.
bool rh_coverage_has(const struct rh_coverage *coverage, enum rh_bits bits, uint32_t first,
                     uint32_t second);
void rh_coverage_set(struct rh_coverage *coverage, enum rh_bits bits, uint32_t first,
                     uint32_t second);

// Whether it is still worth trying: a goal that was tried several times, and not reached, is not.
bool rh_coverage_wants(const struct rh_coverage *coverage, enum rh_criterion criterion,
                       uint32_t first, uint32_t second);
void rh_coverage_note_attempt(struct rh_coverage *coverage, enum rh_criterion criterion,
                              uint32_t first, uint32_t second);

struct rh_goal_count {
    uint64_t covered, known;
};
// Of all actors. Their own numbers are right after this call.
struct rh_goal_count rh_coverage_total(struct rh_coverage *coverage, enum rh_criterion criterion);

#endif
