// SPDX-License-Identifier: MIT
// replay: follows a schedule; after its last step the rest is delivered in sending order, but for
// messages that are held.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore/strategy/holds.h"
#include "explore/strategy/replay.h"
#include "explore/strategy/strategy.h"
#include "world/fault.h"

struct replay_memory {
    const struct rh_schedule *schedule; // the same address in every worker: they are forks
    size_t step;
    bool stops;      // the execution ends with the last step
    bool is_lenient; // steps that can't be made are left out
    struct rh_holds holds;
};

_Static_assert(sizeof(struct replay_memory) <= RH_STRATEGY_MEMORY, "a strategy's memory");

static bool replay_init(void *memory, const struct rh_run_options *options)
{
    struct replay_memory *replay = memory;
    memset(replay, 0, sizeof *replay);
    replay->schedule = replay->holds.schedule = options->schedule;
    replay->is_lenient = options->lenient;
    replay->stops = options->schedule->stops;
    for (size_t i = 0; i < options->schedule->steps.count; i++)
        replay->stops |= options->schedule->steps.items[i].kind == RH_STEP_LAP;
    return true;
}

static bool name_is(struct rh_world *world, uint32_t slot, const char *name)
{
    struct rh_text text = {0};
    rh_world_add_name(world, &text, slot);
    bool same = strcmp(rh_text_get(&text), name) == 0;
    rh_text_fini(&text);
    return same;
}

static bool step_matches(struct rh_world *world, const struct rh_step *step,
                         const struct rh_message *message, uint64_t identity)
{
    if (step->has_identity)
        return identity == step->identity;
    return strcmp(message->type->name, step->type) == 0 &&
           name_is(world, message->receiver, step->receiver) &&
           (!step->sender || name_is(world, message->sender, step->sender));
}

static bool crash_matches(struct rh_world *world, const struct rh_step *step,
                          const struct rh_message *message)
{
    return message->kind == RH_CRASH &&
           (step->has_identity ? message->identity == step->identity
                               : name_is(world, message->receiver, step->receiver));
}

static void add_way(struct rh_world *world, struct rh_text *text, const struct rh_message *message)
{
    rh_text_addf(text, "%s to ", message->type->name);
    rh_world_add_name(world, text, message->receiver);
    rh_text_add(text, " from ");
    rh_world_add_name(world, text, message->sender);
}

static void add_deliverable(struct rh_world *world, struct rh_text *text, uint32_t count)
{
    uint32_t messages = 0;
    while (messages < count && world->messages[world->deliverable[messages]].kind < RH_CRASH)
        messages++;
    for (uint32_t i = 0; i < messages && i < 5; i++) {
        rh_text_add(text, i == 0 ? "" : ", ");
        add_way(world, text, &world->messages[world->deliverable[i]]);
    }
    if (messages > 5)
        rh_text_addf(text, " and %u more", messages - 5);
    if (messages == 0)
        rh_text_add(text, "nothing");
}

static const char *why_not(enum rh_step_kind kind)
{
    if (rh_step_is_crash(kind))
        return ": there is no such actor alive";
    return kind == RH_STEP_DELIVER ? "" : ": it was not sent since the step above";
}

// `function` is what the program calls instead; NULL: none.
static void refuse_answer(const struct replay_memory *replay, const struct rh_step *step,
                          const char *function)
{
    const char *path = replay->schedule->path ? replay->schedule->path : "schedule";
    rh_world_refuse(rh__process.world,
                    rh_bad_input("%s:%d: the program does not call %s here%s%s", path, step->line,
                                 step->type, function ? ", but " : "", function ? function : ""));
}

// Says to people why the step can't be done. Gives RH_NONE: no way.
static uint32_t refuse(const struct replay_memory *replay, const struct rh_step *step,
                       const struct rh_choice_point *point)
{
    struct rh_text instead = {0};
    if (step->kind == RH_STEP_ANSWER) {
        refuse_answer(replay, step, NULL);
        return RH_NONE;
    }
    if (point->is_delivery)
        add_deliverable(point->world, &instead, point->count);
    else
        rh_text_addf(&instead, "an rh_choose among %u", point->count);
    const char *path = replay->schedule->path ? replay->schedule->path : "schedule";
    struct rh_status status;
    if (step->kind == RH_STEP_CHOOSE)
        status = rh_bad_input("%s:%d: the program does not choose %d of %d here; it could do "
                              "instead: %s",
                              path, step->line, step->outcome, step->count, rh_text_get(&instead));
    else
        status = rh_bad_input("%s:%d: %s%s%s%s%s%s cannot %s here%s; deliverable instead: %s", path,
                              step->line, step->type ? step->type : "", step->type ? " to " : "",
                              step->receiver, step->sender ? " from " : "",
                              step->sender ? step->sender : "",
                              step->has_identity ? " with this @identity" : "",
                              rh_step_deed(step->kind), why_not(step->kind), rh_text_get(&instead));
    rh_text_fini(&instead);
    rh_world_refuse(rh__process.world, status);
    return RH_NONE;
}

// How often the schedule has this fault befall the message that is being sent.
static uint32_t count_faults(struct replay_memory *replay, const struct rh_choice_point *point)
{
    bool drops = point->fault == RH_FAULT_DROP;
    uint32_t count = 0;
    while (count + 1 < point->count && !rh_replay_is_done(replay)) {
        const struct rh_step *step = &replay->schedule->steps.items[replay->step];
        uint64_t identity =
            drops ? point->sent->identity : rh_copy_identity(point->sent->identity, count + 1);
        if (step->kind != (drops ? RH_STEP_DROP : RH_STEP_DUPLICATE) ||
            !step_matches(point->world, step, point->sent, identity))
            break;
        replay->step++;
        count++;
    }
    return count;
}

bool rh_step_matches(struct rh_world *world, const struct rh_step *step,
                     const struct rh_message *message)
{
    return message->kind < RH_CRASH && step_matches(world, step, message, message->identity);
}

static bool is_way(struct rh_world *world, const struct rh_step *step,
                   const struct rh_message *message)
{
    if (step->kind != RH_STEP_DELIVER)
        return crash_matches(world, step, message);
    return rh_step_matches(world, step, message);
}

// The way that makes the step; RH_NONE if the step can't be made here.
static uint32_t find_way(const struct rh_step *step, const struct rh_choice_point *point)
{
    for (uint32_t i = 0; i < point->count; i++)
        if (is_way(point->world, step, &point->world->messages[point->world->deliverable[i]]))
            return i;
    return RH_NONE;
}

static bool is_named(const struct rh_schedule *schedule, uint64_t identity)
{
    for (size_t i = 0; i < schedule->steps.count; i++)
        if (schedule->steps.items[i].kind == RH_STEP_DELIVER &&
            schedule->steps.items[i].identity == identity)
            return true;
    for (size_t i = 0; i < schedule->holds.count; i++)
        if (schedule->holds.items[i].held.identity == identity ||
            schedule->holds.items[i].until.identity == identity)
            return true;
    return false;
}

// The way that delivers a message like the step's, which nothing names; RH_NONE: there is none.
static uint32_t find_alike(const struct replay_memory *replay, const struct rh_step *step,
                           const struct rh_choice_point *point)
{
    struct rh_step alike = *step;
    alike.has_identity = false;
    for (uint32_t i = 0; i < point->count; i++) {
        const struct rh_message *message = &point->world->messages[point->world->deliverable[i]];
        if (rh_step_matches(point->world, &alike, message) &&
            !is_named(replay->schedule, message->identity))
            return i;
    }
    return RH_NONE;
}

// Chooses after the last step.
static uint32_t choose_rest(const struct replay_memory *replay, const struct rh_choice_point *point)
{
    if (replay->stops)
        return RH_NONE;
    if (!point->is_delivery)
        return 0;
    struct rh_world *world = point->world;
    for (uint32_t i = 0; i < point->count; i++)
        if (!rh_holds_find(&replay->holds, world, &world->messages[world->deliverable[i]]))
            return i;
    const struct rh_message *first = &world->messages[world->deliverable[0]];
    rh_holds_refuse(&replay->holds, rh_holds_find(&replay->holds, world, first));
    return RH_NONE;
}

// A schedule that says nothing about a function leaves the answer to the world.
static bool replay_answer(void *memory, const char *function, uint64_t *value)
{
    struct replay_memory *replay = memory;
    const struct rh_step *step = rh_replay_step(memory);
    if (!step || step->kind != RH_STEP_ANSWER)
        return false;
    if (strcmp(step->type, function) != 0) {
        if (!replay->is_lenient)
            refuse_answer(replay, step, function);
        return false;
    }
    *value = step->value;
    replay->step++;
    return true;
}

static uint32_t choose_outcome(struct replay_memory *replay, const struct rh_choice_point *point)
{
    const struct rh_step *step = &replay->schedule->steps.items[replay->step];
    // A lap begins between deliveries: the schedule says nothing of an outcome before it.
    if (step->kind == RH_STEP_LAP)
        return 0;
    if (point->fault)
        return count_faults(replay, point);
    bool fits = step->kind == RH_STEP_CHOOSE && step->outcome < (int)point->count;
    if (!fits && replay->is_lenient)
        return 0;
    replay->step++;
    return fits ? (uint32_t)step->outcome : refuse(replay, step, point);
}

static uint32_t choose_delivery(struct replay_memory *replay, const struct rh_choice_point *point)
{
    while (!rh_replay_is_done(replay)) {
        const struct rh_step *step = &replay->schedule->steps.items[replay->step];
        if (step->kind == RH_STEP_LAP)
            return 0;
        replay->step++;
        uint32_t way = rh_step_is_move(step->kind) ? find_way(step, point) : RH_NONE;
        if (way == RH_NONE && step->takes_alike)
            way = find_alike(replay, step, point);
        if (way != RH_NONE)
            return way;
        if (!replay->is_lenient)
            return refuse(replay, step, point);
    }
    return choose_rest(replay, point);
}

static uint32_t replay_choose(void *memory, const struct rh_choice_point *point)
{
    struct replay_memory *replay = memory;
    struct rh_world *world = point->world;
    if (!point->is_delivery)
        return rh_replay_is_done(replay) ? choose_rest(replay, point)
                                         : choose_outcome(replay, point);
    uint32_t way = choose_delivery(replay, point);
    if (way != RH_NONE)
        rh_holds_end(&replay->holds, world, &world->messages[world->deliverable[way]]);
    return way;
}

static bool replay_next(void *memory, struct rh_path *path, uint64_t executions)
{
    (void)memory;
    (void)path;
    (void)executions;
    return false;
}

bool rh_replay_is_done(const void *memory)
{
    const struct replay_memory *replay = memory;
    return replay->step >= replay->schedule->steps.count;
}

size_t rh_replay_position(const void *memory)
{
    return ((const struct replay_memory *)memory)->step;
}

void rh_replay_skip(void *memory, size_t position)
{
    ((struct replay_memory *)memory)->step = position;
}

bool rh_replay_takes_lap(void *memory)
{
    struct replay_memory *replay = memory;
    if (rh_replay_is_done(memory) ||
        replay->schedule->steps.items[replay->step].kind != RH_STEP_LAP)
        return false;
    replay->step++;
    return true;
}

const struct rh_step *rh_replay_step(const void *memory)
{
    const struct replay_memory *replay = memory;
    return rh_replay_is_done(memory) ? NULL : &replay->schedule->steps.items[replay->step];
}

const struct rh_strategy_ops rh_strategy_replay = {.name = "replay",
                                                   .replays = true,
                                                   .has_schedule = true,
                                                   .init = replay_init,
                                                   .answer = replay_answer,
                                                   .choose = replay_choose,
                                                   .next = replay_next};

// order: follows the schedule that a test gives itself.
const struct rh_strategy_ops rh_strategy_order = {.name = "order",
                                                  .has_schedule = true,
                                                  .init = replay_init,
                                                  .answer = replay_answer,
                                                  .choose = replay_choose,
                                                  .next = replay_next};
