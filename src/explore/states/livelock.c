// SPDX-License-Identifier: MIT
#include "explore/states/livelock.h"

#include <stdlib.h>

static uint32_t *find_entry(const struct rh_livelock *livelock, rh_hash128 fingerprint)
{
    uint32_t mask = livelock->table_capacity - 1;
    uint32_t at = (uint32_t)fingerprint & mask;
    while (livelock->table[at] != 0 &&
           livelock->states.items[livelock->table[at] - 1].fingerprint != fingerprint)
        at = (at + 1) & mask;
    return &livelock->table[at];
}

static void grow_table(struct rh_livelock *livelock)
{
    free(livelock->table);
    livelock->table_capacity = livelock->table_capacity * 2 + (livelock->table_capacity == 0) * 256;
    livelock->table = rh_alloc(sizeof *livelock->table * livelock->table_capacity);
    for (uint32_t i = 0; i < livelock->states.count; i++)
        *find_entry(livelock, livelock->states.items[i].fingerprint) = i + 1;
}

// Adds the state; gives the newest equal state before it, RH_NONE if there is none.
static uint32_t add_state(struct rh_livelock *livelock, rh_hash128 fingerprint)
{
    if (livelock->states.count * 2 >= livelock->table_capacity)
        grow_table(livelock);
    uint32_t *entry = find_entry(livelock, fingerprint);
    uint32_t earlier = *entry - 1;
    *rh_vector_push(&livelock->states) = (struct rh_livelock_state){fingerprint, earlier};
    *entry = (uint32_t)livelock->states.count;
    return earlier;
}

// Notes which messages can be delivered in state `at`. Gives the message that could be delivered
// without a break for longest, RH_NONE if there is none: a way round that begins before that
// message could be delivered is fair.
static uint32_t note_spans(struct rh_livelock *livelock, const struct rh_world *world,
                           uint32_t count, uint32_t at)
{
    uint32_t earliest = at + 1, oldest = RH_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t message = world->deliverable[i];
        while (livelock->spans.count <= message)
            rh_vector_push(&livelock->spans)->first = RH_NONE;
        struct rh_livelock_span *span = &livelock->spans.items[message];
        if (span->first == RH_NONE || span->last + 1 != at)
            span->first = at;
        span->last = at;
        if (span->first < earliest) {
            earliest = span->first;
            oldest = message;
        }
    }
    return oldest;
}

void rh_livelock_note(struct rh_livelock *livelock, const struct rh_world *world, uint32_t count)
{
    if (livelock->fair.to != 0)
        return;
    uint32_t at = (uint32_t)livelock->states.count;
    if (world->progressed)
        livelock->since = at;
    uint32_t oldest = note_spans(livelock, world, count, at);
    uint32_t earliest = oldest == RH_NONE ? at + 1 : livelock->spans.items[oldest].first;
    uint32_t from = add_state(livelock, world->fingerprint);
    if (from == RH_NONE || from < livelock->since)
        return;
    if (livelock->unfair.to == 0 && from >= earliest)
        livelock->unfair = (struct rh_livelock_round){from, at, oldest};
    if (earliest <= livelock->since)
        return;
    while (from != RH_NONE && from >= earliest)
        from = livelock->states.items[from].earlier;
    if (from != RH_NONE && from >= livelock->since)
        livelock->fair = (struct rh_livelock_round){from, at, RH_NONE};
}
