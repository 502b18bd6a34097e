// SPDX-License-Identifier: MIT
#include "explore/shrink/trial.h"

#include <string.h>

#include "base/clock.h"
#include "result/tape.h"
#include "world/unset.h"

// A hang that is not the finding is waited for ten times as long. It costs five times as much, so
// that a few such hangs use a small budget up.
enum { HANG_FACTOR = 10, LONG_HANG_FACTOR = 5, EXECUTION_MS = 20 };

uint64_t rh_hang_cost(const struct rh_run_options *options)
{
    uint64_t cost = options->hang_ms / EXECUTION_MS;
    return cost > 0 ? cost : 1;
}

void rh_outcome_fini(struct rh_outcome *outcome)
{
    rh_execution_fini(&outcome->execution);
    rh_text_fini(&outcome->output);
    rh_vector_fini(&outcome->touched);
}

static void look_at(struct rh_trial *trial, const struct rh_shared *shared,
                    struct rh_finding *found, struct rh_outcome *outcome)
{
    rh_confirm_write(trial->job->options->debug, shared, found);
    bool is_same = rh_finding_is_same(trial->finding, found);
    if (is_same && !outcome->shows)
        outcome->finding = *found;
    outcome->shows |= is_same;
    outcome->has_error |= !is_same && found->severity == RH_SEVERITY_ERROR;
}

static void look_at_end(struct rh_trial *trial, struct rh_shared *shared, enum rh_end end,
                        struct rh_outcome *outcome)
{
    for (uint32_t i = 0; i < shared->lead_count; i++)
        look_at(trial, shared, &shared->leads[i].finding, outcome);
    if (end != RH_END_CRASH && end != RH_END_HANG && end != RH_END_EXIT)
        return;
    struct rh_finding crash;
    rh_confirm_describe(trial->job->options, shared, end, &crash);
    look_at(trial, shared, &crash, outcome);
}

bool rh_trial_is_interrupted(const struct rh_trial *trial)
{
    const volatile sig_atomic_t *interrupted = trial->job->options->interrupted;
    return interrupted && *interrupted;
}

bool rh_trial_is_late(const struct rh_trial *trial)
{
    return trial->until > 0 && rh_clock_seconds() > trial->until;
}

void rh_trial_lift_bounds(struct rh_trial *trial)
{
    trial->max_executions = trial->max_deliveries = 0;
    trial->until = 0;
    trial->is_stopped = false;
}

void rh_trial_restore_bounds(struct rh_trial *trial, const struct rh_trial *old)
{
    trial->max_executions = old->max_executions;
    trial->max_deliveries = old->max_deliveries;
    trial->until = old->until;
    trial->is_stopped = old->is_stopped;
}

static void tell_progress(struct rh_trial *trial)
{
    const struct rh_run_options *options = trial->job->options;
    double time = rh_clock_seconds();
    if (!options->progress || time - trial->told < 0.2)
        return;
    trial->told = time;
    trial->progress.executions = trial->executions;
    options->progress(options->progress_context, &trial->progress);
}

static bool on_tick(void *context)
{
    tell_progress(context);
    return !rh_trial_is_interrupted(context) && !rh_trial_is_late(context);
}

static bool is_used_up(const struct rh_trial *trial)
{
    return trial->is_stopped || rh_trial_is_interrupted(trial) || rh_trial_is_late(trial) ||
           (trial->max_executions > 0 && trial->cost >= trial->max_executions) ||
           (trial->max_deliveries > 0 && trial->deliveries >= trial->max_deliveries);
}

// Whether only an execution with a trace shows the finding: there ways round, writes and intruders
// are looked for.
static bool needs_trace(const struct rh_finding *finding)
{
    return finding->kind == RH_FINDING_LIVELOCK || finding->kind == RH_FINDING_SHARED_STATE ||
           finding->kind == RH_FINDING_PRIVATE_POINTER;
}

// What a worker that makes one execution is told.
static struct rh_job job_for(const struct rh_trial *trial, const struct rh_run_options *options)
{
    return (struct rh_job){.options = options,
                           .test = trial->job->test,
                           .shared = trial->job->shared,
                           .strategy = &rh_strategy_replay,
                           .lap = RH_NONE,
                           .trace_output = -1,
                           .ask_keeper = -1,
                           .fill = rh_unset_fill(trial->finding),
                           .unguarded = trial->finding->kind == RH_FINDING_HANG};
}

static struct rh_run_options options_for(const struct rh_trial *trial,
                                         const struct rh_schedule *schedule, bool lenient)
{
    struct rh_run_options options = *trial->job->options;
    options.strategy = "replay";
    options.own_strategy = NULL;
    options.reduction = "none";
    options.schedule = schedule;
    options.faults = rh_schedule_faults(schedule);
    options.lenient = lenient;
    options.states = RH_STATES_NONE;
    options.keep_going = options.commuting = options.census = false;
    options.shortest = options.automatic = options.output = options.shrink = false;
    options.max_executions = options.max_deliveries = options.max_memory = 0;
    return options;
}

// A hang was given ten times the limit when it was found.
static bool is_hasty(const struct rh_trial *trial)
{
    return trial->finding->kind == RH_FINDING_HANG && !trial->is_patient;
}

static struct rh_watch watch_for(struct rh_trial *trial)
{
    uint32_t limit_ms = trial->job->options->hang_ms;
    return (struct rh_watch){.limit_ms = limit_ms * (is_hasty(trial) ? 1 : HANG_FACTOR),
                             .questions = -1,
                             .context = trial,
                             .tick = on_tick};
}

static void count(struct rh_trial *trial, const struct rh_shared *shared, enum rh_end end)
{
    uint64_t hang_cost =
        rh_hang_cost(trial->job->options) * (is_hasty(trial) ? 1 : LONG_HANG_FACTOR);
    trial->executions++;
    trial->cost += end == RH_END_HANG ? hang_cost : 1;
    trial->deliveries += shared->deliveries;
}

// What the execution that has ended shows.
static void judge(struct rh_trial *trial, struct rh_shared *shared, enum rh_end end,
                  struct rh_outcome *outcome)
{
    trial->is_stopped |= end == RH_END_STOPPED;
    outcome->is_refused = end == RH_END_STATUS;
    if (!outcome->is_refused && end != RH_END_STOPPED)
        look_at_end(trial, shared, end, outcome);
    outcome->shows &= shared->deliveries <= trial->longest;
}

static void list_touched(const struct rh_shared *shared, rh_touched_list *touched)
{
    for (uint32_t i = 0; i < shared->path.length; i++)
        if (!rh_decision_is_outcome(&shared->path.decisions[i]))
            *rh_vector_push(touched) = shared->path.decisions[i].touched;
}

// Runs the execution in a worker of its own, traced if there is room for it.
static void run_alone(struct rh_trial *trial, const struct rh_run_options *options,
                      const struct rh_trace_room *room, bool is_counted, struct rh_outcome *outcome)
{
    struct rh_run_options own_options = *options;
    struct rh_job job = job_for(trial, &own_options);
    struct rh_watch watch = watch_for(trial);
    own_options.undo = RH_UNDO_OFF;
    job.shared = rh_shared_new();
    trial->is_stopped |= !job.shared;
    if (!job.shared)
        return;
    job.tape = room ? room->tape : NULL;
    job.trace_output = room ? room->output : -1;
    rh_strategy_replay.init(job.shared->strategy, &own_options);
    job.learns = room != NULL;
    job.shared->footprints = trial->job->shared->footprints;
    enum rh_end end = rh_keeper_run(&job, &watch);
    if (is_counted)
        count(trial, job.shared, end);
    judge(trial, job.shared, end, outcome);
    if (room)
        list_touched(job.shared, &outcome->touched);
    rh_shared_free(job.shared);
}

static void read_events(struct rh_trial *trial, const struct rh_tape *tape,
                        struct rh_outcome *outcome)
{
    struct rh_status status = rh_tape_read(tape, &outcome->execution);
    trial->is_stopped |= !rh_is_ok(&status);
    outcome->shows &= rh_is_ok(&status);
}

static void run_traced(struct rh_trial *trial, const struct rh_run_options *options,
                       bool is_counted, struct rh_outcome *outcome)
{
    struct rh_trace_room room;
    struct rh_status status = rh_trace_room_open(&room);
    if (rh_is_ok(&status)) {
        run_alone(trial, options, &room, is_counted, outcome);
        status = rh_trace_room_read(&room, &outcome->execution, &outcome->output);
        rh_trace_room_close(&room);
    }
    trial->is_stopped |= !rh_is_ok(&status);
    outcome->shows &= rh_is_ok(&status);
}

// Whether a worker that lives on can tell what an execution shows. An execution that hangs would
// only have to be waited for twice.
static bool can_live(const struct rh_trial *trial)
{
    return rh_living_is_possible(trial->job) && !needs_trace(trial->finding) &&
           trial->finding->kind != RH_FINDING_HANG;
}

// false if there is no memory: nothing was run.
static bool run_living(struct rh_trial *trial, const struct rh_run_options *options,
                       enum rh_wanted wanted, struct rh_outcome *outcome)
{
    struct rh_living *living = &trial->living[options->lenient];
    const struct rh_job job = job_for(trial, options);
    const struct rh_watch watch = watch_for(trial);
    enum rh_end end;
    if (!rh_living_run(living, &job, options, &watch, &end))
        return false;
    count(trial, living->job.shared, end);
    judge(trial, living->job.shared, end, outcome);
    if (living->job.shared->cannot_undo[0] != '\0')
        memcpy(trial->job->shared->cannot_undo, living->job.shared->cannot_undo,
               sizeof trial->job->shared->cannot_undo);
    if (wanted == RH_WANT_EVENTS)
        read_events(trial, living->job.tape, outcome);
    return true;
}

void rh_trial_fini(struct rh_trial *trial)
{
    for (int i = 0; i < 2; i++)
        rh_living_fini(&trial->living[i]);
}

struct rh_outcome rh_trial_run(struct rh_trial *trial, const struct rh_schedule *schedule,
                               bool lenient, enum rh_wanted wanted)
{
    struct rh_outcome outcome = {0};
    tell_progress(trial);
    trial->is_stopped |= is_used_up(trial);
    if (trial->is_stopped)
        return outcome;
    const struct rh_run_options options = options_for(trial, schedule, lenient);
    bool lives =
        wanted != RH_WANT_ALL && can_live(trial) && run_living(trial, &options, wanted, &outcome);
    if (lives && wanted == RH_WANT_ALL_SHOWN && outcome.shows) {
        outcome = (struct rh_outcome){0};
        run_traced(trial, &options, false, &outcome);
    } else if (!lives && (wanted != RH_WANT_NOTHING || needs_trace(trial->finding))) {
        run_traced(trial, &options, true, &outcome);
    } else if (!lives) {
        run_alone(trial, &options, NULL, true, &outcome);
    }
    return outcome;
}
