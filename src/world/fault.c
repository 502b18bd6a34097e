// SPDX-License-Identifier: MIT
#include "world/fault.h"

#include <stdlib.h>
#include <string.h>

#include "base/identity.h"
#include "world/library_image.h"

// How many faults there have been, and their part of the fingerprint.

rh_hash128 rh_faults_hash(const struct rh_world *world)
{
    const struct rh_faults *most = &world->options.faults, *left = &world->faults;
    uint64_t used[3] = {most->drops - left->drops, most->duplicates - left->duplicates,
                        most->crashes - left->crashes};
    return used[0] + used[1] + used[2] == 0 ? 0 : rh_hash128_of(used, sizeof used, 4);
}

static void take(struct rh_world *world, uint16_t *left, unsigned count)
{
    rh_hash128 before = rh_faults_hash(world);
    rh_assert(count <= *left);
    *left = (uint16_t)(*left - count);
    if (world->options.fingerprints)
        world->fingerprint += rh_faults_hash(world) - before;
}

// Whether the actor is the one, or one of those, that the aim names.
static bool is_named(const struct rh_world *world, uint32_t slot, const char *name)
{
    struct rh_text own = {0};
    if (strpbrk(name, "#/"))
        rh_world_add_name(world, &own, slot);
    else
        rh_identity_add_behaviour(&own, world->actors[slot].spawned_name);
    bool is_same = strcmp(rh_text_get(&own), name) == 0;
    rh_text_fini(&own);
    return is_same;
}

static bool is_at(const struct rh_world *world, enum rh_fault fault, uint32_t slot)
{
    const char *aim = world->options.faults.aims[fault];
    const char *actor = aim ? rh_aim_actor(aim, fault) : NULL;
    if (actor && !is_named(world, slot, actor))
        return false;
    if (aim && world->options.aims_met)
        *world->options.aims_met |= UINT32_C(1) << fault;
    return true;
}

// Faults at a send.

static bool is_aimed_at(const struct rh_world *world, enum rh_fault fault,
                        const struct rh_message *message)
{
    const char *aim = world->options.faults.aims[fault];
    return !aim ||
           (message->type && rh_aim_has_type(aim, message->type->name, message->sent_at == 0) &&
            is_at(world, fault, message->receiver));
}

static bool may_strike(const struct rh_world *world, const struct rh_message *message)
{
    return message->kind != RH_TIMER && message->coming == 0 &&
           message->sender != message->receiver &&
           world->actors[message->receiver].status != RH_ACTOR_OUTSIDE;
}

static unsigned ask_driver(struct rh_world *world, enum rh_fault fault,
                           const struct rh_message *message, unsigned left)
{
    const struct rh_world_driver *driver = &world->options.driver;
    int way = driver->fault(driver->context, fault, message, (int)left + 1);
    rh_assert(way >= 0 && way <= (int)left);
    return (unsigned)way;
}

static bool is_dropped(struct rh_world *world, const struct rh_message *message)
{
    // Asked even if no drop is left: then what a delivery has chosen is the same list in every
    // order of deliveries.
    if (world->options.faults.drops == 0 || !is_aimed_at(world, RH_FAULT_DROP, message) ||
        ask_driver(world, RH_FAULT_DROP, message, world->faults.drops > 0) == 0)
        return false;
    take(world, &world->faults.drops, 1);
    return true;
}

static unsigned choose_copies(struct rh_world *world, const struct rh_message *message)
{
    if (world->options.faults.duplicates == 0 || message->gifts > 0 ||
        !is_aimed_at(world, RH_FAULT_DUPLICATE, message))
        return 0;
    unsigned copies = ask_driver(world, RH_FAULT_DUPLICATE, message, world->faults.duplicates);
    if (copies > 0)
        take(world, &world->faults.duplicates, copies);
    return copies;
}

uint64_t rh_copy_identity(uint64_t identity, unsigned copy)
{
    return rh_hash64_pair(identity ^ RH_FAULT_DUPLICATE, copy);
}

static void add_copy(struct rh_world *world, uint32_t original, unsigned number)
{
    uint32_t index = rh_world_new_message(world);
    struct rh_message *message = &world->messages[index];
    *message = world->messages[original];
    message->identity = rh_copy_identity(message->identity, number);
    message->copy = (uint16_t)number;
    message->payload = rh_world_push_payload(world, message->payload, message->size);
    rh_world_push_guard(world);
    // Names of actors that the duplicate creates must differ from those that the original creates.
    message->first_from_creator = false;
    rh_trace_fault(world, RH_EVENT_DUPLICATE, message);
    rh_world_append(world, index);
}

void rh_fault_send(struct rh_world *world, uint32_t index)
{
    struct rh_message *message = &world->messages[index];
    bool may_be_struck = may_strike(world, message);
    if (message->kind == RH_TIMER && message->sender == message->receiver)
        message->life = rh_actor_life(world, &world->actors[message->sender]);
    if (may_be_struck && is_dropped(world, message)) {
        rh_trace_fault(world, RH_EVENT_DROP, message);
        return;
    }
    message->copies = (uint16_t)(may_be_struck ? choose_copies(world, message) : 0);
    rh_world_append(world, index);
    for (unsigned copy = 1; copy <= message->copies; copy++)
        add_copy(world, index, copy);
}

bool rh_message_is_surplus(const struct rh_message *message)
{
    const struct rh_message *original = message - message->copy;
    for (unsigned copy = 0; copy <= message->copies; copy++)
        if (!original[copy].pending)
            return true;
    return false;
}

// Crashes.

static const struct rh_type crash_type = {.name = "crash"};
static const struct rh_type end_type = {.name = "end"};

void rh_fault_setup(struct rh_world *world)
{
    world->end = rh_world_new_message(world);
    world->messages[world->end] = (struct rh_message){
        .identity = RH_FAULT_CRASH, .type = rh_world_type(world, &end_type), .kind = RH_END};
}

static void add_crash(struct rh_world *world, uint32_t slot, uint16_t life)
{
    struct rh_actor_record *record = &world->actors[slot];
    uint32_t index = rh_world_new_message(world);
    world->messages[index] = (struct rh_message){
        .identity = rh_hash64_pair(record->identity ^ RH_FAULT_CRASH, life),
        .type = rh_world_type(world, &crash_type),
        .receiver = slot,
        .kind = RH_CRASH,
        .life = life,
        .sent_at = world->number,
        .channel = RH_NONE,
    };
    record->crash = index;
}

// The state that an actor begins anew with is part of its present state.
static void keep_state(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    record->spawned_behaviour = record->behaviour;
    record->spawned_size = record->state_size;
    record->spawned_state = rh_world_push_payload(
        world, record->is_unplaced ? record->unplaced : record->state, record->state_size);
    if (!world->options.fingerprints)
        return;
    rh_hash128 hash = rh_canonical_hash(world, record->spawned_state, record->spawned_size, 5);
    record->origin = rh_hash64_pair(record->origin, (uint64_t)hash ^ (uint64_t)(hash >> 64));
}

void rh_fault_spawn(struct rh_world *world, uint32_t slot)
{
    add_crash(world, slot, 0);
    if (world->options.faults.restarts)
        keep_state(world, slot);
}

static void reserve_ways(struct rh_world *world, uint32_t most)
{
    if (most <= world->deliverable_capacity)
        return;
    world->deliverable_capacity = most * 2;
    world->deliverable =
        rh_realloc(world->deliverable, sizeof *world->deliverable * world->deliverable_capacity);
}

uint32_t rh__world_add_crashes(struct rh_world *world, uint32_t count)
{
    reserve_ways(world, count + world->actor_count + 1);
    uint32_t start = count == 0 ? 1 : count, ways = start;
    for (uint32_t slot = 1; slot < world->actor_count; slot++) {
        const struct rh_actor_record *record = &world->actors[slot];
        bool lives = record->status == RH_ACTOR_IDLE || record->status == RH_ACTOR_WAITING;
        if (lives && is_at(world, RH_FAULT_CRASH, slot))
            world->deliverable[ways++] = record->crash;
    }
    if (count > 0 || ways == start)
        return count > 0 ? ways : 0;
    world->deliverable[0] = world->end;
    return ways;
}

static void end_life(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    rh_library_forget(world, slot);
    rh_world_drop_memory(world, slot);
    if (!rh__process.owns_malloc && record->status == RH_ACTOR_WAITING)
        *rh_vector_push(&world->free_stacks) = record->saved_stack;
    record->saved_stack = NULL;
    record->library_image = NULL;
    record->at_stop = NULL;
    record->has_given = record->replied = record->stopping = false;
    record->handled = true; // no message is being handled that could be unhandled
    record->status = RH_ACTOR_CRASHED;
}

static void begin_life(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    rh_world_set_behaviour(record, record->spawned_behaviour, record->spawned_name);
    record->status = RH_ACTOR_IDLE;
    rh_world_place_state(world, slot, record->spawned_state, record->spawned_size);
    rh_world_place(world, slot);
}

void rh_fault_crash(struct rh_world *world, uint32_t index)
{
    uint32_t slot = world->messages[index].receiver;
    rh_trace_crash(world, index);
    take(world, &world->faults.crashes, 1);
    end_life(world, slot);
    if (!world->options.faults.restarts)
        return;
    add_crash(world, slot, (uint16_t)(world->messages[index].life + 1));
    begin_life(world, slot);
}

bool rh_message_is_stale(const struct rh_world *world, const struct rh_message *message)
{
    bool is_ask = message->kind == RH_ASK;
    if (is_ask || message->kind == RH_REPLY) {
        const struct rh_actor_record *asker =
            &world->actors[is_ask ? message->sender : message->receiver];
        return asker->status != RH_ACTOR_WAITING || asker->request != message->request;
    }
    return message->kind == RH_TIMER && message->sender == message->receiver &&
           message->life != rh_actor_life(world, &world->actors[message->receiver]);
}
