// SPDX-License-Identifier: MIT
#include "cover/force.h"

#include <string.h>

#include "base/mapping.h"
#include "explore/strategy/replay.h"

bool rh_force_open(struct rh_force *force)
{
    *force = (struct rh_force){0};
    force->identities = rh_map_shared(sizeof *force->identities * RH_RECEIVES_MOST);
    force->places = rh_map_shared(sizeof *force->places * RH_EVENTS_MOST);
    return force->identities && force->places;
}

void rh_force_close(struct rh_force *force)
{
    rh_unmap_shared(force->identities, sizeof *force->identities * RH_RECEIVES_MOST);
    rh_unmap_shared(force->places, sizeof *force->places * RH_EVENTS_MOST);
}

void rh_force_start(struct rh_force *force, const struct rh_coverage *coverage,
                    const struct rh_receives *execution, const struct rh_plan *plan)
{
    force->number++;
    force->count = plan->count;
    force->step = 0;
    force->is_stuck = false;
    for (uint32_t i = 0; i < plan->count; i++) {
        uint32_t event = execution->items[plan->places[i]].event;
        force->identities[i] = coverage->events[event].identity;
        force->places[event] = (struct rh_record_place){force->number, i};
    }
}

// Following a schedule that was generated.

static bool is_held(const struct rh_force *force, const struct rh_coverage *coverage,
                    uint64_t identity)
{
    uint32_t event = rh_coverage_find_event(coverage, identity);
    return event != RH_NONE && force->places[event].execution == force->number &&
           force->places[event].place > force->step;
}

// Whether the message of the next step is pending for an actor that has stopped. Then the step
// counts as made: the message has come too late, and nothing else can become of it.
static bool is_too_late(const struct rh_force *force, const struct rh_world *world)
{
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        if (world->messages[i].identity == force->identities[force->step])
            return world->actors[world->messages[i].receiver].status == RH_ACTOR_STOPPED;
    return false;
}

// The way of the next step. Looks from the newest step's way on: messages received one after the
// other were mostly sent one after the other.
static uint32_t find_way(const struct rh_force *force, const struct rh_choice_point *point)
{
    const struct rh_world *world = point->world;
    uint32_t way = force->way < point->count ? force->way : 0;
    for (uint32_t i = 0; i < point->count; i++) {
        if (world->messages[world->deliverable[way]].identity == force->identities[force->step])
            return way;
        way = way + 1 < point->count ? way + 1 : 0;
    }
    return RH_NONE;
}

// The first way whose message the schedule does not name later.
static uint32_t find_other(const struct rh_force *force, const struct rh_coverage *coverage,
                           const struct rh_choice_point *point)
{
    const struct rh_world *world = point->world;
    for (uint32_t i = 0; i < point->count; i++)
        if (!is_held(force, coverage, world->messages[world->deliverable[i]].identity))
            return i;
    return RH_NONE;
}

static uint32_t follow_plan(struct rh_force *force, const struct rh_coverage *coverage,
                            const struct rh_choice_point *point)
{
    for (; !rh_force_is_done(force); force->step++) {
        uint32_t way = find_way(force, point);
        if (way != RH_NONE) {
            force->step++;
            force->way = way;
            return way;
        }
        if (is_too_late(force, point->world))
            continue;
        way = find_other(force, coverage, point);
        force->is_stuck = way == RH_NONE;
        return way;
    }
    return RH_NONE;
}

// Following a schedule from a file.

struct rh_status rh_force_check_file(const struct rh_schedule *schedule)
{
    for (size_t i = 0; i < schedule->steps.count; i++) {
        const struct rh_step *step = &schedule->steps.items[i];
        if (step->kind != RH_STEP_DELIVER && step->kind != RH_STEP_CHOOSE &&
            step->kind != RH_STEP_ANSWER)
            return rh_bad_input(
                "%s:%d: cover starts from deliveries, choices and holds; it knows no "
                "faults and no laps",
                schedule->path ? schedule->path : "schedule", step->line);
    }
    return rh_ok();
}

void rh_force_start_file(struct rh_force *force, const struct rh_schedule *schedule)
{
    bool says_order = schedule && (schedule->steps.count > 0 || schedule->holds.count > 0);
    force->file = force->holds.schedule = says_order ? schedule : NULL;
    force->file_step = 0;
}

void rh_force_stop_file(struct rh_force *force)
{
    force->file = NULL;
}

static const struct rh_step *file_step(const struct rh_force *force)
{
    return force->file && force->file_step < force->file->steps.count
               ? &force->file->steps.items[force->file_step]
               : NULL;
}

// Whether a step of the file, from `from` on, names this message.
static bool is_named(const struct rh_force *force, struct rh_world *world, size_t from,
                     const struct rh_message *message)
{
    for (size_t i = from; i < force->file->steps.count; i++) {
        const struct rh_step *step = &force->file->steps.items[i];
        if (step->kind == RH_STEP_DELIVER && rh_step_matches(world, step, message))
            return true;
    }
    return false;
}

_Noreturn static void refuse_step(const struct rh_force *force, const struct rh_step *step,
                                  const char *why)
{
    const char *path = force->file->path ? force->file->path : "schedule";
    rh_world_bad_input(rh__process.world,
                       rh_bad_input("%s:%d: %s to %s cannot be delivered here: %s", path,
                                    step->line, step->type, step->receiver, why));
}

// The next step of the file that is a delivery. Skips choices and answers that the program did not
// ask for.
static const struct rh_step *next_delivery(struct rh_force *force)
{
    const struct rh_step *step = file_step(force);
    while (step && step->kind != RH_STEP_DELIVER) {
        force->file_step++;
        step = file_step(force);
    }
    return step;
}

// The first way whose message is neither named later nor held; with `rng`, any of these. RH_NONE if
// there is none.
static uint32_t find_unnamed(const struct rh_force *force, const struct rh_choice_point *point,
                             struct rh_rng *rng)
{
    struct rh_world *world = point->world;
    uint32_t found = RH_NONE, count = 0;
    for (uint32_t i = 0; i < point->count; i++) {
        const struct rh_message *message = &world->messages[world->deliverable[i]];
        if (is_named(force, world, force->file_step, message) ||
            rh_holds_find(&force->holds, world, message))
            continue;
        count++;
        if (count == 1 || (rng && rh_rng_below(rng, count) == 0))
            found = i;
    }
    return found;
}

static uint32_t follow_step(struct rh_force *force, const struct rh_choice_point *point,
                            const struct rh_step *step)
{
    struct rh_world *world = point->world;
    for (uint32_t i = 0; i < point->count; i++)
        if (rh_step_matches(world, step, &world->messages[world->deliverable[i]])) {
            force->file_step++;
            return i;
        }
    uint32_t way = find_unnamed(force, point, NULL);
    if (way == RH_NONE)
        refuse_step(force, step,
                    "all that could be delivered instead has its turn later, or is held");
    return way;
}

// Follows the holds of the file when all its steps have been made.
static uint32_t follow_holds(struct rh_force *force, const struct rh_choice_point *point,
                             struct rh_rng *rng)
{
    struct rh_world *world = point->world;
    uint32_t way = find_unnamed(force, point, rng);
    const struct rh_message *first = &world->messages[world->deliverable[0]];
    if (way == RH_NONE)
        rh_holds_refuse(&force->holds, rh_holds_find(&force->holds, world, first));
    return way;
}

static uint32_t follow_file(struct rh_force *force, const struct rh_choice_point *point,
                            struct rh_rng *rng)
{
    const struct rh_step *step = next_delivery(force);
    struct rh_world *world = point->world;
    if (!step && force->file->holds.count == 0)
        return RH_NONE;
    uint32_t way = step ? follow_step(force, point, step) : follow_holds(force, point, rng);
    rh_holds_end(&force->holds, world, &world->messages[world->deliverable[way]]);
    return way;
}

static uint32_t follow_outcome(struct rh_force *force, const struct rh_choice_point *point)
{
    const struct rh_step *step = file_step(force);
    if (!step || step->kind != RH_STEP_CHOOSE || step->outcome >= (int)point->count)
        return RH_NONE;
    force->file_step++;
    return (uint32_t)step->outcome;
}

bool rh_force_answer(struct rh_force *force, const char *function, uint64_t *value)
{
    const struct rh_step *step = file_step(force);
    if (!step || step->kind != RH_STEP_ANSWER || strcmp(step->type, function) != 0)
        return false;
    *value = step->value;
    force->file_step++;
    return true;
}

uint32_t rh_force_choose(struct rh_force *force, const struct rh_coverage *coverage,
                         const struct rh_choice_point *point, struct rh_rng *rng)
{
    if (force->file)
        return point->is_delivery ? follow_file(force, point, rng) : follow_outcome(force, point);
    if (!point->is_delivery || force->is_stuck)
        return RH_NONE;
    return follow_plan(force, coverage, point);
}

static void end_file(struct rh_force *force, struct rh_world *world)
{
    const struct rh_step *step = next_delivery(force);
    const struct rh_hold *idle = rh_holds_find_idle(force->file, world);
    if (step)
        refuse_step(force, step, "the run has ended, nothing is deliverable");
    if (idle)
        rh_world_bad_input(rh__process.world, rh_holds_idle(force->file, idle));
}

void rh_force_end(struct rh_force *force, struct rh_world *world)
{
    if (force->file)
        end_file(force, world);
    while (!force->is_stuck && !rh_force_is_done(force) && is_too_late(force, world))
        force->step++;
}
