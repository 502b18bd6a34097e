// SPDX-License-Identifier: MIT
// Livelock: an execution that was cut off had come back to a state it had been in before, and whatever stayed
// deliverable all the way round was delivered.
#ifndef REHEARSE_EXPLORE_LIVELOCK_H
#define REHEARSE_EXPLORE_LIVELOCK_H

#include <stdbool.h>

#include "base/vector.h"
#include "world/world.h"

struct rh_livelock_state {
    rh_hash128 fingerprint;
    uint32_t *deliverable; // owned; message numbers, ascending
    uint32_t count;
};

struct rh_livelock {
    bool on;
    RH_VECTOR(struct rh_livelock_state) states; // before each delivery
};

void rh_livelock_note(struct rh_livelock *livelock, struct rh_world *world, uint32_t count);
// Reports the shortest fair cycle that ends where the execution was cut off or shortly before.
void rh_livelock_report(struct rh_livelock *livelock, struct rh_world *world);

#endif
