// SPDX-License-Identifier: MIT
// Channels: the pending messages from one actor to another, in order; and the front: the first message of each channel
// with all messages that are exempt from the order rule, in sending order. Nothing but the front can be
// delivered, unless a guard refuses it.
#ifndef REHEARSE_WORLD_CHANNEL_H
#define REHEARSE_WORLD_CHANNEL_H

#include "world/world.h"

// A message's term in the fingerprint is its hash times this to the power of its place in its channel.
// Odd, so that it has an inverse modulo 2^128.
#define RH_CHANNEL_BASE ((rh_hash128)0x9E3779B97F4A7C15u << 64 | 0xF39CC0605CEDC835u)
#define RH_CHANNEL_INVERSE ((rh_hash128)0x28969101C2282353u << 64 | 0x2F07EB1A988D4A1Du)
_Static_assert(RH_CHANNEL_BASE *RH_CHANNEL_INVERSE == 1, "the inverse must undo the base");

void rh_channel_append(struct rh_world *world, uint32_t index);
void rh_channel_pop(struct rh_world *world, uint32_t index); // undoes append
void rh_channel_remove(struct rh_world *world, uint32_t index);
void rh_channel_restore(struct rh_world *world, uint32_t index); // undoes remove

#endif
