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

// The front, as a list.

static inline void rh__link_front(struct rh_world *world, uint32_t index, uint32_t previous,
                                  uint32_t next)
{
    struct rh_message *message = &world->messages[index];
    message->front_previous = previous;
    message->front_next = next;
    if (previous == RH_NONE)
        world->first_front = index;
    else
        world->messages[previous].front_next = index;
    if (next == RH_NONE)
        world->last_front = index;
    else
        world->messages[next].front_previous = index;
}

static inline void rh__unlink_front(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    if (message->front_previous == RH_NONE)
        world->first_front = message->front_next;
    else
        world->messages[message->front_previous].front_next = message->front_next;
    if (message->front_next == RH_NONE)
        world->last_front = message->front_previous;
    else
        world->messages[message->front_next].front_previous = message->front_previous;
}

// The reverse of unlink_front; the message still knows its neighbours.
static inline void rh__relink_front(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    rh__link_front(world, index, message->front_previous, message->front_next);
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
    rh__unlink_front(world, index);
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
    rh__relink_front(world, index);
}

#endif
