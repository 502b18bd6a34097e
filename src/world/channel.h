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

// The front is an array, sorted by number: it is gone through before every delivery. Most are short; long ones are
// changed by functions of their own.

enum { RH_FRONT_SHORT = 16 };

void rh__front_add_long(struct rh_world *world, struct rh_front added);
void rh__front_remove_long(struct rh_world *world, uint32_t index);

static inline struct rh_front rh__front_of(const struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    return (struct rh_front){index, message->kind <= RH_ASK ? message->receiver : RH_NONE};
}

// Puts a message there again, or one in place of another: there has been room for it.
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
    // From the end, each takes the place of the one before it.
    size_t place = --world->front.count;
    struct rh_front moved = front[place];
    while (moved.message != index) {
        struct rh_front before = front[--place];
        front[place] = moved;
        moved = before;
    }
}

// Of a channel with other messages.
void rh__channel_remove(struct rh_world *world, uint32_t index);
void rh__channel_restore(struct rh_world *world, uint32_t index);

// A message that is the only one of its channel, or has none, is by far the most common case.

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

// Undoes remove, but for the fingerprint.
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
