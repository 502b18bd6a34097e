// SPDX-License-Identifier: MIT
// The messages that a waiting handler can still look at: the one it was called with, and those of
// its replies to which something in its actor's memory points, its stack included. A reply to which
// nothing points is gone for good, so a handler that asks over and over can come back to a state.
//
// Data of the program or of a library may hold addresses too: while any of it is changed, all
// messages that the handler has got are held. Where that begins or ends, the hashes of all waiting
// actors change.
#ifndef REHEARSE_WORLD_STATE_HELD_H
#define REHEARSE_WORLD_STATE_HELD_H

#include "world/world.h"

// Finds the messages that are held by the waiting actor in the slot; newest first.
void rh_held_find(struct rh_held *held, const struct rh_world *world, uint32_t slot);

// After a delivery, and after one was undone: whether data is changed now. Updates the fingerprint.
void rh_held_renew(struct rh_world *world);

// Where an address is in the messages that are held.
struct rh_held_place {
    uint32_t index;  // in held->messages; RH_NONE: the address is in none of them
    bool is_payload; // in the message's payload, or right behind it; otherwise in its record
    uint64_t offset;
};
struct rh_held_place rh_held_locate(const struct rh_held *held, const struct rh_world *world,
                                    uint64_t address);

#endif
