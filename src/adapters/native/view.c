// SPDX-License-Identifier: MIT
// What judges see of the world.
//
// A judge sees only what is the same in all executions that differ in the order of independent
// deliveries, and in all that lead to one state: otherwise reductions and the comparison of states
// would leave out what it can tell apart. The order in which several senders have sent what is
// pending is none of that. So pending messages of the test's own actors are shown by sender, and
// those of one sender in sending order. Behind them come messages that have no such order, since
// the order rule is not about them or their sender was created later, by their contents.
#include <stdlib.h>
#include <string.h>

#include "adapters/native/inside.h"
#include "entry/operations.h"
#include "world/fault.h"

// Notes what an invariant looks at, which decides the orders of deliveries that it can tell apart.
static void note_view(struct rh_world *world, uint32_t slot, const struct rh_type_info *type)
{
    const struct rh_world_driver *driver = &world->options.driver;
    if (driver->viewed && world->judging && !world->judging->at_end)
        driver->viewed(driver->context, (uint32_t)(world->judging - world->judges.items), slot,
                       type);
}

static const struct rh_actor_record *viewed(const rh_actor *actor)
{
    struct rh_world *world = rh__process.world;
    uint32_t slot = rh_world_slot(actor);
    if (slot == RH_NONE)
        rh_world_fail(world, RH_FINDING_CHECK, NULL, 0, "rh_view of %s",
                      actor ? "an address that is no actor's" : "NULL: there is no such actor");
    note_view(world, slot, NULL);
    return &world->actors[slot];
}

// States that are compared up to names may differ in which actor has this name, unless the test's
// body has created it.
const rh_actor *rh_view_named_body(const char *name)
{
    struct rh_world *world = rh_native_enter();
    if (!world->judging)
        rh_world_fail(world, RH_FINDING_CHECK, NULL, 0, "rh_view_named outside of a judge");
    const struct rh_world_driver *driver = &world->options.driver;
    uint32_t slot = rh_world_find_name(world, name);
    bool is_always_there = slot != RH_NONE && slot < world->body_actor_count;
    if (!is_always_there)
        rh_world_look(world, RH_LOOK_NAMES);
    if (!is_always_there && driver->looked_for && world->judging && !world->judging->at_end)
        driver->looked_for(driver->context, (uint32_t)(world->judging - world->judges.items),
                           rh_hash64_text(name, 0));
    rh_native_leave(world);
    return slot == RH_NONE ? NULL : rh_world_address(slot);
}

const void *rh_view_state_body(const rh_actor *actor)
{
    const struct rh_actor_record *record = viewed(actor);
    rh_world_place(rh__process.world, rh_world_slot(actor));
    return record->state;
}

bool rh_view_alive_body(const rh_actor *actor)
{
    const struct rh_actor_record *record = viewed(actor);
    return record->status != RH_ACTOR_STOPPED && record->status != RH_ACTOR_CRASHED;
}

// Pending messages.

// What never comes does not wait: a timer of an earlier life, a reply that nobody waits for.
static bool never_comes(const struct rh_world *world, const struct rh_message *message)
{
    return message->kind != RH_ASK && rh_faults_outlive_asks(world) &&
           rh_message_is_stale(world, message);
}

// A message that may come from outside (rh_may_come) is not viewed before it has come.
static bool is_viewed(const struct rh_world *world, const struct rh_message *message, uint32_t slot,
                      const struct rh_type_info *type)
{
    return message->receiver == slot && message->type == type && message->coming == 0 &&
           !never_comes(world, message);
}

static int compare(uint64_t one, uint64_t other)
{
    return one < other ? -1 : one > other;
}

static bool is_ordered(const struct rh_world *world, const struct rh_message *message)
{
    return message->channel != RH_NONE && message->sender < world->body_actor_count;
}

// Contents with addresses are compared as fingerprints see them. Messages with equal contents are
// the same to a judge.
static int compare_contents(const struct rh_message *one, const struct rh_message *other)
{
    bool has_one = rh_has_addresses(one->payload, one->size);
    bool has_other = rh_has_addresses(other->payload, other->size);
    if (has_one != has_other)
        return has_one ? 1 : -1;
    if (one->size != other->size)
        return compare(one->size, other->size);
    if (!has_one)
        return memcmp(one->payload, other->payload, one->size);
    rh_hash128 hash = rh_message_hash(rh__process.world, one);
    rh_hash128 other_hash = rh_message_hash(rh__process.world, other);
    int order = compare((uint64_t)(hash >> 64), (uint64_t)(other_hash >> 64));
    return order != 0 ? order : compare((uint64_t)hash, (uint64_t)other_hash);
}

static int compare_viewed(const void *first, const void *second)
{
    const struct rh_world *world = rh__process.world;
    const struct rh_message *one = &world->messages[*(const uint32_t *)first];
    const struct rh_message *other = &world->messages[*(const uint32_t *)second];
    if (is_ordered(world, one) != is_ordered(world, other))
        return is_ordered(world, one) ? -1 : 1;
    if (!is_ordered(world, one))
        return compare_contents(one, other);
    int order = compare(one->sender, other->sender);
    return order != 0 ? order : compare(*(const uint32_t *)first, *(const uint32_t *)second);
}

// Whether actors with other names would be shown in another order.
static bool depends_on_names(const struct rh_world *world, const struct rh_message *message)
{
    return !is_ordered(world, message) && rh_has_addresses(message->payload, message->size);
}

// A judge usually asks for one message after the other, while nothing changes.
static bool is_known(const struct rh_world *world, uint32_t slot, const struct rh_type_info *type)
{
    return world->viewed.in == world->judge_calls && world->viewed.slot == slot &&
           world->viewed.type == type;
}

static void find_viewed(struct rh_world *world, uint32_t slot, const struct rh_type_info *type)
{
    struct rh_viewed *viewed = &world->viewed;
    if (is_known(world, slot, type))
        return;
    viewed->in = world->judge_calls;
    viewed->slot = slot;
    viewed->type = type;
    viewed->messages.count = 0;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        if (is_viewed(world, &world->messages[i], slot, type))
            *rh_vector_push(&viewed->messages) = i;
    uint32_t *items = viewed->messages.items;
    if (viewed->messages.count > 1)
        qsort(items, viewed->messages.count, sizeof *items, compare_viewed);
    for (size_t i = 1; i < viewed->messages.count; i++)
        if (depends_on_names(world, &world->messages[items[i]]))
            rh_world_look(world, RH_LOOK_NAMES);
}

const void *rh__view_pending_body(const rh_actor *actor, const struct rh_type *type, size_t index)
{
    struct rh_world *world = rh_native_enter();
    uint32_t slot = rh_world_slot(actor);
    const struct rh_type_info *info = rh_world_type(world, type);
    const void *payload = NULL;
    if (slot != RH_NONE) {
        note_view(world, slot, info);
        find_viewed(world, slot, info);
        if (index < world->viewed.messages.count)
            payload = world->messages[world->viewed.messages.items[index]].payload;
    }
    rh_native_leave(world);
    return payload;
}

size_t rh__view_count_body(const rh_actor *actor, const struct rh_type *type)
{
    struct rh_world *world = rh_native_enter();
    uint32_t slot = rh_world_slot(actor);
    const struct rh_type_info *info = rh_world_type(world, type);
    size_t count = 0;
    if (slot != RH_NONE)
        note_view(world, slot, info);
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        count += is_viewed(world, &world->messages[i], slot, info);
    rh_native_leave(world);
    return count;
}
