// SPDX-License-Identifier: MIT
#include "explore/states/ranks.h"

#include "world/state/canonical.h"

// Whether one message comes before the other, where states are compared exactly.
static bool is_before(const struct rh_world *world, uint32_t one, uint32_t other)
{
    rh_hash128 left = world->messages[one].hash, right = world->messages[other].hash;
    return left < right || (left == right && one < other);
}

static void rank_exactly(struct rh_ranks *ranks, const struct rh_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        rh_vector_push(&ranks->messages);
        uint32_t at = i, message = world->deliverable[i];
        for (; at > 0 && is_before(world, message, ranks->messages.items[at - 1]); at--)
            ranks->messages.items[at] = ranks->messages.items[at - 1];
        ranks->messages.items[at] = message;
    }
}

static bool is_deliverable(const struct rh_world *world, uint32_t count, uint32_t message)
{
    for (uint32_t i = 0; i < count; i++)
        if (world->deliverable[i] == message)
            return true;
    return false;
}

static void rank_by_form(struct rh_ranks *ranks, const struct rh_world *world, uint32_t count)
{
    const uint32_t *messages = rh_world_form_messages(world);
    for (uint32_t i = 0; i < world->pending_count; i++)
        if (is_deliverable(world, count, messages[i]))
            *rh_vector_push(&ranks->messages) = messages[i];
}

rh_hash128 rh_ranks_fill(struct rh_ranks *ranks, const struct rh_states *states,
                         struct rh_world *world, uint32_t count)
{
    rh_hash128 fingerprint = rh_states_fingerprint(states, world);
    ranks->messages.count = 0;
    if (states->mode == RH_STATES_ACTORS)
        rank_by_form(ranks, world, count);
    else
        rank_exactly(ranks, world, count);
    rh_assert(ranks->messages.count == count);
    return fingerprint;
}

uint32_t rh_ranks_find(const struct rh_ranks *ranks, uint32_t message)
{
    for (uint32_t i = 0; i < ranks->messages.count; i++)
        if (ranks->messages.items[i] == message)
            return i;
    return RH_NONE;
}
