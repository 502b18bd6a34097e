// SPDX-License-Identifier: MIT
#include "world/verify.h"

#include "memory/globals.h"
#include "world/channel.h"

bool rh_verify_is_on(const struct rh_world *world)
{
    return !world->verified.is_off && rh__process.owns_malloc &&
           !world->options.adapter->keeps_state;
}

static rh_hash128 memory_of(const struct rh_world *world, uint32_t slot)
{
    const struct rh_actor_record *record = &world->actors[slot];
    return rh_hash128_of(rh_world_memory(record, slot), record->heap.used - RH_STATE_OFFSET, slot);
}

// The hash that stands first in a record is left out: where data of the program begins to differ
// from the start, those of all waiting actors change.
static rh_hash128 record_of(const struct rh_world *world, uint32_t slot)
{
    const struct rh_actor_record *record = &world->actors[slot];
    enum { FIRST = sizeof record->hash };
    return rh_hash128_of((const char *)record + FIRST, RH_RECORD_SAVED - FIRST, slot);
}

// Identity and contents of a pending message; 0: it is not pending.
static rh_hash128 pending_of(const struct rh_world *world, uint32_t number)
{
    const struct rh_message *message = &world->messages[number];
    return message->pending
               ? rh_hash128_of(message->payload, message->hashed_size, message->identity)
               : 0;
}

static bool is_actor(const struct rh_world *world, uint32_t slot)
{
    return world->actors[slot].status != RH_ACTOR_OUTSIDE;
}

// Everything that undo must put back, as it lies in memory.
static rh_hash128 mark_of(struct rh_world *world)
{
    const uint64_t words[] = {world->actor_count,   world->message_count, world->payload_top,
                              world->pending_count, world->first_pending, world->last_pending,
                              world->number,        world->busy_count,    world->front.count};
    rh_hash128 mark = rh_hash128_of(words, sizeof words, 0) + rh_world_digest(world, true);
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (is_actor(world, slot))
            mark += memory_of(world, slot) + record_of(world, slot) + world->actors[slot].hash;
    return mark;
}

// Pending messages and channels.

static void check_pending(const struct rh_world *world)
{
    uint32_t previous = RH_NONE, count = 0;
    size_t front = 0;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *message = &world->messages[i];
        rh_assert(message->pending && i < world->message_count);
        rh_assert(message->previous == previous && (previous == RH_NONE || previous < i));
        if (message->channel == RH_NONE || message->channel_previous == RH_NONE) {
            rh_assert(front < world->front.count && world->front.items[front].message == i);
            front++;
        }
        previous = i;
        count++;
    }
    rh_assert(world->last_pending == previous && world->pending_count == count);
    rh_assert(world->front.count == front);
}

static uint32_t check_channel(const struct rh_world *world, uint32_t number)
{
    const struct rh_channel *channel = &world->channels.items[number];
    rh_hash128 sum = 0, power = 1;
    uint32_t previous = RH_NONE, count = 0;
    for (uint32_t i = channel->first; i != RH_NONE; i = world->messages[i].channel_next) {
        const struct rh_message *message = &world->messages[i];
        rh_assert(message->pending && message->channel == number);
        rh_assert(message->channel_previous == previous);
        sum += message->hash * power;
        power *= RH_CHANNEL_BASE;
        previous = i;
        count++;
    }
    rh_assert(channel->last == previous && channel->sum == sum && channel->power == power);
    return count;
}

static void check_channels(const struct rh_world *world)
{
    uint32_t in_channels = 0, pending = 0;
    for (uint32_t i = 0; i < world->channels.count; i++)
        in_channels += check_channel(world, i);
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        pending += world->messages[i].channel != RH_NONE;
    rh_assert(in_channels == pending);
}

// Deliveries.

void rh__verify_begin(struct rh_world *world)
{
    if (!rh_verify_is_on(world))
        return;
    world->verified.actors.count = 0;
    for (uint32_t slot = 0; slot < world->actor_count; slot++)
        *rh_vector_push(&world->verified.actors) = (struct rh_verified_actor){
            memory_of(world, slot), record_of(world, slot), world->actors[slot].hash};
    world->verified.pending.count = 0;
    for (uint32_t i = 0; i < world->message_count; i++)
        *rh_vector_push(&world->verified.pending) = pending_of(world, i);
    world->verified.globals = world->options.watch_globals ? rh_globals_term() : 0;
    while (world->verified.marks.count <= world->undo_count)
        rh_vector_push(&world->verified.marks);
    world->verified.marks.items[world->undo_count] = mark_of(world);
}

// Whether the program has kept to the memory of the receiver, or may reach that of others. Records
// are ours alone.
static bool check_others(const struct rh_world *world, uint32_t receiver)
{
    bool are_same = true;
    if (world->has_commons)
        return true;
    for (uint32_t slot = 1; slot < world->verified.actors.count; slot++) {
        const struct rh_verified_actor *before = &world->verified.actors.items[slot];
        if (slot == receiver || !is_actor(world, slot))
            continue;
        rh_assert(record_of(world, slot) == before->record);
        are_same &= memory_of(world, slot) == before->memory;
    }
    return are_same;
}

static void check_unused(const struct rh_world *world, uint32_t slot)
{
    enum { CHECKED = 256 };
    const struct rh_actor_record *record = &world->actors[slot];
    const char *unused = rh_slot_base(slot) + record->heap.used;
    for (size_t i = 0; !record->is_unplaced && i < CHECKED; i++)
        rh_assert(unused[i] == 0);
}

bool rh_verify_has_changed(const struct rh_world *world, uint32_t slot)
{
    const struct rh_verified_actor *before = &world->verified.actors.items[slot];
    return is_actor(world, slot) &&
           (record_of(world, slot) != before->record || memory_of(world, slot) != before->memory);
}

bool rh_verify_has_written(const struct rh_world *world)
{
    return world->options.watch_globals && rh_globals_term() != world->verified.globals;
}

bool rh_verify_has_taken(const struct rh_world *world, uint32_t message)
{
    rh_hash128 before = world->verified.pending.items[message];
    return before != 0 && before != pending_of(world, message);
}

void rh__verify_end(struct rh_world *world, uint32_t receiver)
{
    if (!rh_verify_is_on(world))
        return;
    check_pending(world);
    check_channels(world);
    world->verified.is_off = !check_others(world, receiver);
    if (world->verified.is_off)
        return;
    check_unused(world, receiver);
    if (world->options.fingerprints)
        rh_assert(rh_world_digest(world, true) == world->fingerprint);
}

void rh__verify_undone(struct rh_world *world)
{
    if (!rh_verify_is_on(world))
        return;
    check_pending(world);
    check_channels(world);
    rh_assert(mark_of(world) == world->verified.marks.items[world->undo_count]);
}
