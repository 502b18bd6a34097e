// SPDX-License-Identifier: MIT
#include "world/channel.h"

#include <stdlib.h>
#include <string.h>

// Where a message of a long front is, or belongs.
static size_t front_place(const struct rh_world *world, uint32_t index)
{
    size_t low = 0, high = world->front.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (world->front.items[middle].message < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void rh__front_add_long(struct rh_world *world, struct rh_front added)
{
    size_t place = front_place(world, added.message);
    struct rh_front *at = world->front.items + place;
    memmove(at + 1, at, sizeof *at * (world->front.count++ - place));
    *at = added;
}

void rh__front_remove_long(struct rh_world *world, uint32_t index)
{
    size_t place = front_place(world, index);
    struct rh_front *at = world->front.items + place;
    rh_assert(place < world->front.count && at->message == index);
    memmove(at, at + 1, sizeof *at * (--world->front.count - place));
}

// Channels.

static uint32_t find_channel(const struct rh_world *world, uint64_t key)
{
    struct rh_probe probe = rh_table_probe(&world->channel_table, rh_table_hash(key));
    while (rh_probe_next(&probe))
        if (world->channels.items[probe.number].key == key)
            return probe.number;
    return RH_NONE;
}

static uint32_t get_channel(struct rh_world *world, const struct rh_message *message)
{
    // Each rh_may_come has a channel of its own.
    uint32_t from = message->coming != 0 ? UINT32_MAX - message->coming : message->sender;
    uint64_t key = (uint64_t)from << 32 | message->receiver;
    uint32_t known = find_channel(world, key);
    if (known != RH_NONE)
        return known;
    uint32_t added = (uint32_t)world->channels.count;
    rh_table_add(&world->channel_table, NULL, rh_table_hash(key), added);
    *rh_vector_push(&world->channels) =
        (struct rh_channel){.key = key, .first = RH_NONE, .last = RH_NONE, .power = 1};
    return added;
}

static bool has_order(const struct rh_world *world, const struct rh_message *message)
{
    return message->coming != 0 ||
           (world->options.order_rule == RH_ORDER_FIFO && message->kind != RH_REPLY &&
            message->kind != RH_TIMER && message->copy == 0);
}

void rh_channel_append(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    rh_assert(world->front.count == 0 ||
              world->front.items[world->front.count - 1].message < index);
    if (!has_order(world, message)) {
        message->channel = RH_NONE;
        world->fingerprint += message->hash;
        *rh_vector_push(&world->front) = rh__front_of(world, index);
        return;
    }
    message->channel = get_channel(world, message);
    struct rh_channel *channel = &world->channels.items[message->channel];
    message->channel_previous = channel->last;
    message->channel_next = RH_NONE;
    if (channel->last == RH_NONE) {
        channel->first = index;
        *rh_vector_push(&world->front) = rh__front_of(world, index);
    } else {
        world->messages[channel->last].channel_next = index;
    }
    channel->last = index;
    rh_hash128 term = message->hash * channel->power;
    channel->power *= RH_CHANNEL_BASE;
    channel->sum += term;
    world->fingerprint += term;
}

void rh_channel_pop(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    if (message->channel == RH_NONE || message->channel_previous == RH_NONE)
        world->front.count--;
    if (message->channel == RH_NONE)
        return;
    struct rh_channel *channel = &world->channels.items[message->channel];
    rh_assert(channel->last == index);
    channel->last = message->channel_previous;
    if (channel->last == RH_NONE)
        channel->first = RH_NONE;
    else
        world->messages[channel->last].channel_next = RH_NONE;
    channel->power *= RH_CHANNEL_INVERSE;
    channel->sum -= message->hash * channel->power;
}

// The sum over the messages in front of this one, and RH_CHANNEL_BASE to the power of their number.
static rh_hash128 sum_before(const struct rh_world *world, const struct rh_message *message,
                             rh_hash128 *power)
{
    rh_hash128 sum = 0;
    *power = 1;
    if (message->channel_previous == RH_NONE)
        return 0;
    uint32_t i = world->channels.items[message->channel].first;
    for (;;) {
        sum += world->messages[i].hash * *power;
        *power *= RH_CHANNEL_BASE;
        if (i == message->channel_previous)
            return sum;
        i = world->messages[i].channel_next;
    }
}

void rh__channel_remove(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    struct rh_channel *channel = &world->channels.items[message->channel];
    rh_hash128 power;
    rh_hash128 before = sum_before(world, message, &power);
    rh_hash128 sum = before + (channel->sum - before - message->hash * power) * RH_CHANNEL_INVERSE;
    world->fingerprint += sum - channel->sum;
    channel->sum = sum;
    channel->power *= RH_CHANNEL_INVERSE;
    if (message->channel_previous == RH_NONE) {
        channel->first = message->channel_next;
        rh__front_remove(world, index);
        rh__front_add(world, channel->first);
    } else {
        world->messages[message->channel_previous].channel_next = message->channel_next;
    }
    if (message->channel_next == RH_NONE)
        channel->last = message->channel_previous;
    else
        world->messages[message->channel_next].channel_previous = message->channel_previous;
}

void rh__channel_restore(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    if (message->channel_previous == RH_NONE) {
        rh__front_remove(world, message->channel_next);
        rh__front_add(world, index);
    }
    struct rh_channel *channel = &world->channels.items[message->channel];
    rh_hash128 power;
    rh_hash128 before = sum_before(world, message, &power);
    channel->sum = before + (channel->sum - before) * RH_CHANNEL_BASE + message->hash * power;
    channel->power *= RH_CHANNEL_BASE;
    if (message->channel_previous == RH_NONE)
        channel->first = index;
    else
        world->messages[message->channel_previous].channel_next = index;
    if (message->channel_next == RH_NONE)
        channel->last = index;
    else
        world->messages[message->channel_next].channel_previous = index;
}
