// SPDX-License-Identifier: MIT
// The search forward from what a test's body sets up. What may happen next is a delivery of what is
// pending, or a message from outside with unknown fields to an actor that the outside may write to;
// which of the situations is tried next is decided by how far its messages are from the place in
// what handlers send and in the fields that they write.
#ifndef REHEARSE_SYMBOLIC_FORWARD_H
#define REHEARSE_SYMBOLIC_FORWARD_H

#include "base/rng.h"
#include "base/table.h"
#include "symbolic/internal.h"
#include "symbolic/reach.h"
#include "symbolic/target.h"

// Hashes of situations. All zeros: none.
struct rh__sym_seen {
    struct rh_table table;
    RH_VECTOR(rh_hash128) hashes;
    struct rh_text text; // what a situation is hashed by
};

// Notes the situation; false if an equal one was there. What waiting handlers have on their stacks
// is not looked at: such situations count as new.
bool rh__sym_is_new(struct rh__sym_seen *seen, const struct rh__sym_situation *situation);
void rh__sym_seen_fini(struct rh__sym_seen *seen);
bool rh__sym_has_wait(const struct rh__sym_situation *situation);

struct rh__sym_waiting {
    struct rh__sym_situation *situation; // NULL: it was looked at
    uint32_t deliveries, distance, messages;
};

struct rh__sym_queue {
    uint32_t *items; // indexes of `waiting`, as a heap
    size_t count, capacity;
    bool (*comes_before)(const struct rh__sym_waiting *a, uint32_t a_index,
                         const struct rh__sym_waiting *b, uint32_t b_index);
};

struct rh__sym_forward {
    struct rh__sym *sym;
    struct rh_rng *draws; // fields of messages from outside are drawn; NULL: nobody knows them
    const struct rh_reach_options *options;
    const struct rh__sym_target *target;
    RH_VECTOR(struct rh__sym_waiting) waiting;
    struct rh__sym_queue broad, deep;
    struct rh__sym_seen seen;
    struct rh__sym_situations *collected;        // where situations go instead of waiting, or NULL
    RH_VECTOR(struct rh__sym_object *) payloads; // of arrivals, to be released
    uint64_t looked_at;
    uint64_t share_end; // when so much is spent the search ends if loops were cut; 0: it goes on
    bool is_cut;        // something was left out
    bool is_bounded;    // but only messages from outside beyond --messages
    bool has_way;       // by who sends what to whom, something may lead there
    bool has_unknown;   // some actor may have a behaviour that is not known
    // By behaviour and type: such messages may be delivered, for all that the code says; NULL: all.
    const bool *comes;
    size_t type_count;
    bool needs_outside;              // or would, if there were messages from outside
    struct rh_text why_not;          // if not
    bool is_found;                   // a way was accepted
    struct rh__sym_situation *found; // owned; the last that ended as wanted; NULL: none
    // Says whether a way is what is looked for; otherwise the search goes on.
    bool (*accept)(struct rh__sym_forward *search, struct rh__sym_situation *way);
    struct rh_reach_result *result; // for `accept`
};

// Searches from all ways through the body of a test. The caller sets sym, options, target and
// accept before, and frees what `search` holds.
void rh__sym_forward_run(struct rh__sym_forward *search, uint32_t body);
// What the body leaves; without a search.
void rh__sym_forward_begin(struct rh__sym_forward *search, uint32_t body);
// A pending message is delivered; or one of unknown contents comes from outside and is delivered.
void rh__sym_forward_deliver(struct rh__sym_forward *search,
                             const struct rh__sym_situation *situation, size_t index,
                             uint32_t deliveries);
void rh__sym_forward_arrive(struct rh__sym_forward *search,
                            const struct rh__sym_situation *situation, uint32_t receiver,
                            uint32_t type, uint32_t deliveries);
// Whether a way was accepted, after a look at what was found last, or the budget has ended.
bool rh__sym_forward_is_over(struct rh__sym_forward *search);
// Whether one more message may come from outside: what the test lists with rh_may_come is limited
// by that alone, if the user has not said more.
bool rh__sym_forward_may_come(const struct rh__sym_forward *search,
                              const struct rh__sym_situation *situation);
// Whether a message of this type may be of use, which the outside sends to such an actor.
bool rh__sym_forward_is_of_interest(struct rh__sym_forward *search, uint32_t behaviour,
                                    uint32_t type);
void rh__sym_forward_fini(struct rh__sym_forward *search);
// random.c: runs in which messages from outside, what their fields are, and what is delivered next,
// are drawn with a fixed seed.
void rh__sym_random_run(struct rh__sym_forward *search, uint32_t body);
// Gives each field of a message a value.
void rh__sym_random_fill(struct rh__sym_forward *search, const struct rh__sym_situation *situation,
                         uint32_t type, struct rh__sym_object **payload);
// Whether a check has failed.
bool rh__sym_fails_check(const struct rh__sym_situation *situation);

// ways.c: says whether by who creates whom and who sends what, the place may be reached from what
// the body has left (`has_way`, `needs_outside`, `why_not`).
void rh__sym_find_way(struct rh__sym_forward *search, uint32_t body,
                      const struct rh__sym_situations *begun);
// Whether the outside may write to the actor.
bool rh__sym_may_be_written_to(const struct rh__sym_situation *situation, size_t index);
// Whether it may send it a message of this type now: any, if the test lists none with rh_may_come.
bool rh__sym_may_be_sent(const struct rh__sym_situation *situation, size_t index, uint32_t type);

// alone.c
// An actor of the behaviour with a message of the type, of which nothing is known.
struct rh__sym_situation *rh__sym_alone_begin(struct rh__sym *sym, uint32_t behaviour,
                                              uint32_t type);
// False if no handler can come to the place, whatever its state and its message are.
bool rh__sym_may_come(struct rh__sym *sym, const struct rh__sym_target *target);

#endif
