// SPDX-License-Identifier: MIT
// Faults: a message that is lost, a message that comes more than once, an actor that crashes.
//
// A drop and a duplicate are chosen where the message is sent. A lost message was never pending. A
// duplicate is a message of its own, exempt from the order rule. No message is lost or doubled on
// its way to its own sender or to the outside; nor is a timer, nor a message of rh_may_come, which
// can as well stay away; and messages with given blocks are not doubled. All these conditions
// follow from the sender's past, so the order of independent deliveries has no part in them.
//
// A crash is a step like a delivery. It stands in the array of messages, sent with the creation of
// the actor, so that whoever chooses among messages can choose a crash too, but it is never
// pending. Where a crash may still come when nothing is deliverable, the end of the execution is a
// choice as well, and stands in the array in the same way.
//
// An actor that begins anew keeps its address, its identity and its clock. It has another life,
// whose number is in the identity of its next crash, and nothing of the life before: timers of that
// life and replies to its requests never come.
#ifndef REHEARSE_WORLD_FAULT_H
#define REHEARSE_WORLD_FAULT_H

#include "world/world.h"

// Whether sending a message is more than putting it on its way.
static inline bool rh_faults_at_send(const struct rh_world *world)
{
    return rh_faults_any(&world->options.faults);
}

// Loses a message that was just made, or puts it on its way together with its duplicates.
void rh_fault_send(struct rh_world *world, uint32_t index);

// The identity of a duplicate, from the identity of the original and the duplicate's number.
uint64_t rh_copy_identity(uint64_t identity, unsigned copy);

// Makes the end of an execution a choice, before the test's body runs.
void rh_fault_setup(struct rh_world *world);

// Adds the crash of an actor that was just created.
void rh_fault_spawn(struct rh_world *world, uint32_t slot);

// Adds the crashes that may come now to what is deliverable, and the end of the execution in front
// of them if nothing is deliverable. Gives the number of ways with them.
uint32_t rh__world_add_crashes(struct rh_world *world, uint32_t count);
static inline uint32_t rh_world_add_crashes(struct rh_world *world, uint32_t count)
{
    return world->faults.crashes == 0 ? count : rh__world_add_crashes(world, count);
}

// Crashes the receiver of the message, which is its crash.
void rh_fault_crash(struct rh_world *world, uint32_t index);

// Which of its lives the actor is in, from 0: timers that it has set for itself in earlier ones
// never fire.
static inline uint16_t rh_actor_life(const struct rh_world *world,
                                     const struct rh_actor_record *record)
{
    return world->options.faults.crashes > 0 && world->options.faults.restarts
               ? world->messages[record->crash].life
               : 0;
}

// Whether a pending message will never be delivered because the life of an actor that it was meant
// for is over, or because the request that it answers has been answered.
bool rh_message_is_stale(const struct rh_world *world, const struct rh_message *message);

// Whether a pending message is one too many: another of the same duplicates was delivered.
bool rh_message_is_surplus(const struct rh_message *message);

// Whether replies to requests may be pending whose answer nobody waits for.
static inline bool rh_faults_outlive_asks(const struct rh_world *world)
{
    return world->options.faults.duplicates > 0 ||
           (world->options.faults.crashes > 0 && world->options.faults.restarts);
}

#endif
