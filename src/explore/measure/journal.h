// SPDX-License-Identifier: MIT
// Writes down, while a search runs, what its executions do: see result/journal.h.
#ifndef REHEARSE_EXPLORE_MEASURE_JOURNAL_H
#define REHEARSE_EXPLORE_MEASURE_JOURNAL_H

#include "base/hash.h"
#include "explore/strategy/strategy.h"
#include "result/journal.h"
#include "world/world.h"

// What the world had before a delivery, so that what the delivery added is known.
struct rh_journal_mark {
    uint32_t actors, messages;
};
static inline struct rh_journal_mark rh_journal_mark_of(const struct rh_world *world)
{
    return (struct rh_journal_mark){world->actor_count, world->message_count};
}

// What a delivery or the test's body has chosen: some of the decisions of a path.
struct rh_journal_chosen {
    const struct rh_decision *decisions;
    uint32_t count;
};

// The test's body has run, and has left this state.
void rh_journal_note_body(struct rh_journal *journal, const struct rh_world *world,
                          struct rh_journal_chosen chosen, rh_hash128 state);
// A message has been delivered that the search has not delivered here before.
void rh_journal_note_delivery(struct rh_journal *journal, const struct rh_world *world,
                              uint32_t message, struct rh_journal_mark before,
                              struct rh_journal_chosen chosen, rh_hash128 state, bool is_cut);
// Nothing is deliverable any more.
void rh_journal_note_end(struct rh_journal *journal, const struct rh_world *world);
// A bound cuts the execution off.
void rh_journal_note_cut(struct rh_journal *journal, const struct rh_world *world);

#endif
