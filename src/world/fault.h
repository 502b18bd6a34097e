// SPDX-License-Identifier: MIT
// Faults: a message that is lost, a message that comes more than once, an actor that crashes.
//
// A drop and a duplicate are chosen where the message is sent. What is lost is a message that was never pending. A
// duplicate is a message of its own, exempt from the order rule. Messages do not get lost or doubled on their way to
// their own sender or to the outside; timers do not either, nor what may come from outside, which can as well stay away;
// and messages with blocks given away are not doubled. All this follows from the sender's past, so the order of independent deliveries has no part in it.
//
// A crash is a step like a delivery. It stands in the array of messages, sent with the creation of the actor, so that
// whoever chooses among messages can choose it too, but it is never pending. Where a crash may still come when nothing
// is deliverable, the end is a choice as well, and stands there in the same way.
//
// An actor that begins anew keeps its address, its identity and its clock. It has another life, which the identity of
// its next crash carries, and nothing of the one before: its timers and the replies to its requests are for a life
// that is over, and never come.
#ifndef REHEARSE_WORLD_FAULT_H
#define REHEARSE_WORLD_FAULT_H

#include "world/world.h"

// Whether sending a message is more than putting it on its way.
static inline bool rh_faults_at_send(const struct rh_world *world)
{
    return rh_faults_any(&world->options.faults);
}

// Loses a message that was just made, or puts it on its way with the duplicates it gets.
void rh_fault_send(struct rh_world *world, uint32_t index);

// The identity of a duplicate, by the identity of the original and its number.
uint64_t rh_copy_identity(uint64_t identity, unsigned copy);

// The end as a choice, before the test's body runs.
void rh_fault_setup(struct rh_world *world);

// An actor was just created: it may crash.
void rh_fault_spawn(struct rh_world *world, uint32_t slot);

// Adds the crashes that may come now to what is deliverable, and the end in front of them if nothing is. Gives how many
// ways there are then.
uint32_t rh__world_add_crashes(struct rh_world *world, uint32_t count);
static inline uint32_t rh_world_add_crashes(struct rh_world *world, uint32_t count)
{
    return world->faults.crashes == 0 ? count : rh__world_add_crashes(world, count);
}

// The receiver of the message, which is its crash, has crashed.
void rh_fault_crash(struct rh_world *world, uint32_t index);

// Which of its lives the actor is in, from 0: timers that it has set for itself in others will never fire.
static inline uint16_t rh_actor_life(const struct rh_world *world,
                                     const struct rh_actor_record *record)
{
    return world->options.faults.crashes > 0 && world->options.faults.restarts
               ? world->messages[record->crash].life
               : 0;
}

// Whether a pending message will never be delivered because the life of an actor it was meant for is over, or because
// what it answers has been answered.
bool rh_message_is_stale(const struct rh_world *world, const struct rh_message *message);

// Whether a pending message is one too many: another of the same duplicates was delivered.
bool rh_message_is_surplus(const struct rh_message *message);

// Whether replies may be pending that answer what nobody waits for.
static inline bool rh_faults_outlive_asks(const struct rh_world *world)
{
    return world->options.faults.duplicates > 0 ||
           (world->options.faults.crashes > 0 && world->options.faults.restarts);
}

#endif
