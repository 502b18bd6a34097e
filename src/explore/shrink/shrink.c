// SPDX-License-Identifier: MIT
#include "explore/shrink/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "explore/shrink/shrinker.h"

static void take_over(struct rh_shrinker *shrinker, struct rh_outcome *outcome)
{
    const struct rh_job *job = shrinker->trial.job;
    struct rh_schedule schedule;
    rh_moves_fini(&shrinker->moves);
    rh_outcome_fini(&shrinker->best);
    shrinker->best = *outcome;
    rh_confirm_schedule(job->options, job->test, &shrinker->best.execution, &schedule);
    rh_moves_init(&shrinker->moves, &shrinker->best.execution, &shrinker->best.touched, &schedule);
}

static bool adopt(struct rh_shrinker *shrinker, struct rh_schedule *draft, bool lenient)
{
    struct rh_outcome outcome = rh_trial_run(&shrinker->trial, draft, lenient, RH_WANT_ALL_SHOWN);
    rh_draft_fini(draft);
    if (outcome.shows)
        take_over(shrinker, &outcome);
    else
        rh_outcome_fini(&outcome);
    return outcome.shows;
}

bool rh_shrinker_adopt(struct rh_shrinker *shrinker, struct rh_schedule *draft)
{
    return adopt(shrinker, draft, false);
}

static size_t count_outcomes(const struct rh_execution *execution)
{
    size_t count = 0;
    for (size_t i = 0; i < execution->events.count; i++)
        count += execution->events.items[i].kind == RH_EVENT_CHOOSE &&
                 execution->events.items[i].number > 0;
    return count;
}

static bool is_fewer(const struct rh_execution *one, const struct rh_execution *other)
{
    if (one->deliveries != other->deliveries)
        return one->deliveries < other->deliveries;
    return count_outcomes(one) < count_outcomes(other);
}

bool rh_shrinker_adopt_fewer(struct rh_shrinker *shrinker, struct rh_schedule *draft)
{
    struct rh_outcome outcome = rh_trial_run(&shrinker->trial, draft, true, RH_WANT_ALL_SHOWN);
    rh_draft_fini(draft);
    bool is_taken = outcome.shows && is_fewer(&outcome.execution, &shrinker->best.execution);
    if (is_taken)
        take_over(shrinker, &outcome);
    else
        rh_outcome_fini(&outcome);
    return is_taken;
}

bool rh_shrinker_adopt_part(struct rh_shrinker *shrinker, struct rh_schedule *draft)
{
    return adopt(shrinker, draft, true);
}

// A draft of all moves.
static void draft_all(const struct rh_shrinker *shrinker, struct rh_schedule *draft)
{
    bool *none = rh_alloc(shrinker->moves.items.count);
    rh_draft_without(draft, &shrinker->moves, none);
    draft->stops &= !shrinker->shows_at_end;
    free(none);
}

// In a draft of all moves, the steps stand where they do in the schedule.
static bool try_first_outcome(struct rh_shrinker *shrinker, size_t step)
{
    struct rh_schedule draft;
    draft_all(shrinker, &draft);
    draft.steps.items[step].outcome = 0;
    bool is_taken = rh_shrinker_adopt(shrinker, &draft);
    if (is_taken || shrinker->shows_at_end || shrinker->moves.has_lap)
        return is_taken;
    // The program may go another way from there, and come to the finding all the same.
    draft_all(shrinker, &draft);
    draft.steps.items[step].outcome = 0;
    rh_draft_forget_identities(&draft);
    return rh_shrinker_adopt_fewer(shrinker, &draft);
}

static void erase_step(struct rh_schedule *draft, size_t step)
{
    draft->steps.count--;
    memmove(&draft->steps.items[step], &draft->steps.items[step + 1],
            sizeof *draft->steps.items * (draft->steps.count - step));
}

// A duplicate that does not come is not delivered either, nor is anything that would have come of
// it.
static bool try_no_fault(struct rh_shrinker *shrinker, size_t step)
{
    const struct rh_moves *moves = &shrinker->moves;
    const struct rh_step *fault = &moves->schedule.steps.items[step];
    bool *left_out = rh_alloc(moves->items.count);
    for (size_t i = 1; i < moves->items.count; i++)
        left_out[i] = moves->items.items[i].identity == fault->identity;
    struct rh_schedule draft;
    rh_draft_without(&draft, moves, left_out);
    draft.stops &= !shrinker->shows_at_end;
    free(left_out);
    for (size_t i = draft.steps.count; i-- > 0;)
        if (draft.steps.items[i].kind == fault->kind &&
            draft.steps.items[i].identity == fault->identity)
            erase_step(&draft, i);
    return rh_shrinker_adopt(shrinker, &draft);
}

bool rh_shrinker_simplify(struct rh_shrinker *shrinker)
{
    bool has_changed = false;
    for (size_t i = shrinker->moves.schedule.steps.count; i-- > 0;) {
        if (i >= shrinker->moves.schedule.steps.count)
            continue;
        const struct rh_step *step = &shrinker->moves.schedule.steps.items[i];
        if (step->kind == RH_STEP_CHOOSE && step->outcome > 0)
            has_changed |= try_first_outcome(shrinker, i);
        else if (step->kind == RH_STEP_DROP || step->kind == RH_STEP_DUPLICATE)
            has_changed |= try_no_fault(shrinker, i);
    }
    return has_changed;
}

// The move in which the finding shows, as far as the trace tells.
static size_t failing_move(const struct rh_shrinker *shrinker)
{
    const struct rh_execution *execution = &shrinker->best.execution;
    for (size_t i = 0; i < execution->events.count; i++) {
        const struct rh_event *event = &execution->events.items[i];
        if (event->kind == RH_EVENT_FINDING &&
            event->number == (int64_t)shrinker->shown->finding.kind)
            return event->delivery;
    }
    return shrinker->moves.items.count - 1;
}

// Whether the finding shows if the execution stops behind the failing move. If so, this shorter
// execution is the best one. An execution that is too long is so with any moves.
static bool shows_in_move(struct rh_shrinker *shrinker)
{
    const struct rh_moves *moves = &shrinker->moves;
    if (moves->has_lap || shrinker->shown->finding.kind == RH_FINDING_BOUND)
        return moves->has_lap;
    size_t last = failing_move(shrinker);
    bool *left_out = rh_alloc(moves->items.count);
    for (size_t i = last + 1; i < moves->items.count; i++)
        left_out[i] = true;
    struct rh_schedule draft;
    rh_draft_without(&draft, moves, left_out);
    free(left_out);
    return rh_shrinker_adopt(shrinker, &draft);
}

// Runs the schedule as it was saved, which is a whole one or has been written by hand.
static bool begin(struct rh_shrinker *shrinker)
{
    struct rh_outcome outcome =
        rh_trial_run(&shrinker->trial, &shrinker->shown->schedule, false, RH_WANT_ALL);
    if (outcome.shows)
        take_over(shrinker, &outcome);
    else
        rh_outcome_fini(&outcome);
    // With --shortest the execution with the fewest deliveries was looked for: a longer one is no
    // better, however simple.
    if (shrinker->trial.job->options->shortest)
        shrinker->trial.longest = shrinker->trial.deliveries;
    return outcome.shows;
}

static size_t count_constraints(const struct rh_schedule *schedule)
{
    size_t count = schedule->holds.count;
    for (size_t i = 0; i < schedule->steps.count; i++)
        count += rh_step_is_move(schedule->steps.items[i].kind);
    return count;
}

// What the file says about the finding stays, with the cause below it.
static void take_head(const struct rh_shown *shown, struct rh_schedule *schedule)
{
    rh_finding_head(&shown->finding, schedule);
    struct rh_text note = {0};
    rh_text_addf(&note, "%s\ncause: %s", schedule->note, shown->shrunk.cause);
    free(schedule->note);
    schedule->note = rh_text_take(&note);
}

// Takes over the finding as it shows in the best execution.
static void take_finding(const struct rh_shrinker *shrinker)
{
    struct rh_shown *shown = shrinker->shown;
    const struct rh_outcome *best = &shrinker->best;
    uint64_t count = shown->finding.count;
    shown->finding = best->finding;
    shown->finding.count = count;
    shown->finding.delivery = rh_finding_find_delivery(&best->finding, &best->execution);
    rh_execution_fini(&shown->execution);
    rh_text_fini(&shown->output);
    shown->execution = best->execution;
    shown->output = best->output;
}

// Looking for the cause has a budget of its own, also if the one for shrinking is used up; and an
// execution without the cause may have any length.
static void grant_cause(struct rh_trial *trial, uint64_t executions)
{
    trial->max_executions = trial->cost + executions;
    if (trial->max_deliveries > 0)
        trial->max_deliveries += trial->deliveries;
    trial->longest = UINT64_MAX;
    trial->is_stopped = false;
}

// Takes the schedule.
static void finish(struct rh_shrinker *shrinker, uint64_t cause_executions,
                   struct rh_schedule *schedule)
{
    struct rh_shown *shown = shrinker->shown;
    shown->shrunk.from = shown->steps;
    shown->shrunk.is_done = !shrinker->trial.is_stopped;
    grant_cause(&shrinker->trial, cause_executions);
    shown->shrunk.cause = rh_shrink_cause(shrinker);
    shown->shrunk.executions = shrinker->trial.executions;
    take_finding(shrinker);
    take_head(shown, schedule);
    rh_schedule_fini(&shown->schedule);
    shown->schedule = *schedule;
    shown->steps = count_constraints(schedule);
}

// The schedule of a finding that shows in a delivery.
static struct rh_schedule schedule_of_moves(const struct rh_shrinker *shrinker)
{
    const struct rh_schedule *all = &shrinker->moves.schedule;
    struct rh_schedule schedule = {.test = rh_strdup(all->test),
                                   .order_rule = all->order_rule,
                                   .time = all->time,
                                   .environment = all->environment,
                                   .stops = !shrinker->moves.has_lap};
    rh_schedule_copy_inputs(&schedule, all);
    for (size_t i = 0; i < all->steps.count; i++)
        *rh_vector_push(&schedule.steps) = rh_step_copy(&all->steps.items[i]);
    return schedule;
}

static struct rh_schedule shrink_schedule(struct rh_shrinker *shrinker)
{
    if (!shows_in_move(shrinker)) {
        shrinker->shows_at_end = true;
        return rh_shrink_holds(shrinker);
    }
    rh_shrink_moves(shrinker);
    return schedule_of_moves(shrinker);
}

// An execution that takes long may look like a hang; on a busy machine any may. So a shrunk hang is
// confirmed with the same patience as the hang itself was, which no budget must prevent.
static bool is_no_mistake(struct rh_shrinker *shrinker, const struct rh_schedule *schedule)
{
    struct rh_trial trial = shrinker->trial;
    if (shrinker->shown->finding.kind != RH_FINDING_HANG || trial.is_patient)
        return true;
    rh_trial_lift_bounds(&shrinker->trial);
    shrinker->trial.is_patient = true;
    struct rh_outcome outcome = rh_trial_run(&shrinker->trial, schedule, false, RH_WANT_NOTHING);
    rh_outcome_fini(&outcome);
    shrinker->trial.is_patient = false;
    rh_trial_restore_bounds(&shrinker->trial, &trial);
    return outcome.shows;
}

// Whether the finding shows, and nothing else was taken for it.
static bool shrink_once(struct rh_shrinker *shrinker, const struct rh_shrink_budget *budget)
{
    if (!begin(shrinker))
        return false;
    struct rh_schedule schedule = shrink_schedule(shrinker);
    bool is_right = is_no_mistake(shrinker, &schedule);
    if (is_right) {
        finish(shrinker, budget->cause, &schedule);
        rh_vector_fini(&shrinker->best.touched); // the rest of it is shown
    } else {
        rh_schedule_fini(&schedule);
        rh_outcome_fini(&shrinker->best);
    }
    rh_moves_fini(&shrinker->moves);
    shrinker->best = (struct rh_outcome){0};
    shrinker->moves = (struct rh_moves){0};
    shrinker->shows_at_end = false;
    return is_right;
}

uint64_t rh_shrink_finding(const struct rh_job *job, const struct rh_shrink_budget *budget,
                           const struct rh_progress *progress, struct rh_shown *shown)
{
    struct rh_shrinker shrinker = {.trial = {.job = job,
                                             .finding = &shown->finding,
                                             .max_executions = budget->executions,
                                             .max_deliveries = budget->deliveries,
                                             .until = budget->until,
                                             .progress = *progress,
                                             .longest = UINT64_MAX},
                                   .shown = shown};
    // A finding that does not show every time can't be narrowed down by trying.
    if (shown->finding.kind == RH_FINDING_NONDETERMINISM)
        return 0;
    if (!shrink_once(&shrinker, budget) && shown->finding.kind == RH_FINDING_HANG) {
        shrinker.trial.is_patient = true;
        shrink_once(&shrinker, budget);
    }
    rh_trial_fini(&shrinker.trial);
    return shrinker.trial.cost;
}
