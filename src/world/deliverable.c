// SPDX-License-Identifier: MIT
// What may be delivered now: the order rule, guards, timers, actors that wait or have stopped.
#include "world/fault.h"
#include "world/world.h"

// A guard looks at the message and at the receiver's state, so its answer holds until the receiver
// gets a message, and again when that delivery is undone. A guard may look at globals that
// deliveries have changed as well; and --undo verify wants to see that guards change nothing.
static bool is_answered(const struct rh_world *world, const struct rh_message *message)
{
    return message->answered_in == world->actors[message->receiver].changed_in &&
           !world->wrote_globals && !world->options.verify;
}

static bool is_refused(struct rh_world *world, struct rh_message *message)
{
    const struct rh_actor_record *receiver = &world->actors[message->receiver];
    if (!receiver->guard || message->kind == RH_REPLY)
        return false;
    if (is_answered(world, message))
        return message->was_refused;
    rh_world_place(world, message->receiver);
    message->was_refused =
        !world->options.adapter->accepts(rh_world_address(message->receiver), message);
    message->answered_in = world->failed ? 0 : receiver->changed_in;
    return message->was_refused;
}

// The order rule lets later messages pass one that is refused for now. Gives the first message of
// the channel, from this one on, that is accepted; RH_NONE if there is none.
static uint32_t first_accepted(struct rh_world *world, uint32_t index)
{
    while (index != RH_NONE && is_refused(world, &world->messages[index]))
        index = world->messages[index].channel == RH_NONE ? RH_NONE
                                                          : world->messages[index].channel_next;
    return index;
}

// Whether the actor that set this timer for itself has crashed since.
static bool is_of_another_life(const struct rh_world *world, const struct rh_message *timer)
{
    return world->options.faults.restarts && rh_message_is_stale(world, timer);
}

// A timer that the guard refuses has fired and waits like any message: it holds nothing back.
static bool has_earlier_timer(struct rh_world *world, const struct rh_message *timer)
{
    for (size_t i = 0; i < world->front.count; i++) {
        struct rh_message *other = &world->messages[world->front.items[i].message];
        if (other->kind == RH_TIMER && other->receiver == timer->receiver &&
            other->due < timer->due && !is_of_another_life(world, other) &&
            !is_refused(world, other))
            return true;
    }
    return false;
}

// The message that may be delivered for this one of the front: itself, or one that passes it;
// RH_NONE if there is none.
static __attribute__((noinline)) uint32_t deliverable_at(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    const struct rh_actor_record *receiver = &world->actors[message->receiver];
    bool is_reply = message->kind == RH_REPLY;
    if (receiver->status == RH_ACTOR_WAITING)
        return is_reply && message->request == receiver->request ? index : RH_NONE;
    if (receiver->status != RH_ACTOR_IDLE || is_reply)
        return RH_NONE;
    if (message->kind == RH_TIMER && is_of_another_life(world, message))
        return RH_NONE;
    // Under strict time keep_strict looks at all timers.
    if (message->kind == RH_TIMER && world->options.time != RH_TIME_STRICT &&
        has_earlier_timer(world, message))
        return RH_NONE;
    return receiver->guard ? first_accepted(world, index) : index;
}

// Whether deliverable_at need not be asked: most messages go to an actor that is idle and takes
// whatever comes.
static bool is_welcome(const struct rh_actor_record *actors, const struct rh_front *front)
{
    return front->receiver != RH_NONE && actors[front->receiver].status == RH_ACTOR_IDLE &&
           !actors[front->receiver].guard;
}

// Sorts by sending order. Only messages that were let past a refused one are out of order.
static void sort_deliverable(uint32_t *messages, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t message = messages[i], at = i;
        for (; at > 0 && messages[at - 1] > message; at--)
            messages[at] = messages[at - 1];
        messages[at] = message;
    }
}

// Strict time: keeps the earliest timers of all, and these only when nothing else can be delivered.
// Messages of rh_may_come do not count, since they may as well come later.
static uint32_t keep_strict(struct rh_world *world, uint32_t count)
{
    bool must_wait = false;
    uint64_t earliest = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_message *message = &world->messages[world->deliverable[i]];
        if (message->kind != RH_TIMER)
            must_wait |= message->coming == 0;
        else if (message->due < earliest)
            earliest = message->due;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_message *message = &world->messages[world->deliverable[i]];
        if (message->kind != RH_TIMER || (!must_wait && message->due == earliest))
            world->deliverable[kept++] = world->deliverable[i];
    }
    return kept;
}

uint32_t rh_world_without_comings(struct rh_world *world, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (world->messages[world->deliverable[i]].coming == 0)
            world->deliverable[kept++] = world->deliverable[i];
    return kept;
}

uint32_t rh_world_deliverable(struct rh_world *world)
{
    if (world->pending_count > world->deliverable_capacity) {
        world->deliverable_capacity = world->pending_count * 2;
        world->deliverable = rh_realloc(world->deliverable,
                                        sizeof *world->deliverable * world->deliverable_capacity);
    }
    // None of these arrays moves, which a compiler can't know.
    const struct rh_actor_record *actors = world->actors;
    const struct rh_front *front = world->front.items, *end = front + world->front.count;
    uint32_t *deliverable = world->deliverable;
    uint32_t count = 0;
    bool is_in_order = true;
    for (; front < end; front++) {
        uint32_t index = front->message;
        if (!is_welcome(actors, front)) {
            index = deliverable_at(world, index);
            is_in_order &= index == front->message || index == RH_NONE;
        }
        if (index != RH_NONE)
            deliverable[count++] = index;
    }
    if (!is_in_order)
        sort_deliverable(deliverable, count);
    return world->options.time == RH_TIME_STRICT ? keep_strict(world, count) : count;
}
