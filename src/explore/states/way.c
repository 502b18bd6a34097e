// SPDX-License-Identifier: MIT
#include "explore/states/way.h"

#include <string.h>

#include "base/reserve.h"

bool rh_way_open(struct rh_way *way, uint32_t most)
{
    *way = (struct rh_way){.most = most, .states = rh_reserve(sizeof *way->states * most)};
    return way->states != NULL;
}

void rh_way_fini(struct rh_way *way)
{
    // Clearing a filter that was never used would take pages for it.
    if (!way->states)
        return;
    rh_release(way->states, sizeof *way->states * way->most);
    *way = (struct rh_way){0};
}

void rh_way_clear(struct rh_way *way)
{
    way->count = 0;
    memset(way->filter, 0, sizeof way->filter);
}

static uint32_t *filter_of(struct rh_way *way, rh_hash128 fingerprint)
{
    return &way->filter[(uint64_t)fingerprint & (RH_WAY_FILTER - 1)];
}

void rh_way_add(struct rh_way *way, uint32_t deliveries, rh_hash128 fingerprint)
{
    if (deliveries > way->count || deliveries >= way->most)
        return;
    while (way->count > deliveries)
        --*filter_of(way, way->states[--way->count]);
    ++*filter_of(way, fingerprint);
    way->states[way->count++] = fingerprint;
}

bool rh_way_has(const struct rh_way *way, uint32_t deliveries, rh_hash128 fingerprint)
{
    if (way->filter[(uint64_t)fingerprint & (RH_WAY_FILTER - 1)] == 0)
        return false;
    uint32_t count = deliveries < way->count ? deliveries : way->count;
    for (uint32_t i = 0; i < count; i++)
        if (way->states[i] == fingerprint)
            return true;
    return false;
}
