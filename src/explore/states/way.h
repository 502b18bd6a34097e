// SPDX-License-Identifier: MIT
// The states on the way from the start of an execution to where it is, by their fingerprints: a search that comes from
// one of them to another that is on the way has gone round. In shared memory, so that a worker knows of the beginning
// that it only repeats.
#ifndef REHEARSE_EXPLORE_STATES_WAY_H
#define REHEARSE_EXPLORE_STATES_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum { RH_WAY_FILTER = 1 << 14 };

struct rh_way {
    rh_hash128 *states; // after so many deliveries
    uint32_t count, most;
    uint32_t filter[RH_WAY_FILTER]; // how many of the states have these lowest bits
    bool closed;                    // it came round somewhere
};

// Reserves room for so many states. false if that is not to be had.
bool rh_way_open(struct rh_way *way, uint32_t most);
void rh_way_fini(struct rh_way *way);
// Leaves the way; that it has come round stays known.
void rh_way_clear(struct rh_way *way);

// The state after so many deliveries, with which the way now ends. It has no gaps: what is further away is left out.
void rh_way_add(struct rh_way *way, uint32_t deliveries, rh_hash128 fingerprint);
// Whether this is a state on the way to the one that so many deliveries lead to.
bool rh_way_has(const struct rh_way *way, uint32_t deliveries, rh_hash128 fingerprint);

#endif
