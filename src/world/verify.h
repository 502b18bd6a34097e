// SPDX-License-Identifier: MIT
// What a build with VERIFY=1 checks around every delivery, since it costs too much otherwise:
//
// - the fingerprint is the one that is computed from nothing;
// - undo leads back to the state from before the delivery, byte by byte;
// - pending messages, channels and the front are linked as channel.h says, with the sums that
//   belong to them;
// - a delivery changes the record of its receiver and no other;
// - the memory of an actor above what is in use is zero.
//
// A program that writes into the memory of another actor gets a finding of its own. Nothing holds
// after that, so the process checks no more.
#ifndef REHEARSE_WORLD_VERIFY_H
#define REHEARSE_WORLD_VERIFY_H

#include "world/world.h"

void rh__verify_begin(struct rh_world *world);
void rh__verify_end(struct rh_world *world, uint32_t receiver);
void rh__verify_undone(struct rh_world *world);

// Whether anything is checked in this world.
bool rh_verify_is_on(const struct rh_world *world);
// What the newest delivery has really done, for whoever says what deliveries touch: whether it has
// changed an actor that was there before, watched data, or a message that was pending before and is
// another than the one that was delivered.
bool rh_verify_has_changed(const struct rh_world *world, uint32_t slot);
bool rh_verify_has_written(const struct rh_world *world);
bool rh_verify_has_taken(const struct rh_world *world, uint32_t message);

// Before a delivery changes anything.
static inline void rh_verify_begin(struct rh_world *world)
{
    if (RH_VERIFIES)
        rh__verify_begin(world);
}

// After the delivery.
static inline void rh_verify_end(struct rh_world *world, uint32_t receiver)
{
    if (RH_VERIFIES)
        rh__verify_end(world, receiver);
}

// After the delivery was undone.
static inline void rh_verify_undone(struct rh_world *world)
{
    if (RH_VERIFIES)
        rh__verify_undone(world);
}

#endif
