// SPDX-License-Identifier: MIT
#include "explore/states/trail.h"

#include <string.h>

#include "base/mapping.h"
#include "base/status.h"

bool rh_trail_open(struct rh_trail *trail, uint32_t most)
{
    *trail = (struct rh_trail){.most = most, .states = rh_map_shared(sizeof *trail->states * most)};
    return trail->states != NULL;
}

void rh_trail_fini(struct rh_trail *trail)
{
    // Clearing a filter that was never used would take pages for it.
    if (!trail->states)
        return;
    rh_unmap_shared(trail->states, sizeof *trail->states * trail->most);
    *trail = (struct rh_trail){0};
}

void rh_trail_clear(struct rh_trail *trail)
{
    trail->count = 0;
    memset(trail->filter, 0, sizeof trail->filter);
}

static uint32_t *filter_of(struct rh_trail *trail, rh_hash128 fingerprint)
{
    return &trail->filter[(uint64_t)fingerprint & (RH_TRAIL_FILTER - 1)];
}

void rh_trail_add(struct rh_trail *trail, uint32_t deliveries, rh_hash128 fingerprint)
{
    if (deliveries > trail->count || deliveries >= trail->most)
        return;
    while (trail->count > deliveries)
        --*filter_of(trail, trail->states[--trail->count]);
    rh_assert(trail->count == deliveries);
    ++*filter_of(trail, fingerprint);
    trail->states[trail->count++] = fingerprint;
}

bool rh_trail_has(const struct rh_trail *trail, uint32_t deliveries, rh_hash128 fingerprint)
{
    if (trail->filter[(uint64_t)fingerprint & (RH_TRAIL_FILTER - 1)] == 0)
        return false;
    uint32_t count = deliveries < trail->count ? deliveries : trail->count;
    for (uint32_t i = 0; i < count; i++)
        if (trail->states[i] == fingerprint)
            return true;
    return false;
}
