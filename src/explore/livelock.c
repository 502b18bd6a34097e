// SPDX-License-Identifier: MIT
#include "explore/livelock.h"

#include <string.h>

void rh_livelock_note(struct rh_livelock *livelock, struct rh_world *world, uint32_t count)
{
    struct rh_livelock_state *state = rh_vector_push(&livelock->states);
    state->fingerprint = world->fingerprint;
    state->count = count;
    state->deliverable = rh_alloc(sizeof(uint32_t) * (count + 1));
    memcpy(state->deliverable, world->deliverable, sizeof(uint32_t) * count);
}

static bool has(const struct rh_livelock_state *state, uint32_t message)
{
    for (uint32_t i = 0; i < state->count; i++)
        if (state->deliverable[i] == message)
            return true;
    return false;
}

// Weak fairness: no message is deliverable in every state of the cycle. (One that was delivered in it is not
// deliverable after that: each delivery is of another message.)
static bool is_fair(const struct rh_livelock *livelock, size_t from, size_t to)
{
    const struct rh_livelock_state *first = &livelock->states.items[from];
    for (uint32_t i = 0; i < first->count; i++) {
        bool throughout = true;
        for (size_t s = from + 1; s <= to && throughout; s++)
            throughout = has(&livelock->states.items[s], first->deliverable[i]);
        if (throughout)
            return false;
    }
    return true;
}

void rh_livelock_report(struct rh_livelock *livelock, struct rh_world *world)
{
    size_t last = livelock->states.count;
    if (last < 2)
        return;
    size_t to = last - 1;
    for (size_t from = to; from-- > 0;) {
        if (livelock->states.items[from].fingerprint != livelock->states.items[to].fingerprint ||
            !is_fair(livelock, from, to))
            continue;
        rh_world_report(world, RH_FINDING_LIVELOCK, NULL, 0,
                        "the program goes round for ever: the state before delivery %zu comes back "
                        "after every %zu deliveries",
                        from + 1, to - from);
        return;
    }
}
