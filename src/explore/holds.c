// SPDX-License-Identifier: MIT
#include "explore/holds.h"

#include "explore/shared.h"
#include "explore/strategy.h"

const struct rh_hold *rh_holds_find(const struct rh_holds *holds, struct rh_world *world,
                                    const struct rh_message *message)
{
    for (size_t i = 0; i < holds->schedule->holds.count; i++) {
        const struct rh_hold *hold = &holds->schedule->holds.items[i];
        if (!holds->is_over[i] && rh_step_matches(world, &hold->held, message))
            return hold;
    }
    return NULL;
}

void rh_holds_end(struct rh_holds *holds, struct rh_world *world, const struct rh_message *message)
{
    for (size_t i = 0; i < holds->schedule->holds.count; i++)
        holds->is_over[i] |=
            rh_step_matches(world, &holds->schedule->holds.items[i].until, message);
}

static bool was_sent(struct rh_world *world, const struct rh_step *step)
{
    for (uint32_t i = 0; i < world->message_count; i++)
        if (rh_step_matches(world, step, &world->messages[i]))
            return true;
    return false;
}

const struct rh_hold *rh_holds_find_idle(const struct rh_schedule *schedule, struct rh_world *world)
{
    for (size_t i = 0; i < schedule->holds.count; i++)
        if (!was_sent(world, &schedule->holds.items[i].held))
            return &schedule->holds.items[i];
    return NULL;
}

struct rh_status rh_holds_idle(const struct rh_schedule *schedule, const struct rh_hold *hold)
{
    const struct rh_step *held = &hold->held;
    return rh_bad_input("%s:%d: %s to %s%s%s%s cannot be held, since it is never sent; has the "
                        "program changed? Name another message, or search again",
                        schedule->path ? schedule->path : "schedule", held->line, held->type,
                        held->receiver, held->sender ? " from " : "",
                        held->sender ? held->sender : "",
                        held->has_identity ? " with this @identity" : "");
}

void rh_holds_refuse(const struct rh_holds *holds, const struct rh_hold *hold)
{
    const char *path = holds->schedule->path ? holds->schedule->path : "schedule";
    rh_worker_bad_input(rh_bad_input("%s:%d: %s to %s is held until %s to %s, which does not come: "
                                     "nothing else is deliverable",
                                     path, hold->held.line, hold->held.type, hold->held.receiver,
                                     hold->until.type, hold->until.receiver));
}
