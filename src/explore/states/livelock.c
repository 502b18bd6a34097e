// SPDX-License-Identifier: MIT
#include "explore/states/livelock.h"

static struct rh_livelock_state *find_first(struct rh_livelock *livelock, rh_hash128 fingerprint)
{
    struct rh_probe probe = rh_table_probe(&livelock->table, (uint64_t)fingerprint);
    while (rh_probe_next(&probe))
        if (livelock->states.items[probe.number].fingerprint == fingerprint)
            return &livelock->states.items[probe.number];
    return NULL;
}

// Adds the state; gives the newest equal state before it, RH_NONE if there is none.
static uint32_t add_state(struct rh_livelock *livelock, rh_hash128 fingerprint)
{
    uint32_t number = (uint32_t)livelock->states.count, earlier = RH_NONE;
    struct rh_livelock_state *first = find_first(livelock, fingerprint);
    if (first) {
        earlier = first->newest;
        first->newest = number;
    } else {
        rh_table_add(&livelock->table, NULL, (uint64_t)fingerprint, number);
    }
    *rh_vector_push(&livelock->states) = (struct rh_livelock_state){fingerprint, earlier, number};
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
