// SPDX-License-Identifier: MIT
#include "explore/strategy/holds.h"

#include "explore/strategy/replay.h"
#include "explore/strategy/strategy.h"

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
    rh_assert(holds->schedule->holds.count <= RH_HOLDS_MOST);
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

// "note to writer#1 from action#1", as the schedule says it.
static void add_message(struct rh_text *text, const struct rh_step *step)
{
    rh_text_addf(text, "%s to %s", step->type, step->receiver);
    if (step->sender)
        rh_text_addf(text, " from %s", step->sender);
    if (step->has_identity)
        rh_text_add(text, " with this @identity");
}

// "hold.schedule:4: note to writer#1 from action#1".
static void add_held(struct rh_text *text, const struct rh_schedule *schedule,
                     const struct rh_hold *hold)
{
    rh_text_addf(text, "%s:%d: ", schedule->path ? schedule->path : "schedule", hold->held.line);
    add_message(text, &hold->held);
}

struct rh_status rh_holds_idle(const struct rh_schedule *schedule, const struct rh_hold *hold)
{
    struct rh_text text = {0};
    add_held(&text, schedule, hold);
    struct rh_status status =
        rh_bad_input("%s cannot be held, since it is never sent; has the program changed? Name "
                     "another message, or search again",
                     rh_text_get(&text));
    rh_text_fini(&text);
    return status;
}

void rh_holds_refuse(const struct rh_holds *holds, const struct rh_hold *hold)
{
    struct rh_text text = {0};
    add_held(&text, holds->schedule, hold);
    rh_text_add(&text, " is held until ");
    add_message(&text, &hold->until);
    struct rh_status status =
        rh_bad_input("%s, which does not come: nothing else is deliverable", rh_text_get(&text));
    rh_text_fini(&text);
    rh_world_refuse(rh__process.world, status);
}
