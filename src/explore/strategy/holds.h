// SPDX-License-Identifier: MIT
// The holds of a schedule while an execution follows it: messages that are left for later until
// others were delivered.
#ifndef REHEARSE_EXPLORE_STRATEGY_HOLDS_H
#define REHEARSE_EXPLORE_STRATEGY_HOLDS_H

#include "trace/schedule.h"
#include "world/world.h"

// Begins as zeros and the schedule.
struct rh_holds {
    const struct rh_schedule *schedule; // borrowed
    bool is_over[RH_HOLDS_MOST];        // by hold: the message that it waited for was delivered
};

// The hold because of which the message is not delivered yet; NULL if there is none.
const struct rh_hold *rh_holds_find(const struct rh_holds *holds, struct rh_world *world,
                                    const struct rh_message *message);

// The message is delivered: ends the holds that waited for it.
void rh_holds_end(struct rh_holds *holds, struct rh_world *world, const struct rh_message *message);

// Only held messages are deliverable: the schedule is refused (rh_world_refuse).
void rh_holds_refuse(const struct rh_holds *holds, const struct rh_hold *hold);

// The first hold that had no effect in an execution that has ended: its message was never sent.
// NULL if there is none.
const struct rh_hold *rh_holds_find_idle(const struct rh_schedule *schedule,
                                         struct rh_world *world);
// What to say about a hold that had no effect.
struct rh_status rh_holds_idle(const struct rh_schedule *schedule, const struct rh_hold *hold);

#endif
