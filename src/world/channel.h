// SPDX-License-Identifier: MIT
// Channels: the pending messages from one actor to another, in order; and the front: the first
// message of each channel with all messages that are exempt from the order rule, in sending order.
// Only a message of the front can be delivered, or one behind it in its channel if guards refuse
// all before.
#ifndef REHEARSE_WORLD_CHANNEL_H
#define REHEARSE_WORLD_CHANNEL_H

#include "world/world.h"

// A message's term in the fingerprint is its hash times this base to the power of the message's
// place in its channel. The base is odd, so that it has an inverse modulo 2^128.
#define RH_CHANNEL_BASE ((rh_hash128)0x9E3779B97F4A7C15u << 64 | 0xF39CC0605CEDC835u)
#define RH_CHANNEL_INVERSE ((rh_hash128)0x28969101C2282353u << 64 | 0x2F07EB1A988D4A1Du)
_Static_assert(RH_CHANNEL_BASE *RH_CHANNEL_INVERSE == 1, "the inverse must undo the base");

void rh_channel_append(struct rh_world *world, uint32_t index);
void rh_channel_pop(struct rh_world *world, uint32_t index); // undoes append

// The front is an array, sorted by message number, which is walked before every delivery. Most
// fronts are short; functions of their own change long ones.

enum { RH_FRONT_SHORT = 16 };

void rh__front_add_long(struct rh_world *world, struct rh_front added);
void rh__front_remove_long(struct rh_world *world, uint32_t index);

static inline struct rh_front rh__front_of(const struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    return (struct rh_front){index, message->kind <= RH_ASK ? message->receiver : RH_NONE};
}

// Adds a message that was in the front before, or one in place of another: the array has room.
static inline void rh__front_add(struct rh_world *world, uint32_t index)
{
    struct rh_front *front = world->front.items, added = rh__front_of(world, index);
    if (world->front.count > RH_FRONT_SHORT) {
        rh__front_add_long(world, added);
        return;
    }
    size_t place = world->front.count++;
    for (; place > 0 && front[place - 1].message > index; place--)
        front[place] = front[place - 1];
    front[place] = added;
}

static inline void rh__front_remove(struct rh_world *world, uint32_t index)
{
    struct rh_front *front = world->front.items;
    if (world->front.count > RH_FRONT_SHORT) {
        rh__front_remove_long(world, index);
        return;
    }
    // From the end, each message takes the place of the one before it.
    size_t place = --world->front.count;
    struct rh_front moved = front[place];
    while (moved.message != index) {
        struct rh_front before = front[--place];
        front[place] = moved;
        moved = before;
    }
}

// For a channel that holds other messages besides.
void rh__channel_remove(struct rh_world *world, uint32_t index);
void rh__channel_restore(struct rh_world *world, uint32_t index);

// By far most messages are the only one of their channel, or have no channel.

static inline void rh_channel_remove(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    if (message->channel != RH_NONE) {
        struct rh_channel *channel = &world->channels.items[message->channel];
        if (channel->first != channel->last) {
            rh__channel_remove(world, index);
            return;
        }
        channel->first = channel->last = RH_NONE;
        channel->sum = 0;
        channel->power = 1;
    }
    rh__front_remove(world, index);
    world->fingerprint -= message->hash;
}

// Undoes rh_channel_remove, but for the fingerprint.
static inline void rh_channel_restore(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    if (message->channel != RH_NONE) {
        struct rh_channel *channel = &world->channels.items[message->channel];
        if (channel->first != RH_NONE) {
            rh__channel_restore(world, index);
            return;
        }
        channel->first = channel->last = index;
        channel->sum = message->hash;
        channel->power = RH_CHANNEL_BASE;
    }
    rh__front_add(world, index);
}

#endif
