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

void rh_holds_refuse(const struct rh_holds *holds, const struct rh_hold *hold)
{
    const char *path = holds->schedule->path ? holds->schedule->path : "schedule";
    rh_worker_bad_input(rh_bad_input("%s:%d: %s to %s is held until %s to %s, which does not come: "
                                     "nothing else is deliverable",
                                     path, hold->held.line, hold->held.type, hold->held.receiver,
                                     hold->until.type, hold->until.receiver));
}
