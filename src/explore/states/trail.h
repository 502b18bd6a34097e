// SPDX-License-Identifier: MIT
// The trail of an execution: the states between its start and where it is, by their fingerprints. A
// search that comes to a state of its own trail has gone round. The trail is in shared memory, so
// that a worker knows of the beginning that it only repeats.
#ifndef REHEARSE_EXPLORE_STATES_TRAIL_H
#define REHEARSE_EXPLORE_STATES_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum { RH_TRAIL_FILTER = 1 << 14 };

struct rh_trail {
    rh_hash128 *states; // by number of deliveries before the state
    uint32_t count, most;
    uint32_t filter[RH_TRAIL_FILTER]; // how many of the states have these lowest bits
    bool closed;                      // the trail came round somewhere
};

// Reserves room for so many states. false if there is none.
bool rh_trail_open(struct rh_trail *trail, uint32_t most);
void rh_trail_fini(struct rh_trail *trail);
// Forgets the states, but not that the trail has come round.
void rh_trail_clear(struct rh_trail *trail);

// The trail now ends with the state after so many deliveries. A trail has no gaps: a state that is
// further away is left out.
void rh_trail_add(struct rh_trail *trail, uint32_t deliveries, rh_hash128 fingerprint);
// Whether the trail has this state before the one that so many deliveries lead to.
bool rh_trail_has(const struct rh_trail *trail, uint32_t deliveries, rh_hash128 fingerprint);

#endif
