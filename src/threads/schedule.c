// SPDX-License-Identifier: MIT
// Schedules of threads: the turns of a finding as a file, and a file followed.
#include <stdlib.h>
#include <string.h>

#include "threads/follow.h"
#include "threads/run.h"
#include "trace/finding_kind.h"

static const char *name_of(int thread, struct rh_text *text)
{
    rh_text_clear(text);
    rh__thread_print(thread, text);
    return rh_text_get(text);
}

// --- Settings under which an execution was made, without which it is another one. ---

static bool *const settings[] = {&rh__engine->volatile_is_atomic, &rh__engine->has_spurious};
static const char *const setting_names[] = {"volatile-is-atomic", "spurious-wakeups"};
enum { SETTINGS = sizeof settings / sizeof *settings };

static void add_settings(struct rh_schedule *schedule)
{
    for (int i = 0; i < SETTINGS; i++)
        if (*settings[i])
            *rh_vector_push(&schedule->inputs) = (struct rh_schedule_input){
                .name = rh_strdup(setting_names[i]), .value = rh_strdup("1")};
}

static void take_settings(const struct rh_schedule *schedule)
{
    for (size_t i = 0; i < schedule->inputs.count; i++)
        for (int k = 0; k < SETTINGS; k++)
            if (!strcmp(schedule->inputs.items[i].name, setting_names[k]))
                *settings[k] = true;
}

// --- Files. ---

void rh_threads_schedule(const struct rh_threads_test *test,
                         const struct rh_threads_options *options,
                         const struct rh_threads_shown *shown, struct rh_schedule *schedule)
{
    struct rh_text text = {0};
    *schedule = (struct rh_schedule){
        .adapter = rh_strdup("threads"),
        .test = rh_strdup(test->name),
        .finding_kind =
            shown->finding.kind == RH_FINDING_KIND_COUNT
                ? NULL
                : rh_strdup(rh_finding_kind_name((enum rh_finding_kind)shown->finding.kind)),
        .note = *shown->finding.text ? rh_strdup(shown->finding.text) : NULL};
    for (size_t i = 0; i < options->program_count; i++)
        *rh_vector_push(&schedule->programs) = rh_strdup(options->programs[i]);
    for (size_t i = 0; !test->body && i < options->argument_count; i++)
        *rh_vector_push(&schedule->arguments) = rh_strdup(options->arguments[i]);
    add_settings(schedule);
    for (size_t i = 0; i < shown->turns.count; i++) {
        const struct rh_turn *turn = &shown->turns.items[i];
        *rh_vector_push(&schedule->steps) =
            (struct rh_step){.kind = RH_STEP_TURN,
                             .receiver = rh_strdup(name_of(turn->thread, &text)),
                             .value = turn->until == UINT32_MAX ? 0 : turn->until};
    }
    for (size_t i = 0; i < shown->choices.count; i++)
        *rh_vector_push(&schedule->steps) = (struct rh_step){
            .kind = RH_STEP_CHOOSE, .outcome = shown->choices.items[i], .count = RH_THREADS_MOST};
    rh_text_fini(&text);
}

static struct rh_status read_turns(const struct rh_schedule *schedule,
                                   struct rh_threads_shown *shown)
{
    struct rh_text text = {0};
    struct rh_status status = rh_ok();
    for (size_t i = 0; rh_is_ok(&status) && i < schedule->steps.count; i++) {
        const struct rh_step *step = &schedule->steps.items[i];
        int thread = 0;
        if (step->kind == RH_STEP_CHOOSE) {
            *rh_vector_push(&shown->choices) = step->outcome;
            continue;
        }
        while (thread < RH_THREADS_MOST &&
               (!step->receiver || strcmp(name_of(thread, &text), step->receiver) != 0))
            thread++;
        if (step->kind != RH_STEP_TURN || thread == RH_THREADS_MOST)
            status = rh_bad_input("%s:%d: a schedule of threads has turns of main, thread#1 and so "
                                  "on",
                                  schedule->path, step->line);
        else
            *rh_vector_push(&shown->turns) =
                (struct rh_turn){thread, step->value ? (uint32_t)step->value : UINT32_MAX};
    }
    rh_text_fini(&text);
    return status;
}

// Whether the schedule was saved for a race: the execution may show more than that.
static bool is_race_of(const struct rh_schedule *schedule)
{
    return schedule->finding_kind &&
           !strcmp(schedule->finding_kind, rh_finding_kind_name(RH_FINDING_RACE));
}

struct rh_status rh_threads_replay(const struct rh_threads_test *test,
                                   const struct rh_threads_options *options,
                                   const struct rh_schedule *schedule,
                                   struct rh_threads_result *result)
{
    *result = (struct rh_threads_result){.test = test->name};
    struct rh_threads_shown *shown = rh_vector_push(&result->found);
    *shown = (struct rh_threads_shown){.count = 1, .execution = 1, .compared.order = -1};
    struct rh_status status = read_turns(schedule, shown);
    if (!rh_is_ok(&status))
        return status;
    take_settings(schedule);
    rh__shared_forget();
    rh__engine->has_order = false;
    rh__begin_comparing(test, options, result);
    // The first time shows what is shared, the second is written down.
    rh__repeat(test, options, shown);
    free(shown->log);
    shown->log = NULL;
    bool follows = rh__repeat(test, options, shown);
    result->executions = 1;
    result->events = rh__engine->count;
    if (!follows)
        status = rh_bad_input("%s can't be followed: the program has changed since, or it decides "
                              "by something else than its threads",
                              schedule->path);
    else if (shown->compared.has_finding)
        shown->finding = shown->compared.finding;
    else if ((result->serial || rh__compares_commits()) &&
             rh__compared_is_wrong(&shown->compared) && !is_race_of(schedule))
        shown->finding = shown->refinement;
    else if (rh__engine->has_race && (is_race_of(schedule) || !rh__engine->has_finding))
        shown->finding = rh__engine->race;
    else if (rh__engine->has_finding)
        shown->finding = rh__engine->finding;
    else if (shown->is_unserial && result->serial)
        shown->finding = shown->unserial;
    else
        rh__forget_found(result);
    return status;
}

// The event before which the debugger stops. What ends the execution stops there by itself.
static const struct rh_act *find_stop(const struct rh_threads_shown *shown, uint64_t number)
{
    const struct rh_act *stop = NULL;
    if (number && number <= shown->log_count)
        return &shown->log[number - 1].event;
    for (uint32_t i = 0; i < shown->log_count; i++) {
        const struct rh_act *event = &shown->log[i].event;
        bool is_racing = shown->finding.kind == RH_FINDING_RACE &&
                         event->thread == shown->finding.thread &&
                         event->code == shown->finding.code && event->kind <= RH_ACT_WRITE;
        bool is_last = shown->finding.kind == RH_FINDING_REFINEMENT &&
                       event->kind == RH_ACT_RETURN && event->thread == shown->finding.thread;
        if (is_last || (is_racing && !stop))
            stop = event;
    }
    return stop;
}

static bool is_same_entry(const struct rh_log_entry *one, const struct rh_log_entry *other)
{
    const struct rh_act *a = &one->event, *b = &other->event;
    return a->thread == b->thread && a->kind == b->kind && a->address == b->address &&
           a->size == b->size && a->code == b->code && a->call == b->call &&
           one->value == other->value && one->operation == other->operation;
}

struct rh_status rh_threads_debug(const struct rh_threads_test *test,
                                  const struct rh_threads_options *options,
                                  struct rh_threads_shown *shown, uint64_t number)
{
    struct rh_engine *engine = rh__engine;
    const struct rh_act *stop = find_stop(shown, number);
    struct rh_log_entry *log = shown->log;
    uint32_t count = shown->log_count;
    engine->stop_thread = stop ? stop->thread : -1;
    engine->stop_call = stop ? stop->call : 0;
    engine->is_carried = true;
    rh__repeat(test, options, shown);
    engine->is_carried = false;
    bool is_same = log && shown->log_count == count;
    for (uint32_t i = 0; is_same && i < count; i++)
        is_same = is_same_entry(&shown->log[i], &log[i]);
    free(shown->log);
    shown->log = log;
    return is_same ? rh_ok()
                   : rh_failed("the execution is another one with threads of the system: the "
                               "program, or the debugger's user, has changed something");
}
