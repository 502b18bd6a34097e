// SPDX-License-Identifier: MIT
// Earlier states of an actor, which the undo stack still has: asking a guard about one, and whether
// a delivery has changed its receiver.
#include <stdlib.h>
#include <string.h>

#include "world/fault.h"
#include "world/undo.h"

// Finds the first delivery to the actor behind `number` deliveries: until then the actor was as the
// undo record says. *record is NULL if there was none. false if the undo stack does not reach so
// far back.
static bool find_receiver(const struct rh_world *world, uint32_t number, uint32_t receiver,
                          const struct rh_undo_record **record)
{
    size_t offset = world->undo_last;
    *record = NULL;
    for (size_t i = 0; i < world->undo_count; i++) {
        const struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + offset);
        if (undo->number < number)
            return true;
        if (undo->receiver == receiver)
            *record = undo;
        if (undo->number == number)
            return true;
        offset = undo->previous;
    }
    return false;
}

static const struct rh_undo_record *find_message(const struct rh_world *world, uint32_t message)
{
    size_t offset = world->undo_last;
    for (size_t i = 0; i < world->undo_count; i++) {
        const struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + offset);
        if (undo->message == message)
            return undo;
        offset = undo->previous;
    }
    return NULL;
}

// Whether the message is as it was sent: no handler has written into it.
static bool is_as_sent(const struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    if (message->gifts > 0)
        return false;
    const struct rh_undo_record *undo = find_message(world, index);
    if (!undo)
        return message->pending;
    return message->payload == undo->payload &&
           (message->size == 0 ||
            memcmp(message->payload, rh_undo_payload(undo), message->size) == 0);
}

// An actor's memory and its record.
struct image {
    struct rh_actor_record record;
    char *memory; // owned
    size_t size;
};

static struct image take_image(const struct rh_world *world, uint32_t slot)
{
    struct image image = {.record = world->actors[slot]};
    image.size = image.record.heap.used - RH_STATE_OFFSET;
    image.memory = rh_alloc(image.size);
    memcpy(image.memory, rh_slot_base(slot) + RH_STATE_OFFSET, image.size);
    return image;
}

static void put_image(struct rh_world *world, uint32_t slot, const struct rh_actor_record *record,
                      const char *memory)
{
    char *base = rh_slot_base(slot);
    uint32_t used = record->heap.used;
    if (world->actors[slot].heap.used > used)
        memset(base + used, 0, world->actors[slot].heap.used - used);
    memcpy(base + RH_STATE_OFFSET, memory, used - RH_STATE_OFFSET);
    memcpy(&world->actors[slot], record, RH_RECORD_SAVED);
}

// Calls the guard of the receiver as the receiver is now.
static enum rh_answer ask(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    bool accepts = world->options.adapter->accepts(rh_world_address(message->receiver), message);
    bool failed = world->failed;
    world->failed = false;
    return failed ? RH_ANSWER_UNKNOWN : accepts ? RH_ANSWER_YES : RH_ANSWER_NO;
}

static bool can_ask(const struct rh_world *world, uint32_t index)
{
    const struct rh_actor_record *receiver = &world->actors[world->messages[index].receiver];
    return !world->failed && !world->wrote_globals && !world->wrote_library &&
           !receiver->library_image && !receiver->has_given && is_as_sent(world, index);
}

enum rh_answer rh_world_accepted(struct rh_world *world, uint32_t number, uint32_t index)
{
    const struct rh_undo_record *undo;
    uint32_t slot = world->messages[index].receiver;
    if (!rh_world_can_undo(world) || !find_receiver(world, number, slot, &undo))
        return RH_ANSWER_UNKNOWN;
    const struct rh_actor_record *then = undo ? &undo->record : &world->actors[slot];
    if (then->status != RH_ACTOR_IDLE)
        return RH_ANSWER_NO;
    if (!then->guard)
        return RH_ANSWER_YES;
    if (!can_ask(world, index))
        return RH_ANSWER_UNKNOWN;
    rh_world_place(world, slot);
    if (!undo)
        return ask(world, index);
    struct image now = take_image(world, slot);
    put_image(world, slot, &undo->record, (const char *)(undo + 1));
    enum rh_answer answer = ask(world, index);
    put_image(world, slot, &now.record, now.memory);
    free(now.memory);
    return answer;
}

// Whether two records of an actor at rest differ in what fingerprints see of them.
static bool records_differ(const struct rh_world *world, const struct rh_actor_record *one,
                           const struct rh_actor_record *other)
{
    return one->now != other->now || one->random_count != other->random_count ||
           one->behaviour_hash != other->behaviour_hash || one->at_stop != other->at_stop ||
           rh_actor_life(world, one) != rh_actor_life(world, other) ||
           one->heap.used != other->heap.used;
}

bool rh_world_has_changed_idle(const struct rh_world *world)
{
    rh_assert(world->options.keep_undo && world->undo_count > 0);
    const struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + world->undo_last);
    const struct rh_actor_record *record = &world->actors[undo->receiver];
    rh_assert(undo->record.status == RH_ACTOR_IDLE);
    return record->status != RH_ACTOR_IDLE || records_differ(world, &undo->record, record) ||
           memcmp(undo + 1, rh_slot_base(undo->receiver) + RH_STATE_OFFSET,
                  rh_undo_memory_size(undo)) != 0;
}
