// SPDX-License-Identifier: MIT
#include "explore/run/shrink_results.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { CAUSE_EXECUTIONS = 200, CAUSE_HANGS = 20 };

// The share of the time given by the user that shrinking has even if the search has used all of it.
static const double least_share = 0.1;

static double until_when(const struct rh_run_options *options, double started)
{
    if (options->max_seconds <= 0)
        return 0;
    double all = started + options->max_seconds;
    double least = rh_clock_seconds() + options->max_seconds * least_share;
    return all > least ? all : least;
}

static void add_note(struct rh_result *result, char *note)
{
    *rh_vector_push(&result->notes) = note;
}

static void note_unsteady(struct rh_result *result)
{
    add_note(result, rh_strdup("it was not shrunk: it does not show every time"));
}

static bool is_interrupted(const struct rh_job *job)
{
    const struct rh_trial trial = {.job = job};
    return rh_trial_is_interrupted(&trial);
}

static bool is_late(double until)
{
    const struct rh_trial trial = {.until = until};
    return rh_trial_is_late(&trial);
}

// Whether there is less.

// How much a search may take that tries all executions with fewer deliveries: less if many of them
// cost a process. Deliveries that executions share are made once, so that there are few more of
// them than executions.
enum { PROOF_EXECUTIONS = 10000, PROOF_PROCESSES = 200, PROOF_DELIVERIES = 30000, PROOFS = 8 };

// Whether a search by length can tell: the finding shows in a delivery, and the test alone decides
// what comes from outside.
static bool can_prove(const struct rh_job *job, const struct rh_shown *shown)
{
    const struct rh_schedule *schedule = &shown->schedule;
    return shown->shrunk.is_done && schedule->stops && schedule->holds.count == 0 &&
           schedule->sends.count == 0 && !job->options->adapter->keeps_state &&
           shown->finding.kind != RH_FINDING_HANG && shown->finding.kind != RH_FINDING_BOUND;
}

// One constraint is the least if there is none without any, which shrinking has tried.
static bool is_obvious(const struct rh_shown *shown)
{
    return shown->shrunk.is_done && shown->steps <= 1;
}

// Whether executions have to begin in a process of their own: after a crash, or after a call that
// can't be undone.
static bool takes_processes(const struct rh_job *job, const struct rh_shown *shown)
{
    return shown->finding.kind == RH_FINDING_CRASH || shown->finding.kind == RH_FINDING_EXIT ||
           !job->shared->owns_malloc || job->shared->cannot_undo[0] != '\0';
}

// The behaviour in the name of an actor, such as "worker" in "master#1/worker#2".
static void find_behaviour(const char *name, const char **start, size_t *length)
{
    const char *creators = strrchr(name, '/');
    *start = creators ? creators + 1 : name;
    *length = strcspn(*start, "#");
}

static bool is_fault(const struct rh_step *step, enum rh_fault fault)
{
    return fault == RH_FAULT_CRASH  ? rh_step_is_crash(step->kind)
           : fault == RH_FAULT_DROP ? step->kind == RH_STEP_DROP
                                    : step->kind == RH_STEP_DUPLICATE;
}

static bool has_same_aim(const struct rh_step *one, const struct rh_step *other)
{
    const char *behaviour, *other_behaviour;
    size_t length, other_length;
    find_behaviour(one->receiver, &behaviour, &length);
    find_behaviour(other->receiver, &other_behaviour, &other_length);
    return length == other_length && memcmp(behaviour, other_behaviour, length) == 0 &&
           (!one->type || strcmp(one->type, other->type) == 0);
}

// What the schedule's faults of this kind have in common, as an aim: another message that is lost,
// or another actor that crashes, is another cause, and perhaps none that was asked for. Owned; NULL
// if they have nothing in common.
static char *find_aim(const struct rh_schedule *schedule, enum rh_fault fault)
{
    const struct rh_step *aimed = NULL;
    for (size_t i = 0; i < schedule->steps.count; i++) {
        const struct rh_step *step = &schedule->steps.items[i];
        if (!is_fault(step, fault))
            continue;
        if (aimed && !has_same_aim(aimed, step))
            return NULL;
        aimed = step;
    }
    if (!aimed)
        return NULL;
    struct rh_text text = {0};
    const char *behaviour;
    size_t length;
    find_behaviour(aimed->receiver, &behaviour, &length);
    if (aimed->type)
        rh_text_addf(&text, "%s@", aimed->type);
    rh_text_add_bytes(&text, behaviour, length);
    return rh_text_take(&text);
}

static struct rh_run_options proof_options(const struct rh_job *job, const struct rh_shown *shown,
                                           const struct rh_schedule *inputs, double until)
{
    struct rh_run_options options = *job->options;
    options.strategy = "dfs";
    options.own_strategy = NULL;
    options.reduction = "none";
    options.schedule = inputs;
    options.faults = rh_schedule_faults(&shown->schedule);
    memcpy(options.faults.aims, job->options->faults.aims, sizeof options.faults.aims);
    options.undo = RH_UNDO_ON;
    options.states = job->shared->owns_malloc ? RH_STATES_DEPTH : RH_STATES_NONE;
    options.states_full = options.automatic = options.commuting = options.census = false;
    options.shrink = options.output = options.trace_states = options.lenient = false;
    options.keep_going = options.shortest = options.stops_at_hang = true;
    options.max_length = (uint32_t)shown->steps - 1;
    options.max_executions = takes_processes(job, shown) ? PROOF_PROCESSES : PROOF_EXECUTIONS;
    options.max_deliveries = PROOF_DELIVERIES;
    options.max_seconds = until > 0 ? until - rh_clock_seconds() : 0;
    options.traffic = NULL;
    options.lines = NULL;
    options.journal = NULL;
    options.progress = NULL;
    options.found = NULL;
    options.suspects = NULL;
    return options;
}

// The same finding with fewer deliveries; NULL if there is none among these.
static struct rh_shown *find_shorter(const struct rh_result *proof, const struct rh_shown *shown)
{
    for (size_t i = 0; i < proof->findings.count; i++) {
        struct rh_shown *found = &proof->findings.items[i];
        if (rh_finding_is_same(&found->finding, &shown->finding) && found->steps < shown->steps)
            return found;
    }
    return NULL;
}

// Takes over what the search has found, and shrinks that.
static void take_shorter(const struct rh_job *job, const struct rh_shrink_budget *budget,
                         const struct rh_progress *progress, struct rh_shown *found,
                         struct rh_shown *shown)
{
    size_t from = shown->shrunk.from;
    uint64_t executions = shown->shrunk.executions, count = shown->finding.count;
    struct rh_shown old = *shown;
    *shown = *found;
    *found = (struct rh_shown){0};
    shown->finding.count = count;
    shown->finding.severity = old.finding.severity;
    rh_shrink_finding(job, budget, progress, shown);
    shown->shrunk.from = from;
    shown->shrunk.executions += executions;
    rh_shown_fini(&old);
}

// Whether the finding is now proved to need all its deliveries.
static bool search_by_length(const struct rh_job *job, const struct rh_shrink_budget *budget,
                             const struct rh_progress *progress, struct rh_shown *shown)
{
    struct rh_schedule inputs = {0};
    struct rh_result proof;
    rh_schedule_copy_inputs(&inputs, &shown->schedule);
    struct rh_run_options options = proof_options(job, shown, &inputs, budget->until);
    char *aims[RH_FAULT_CRASH + 1] = {0};
    for (int i = RH_FAULT_DROP; i <= RH_FAULT_CRASH; i++) {
        aims[i] = find_aim(&shown->schedule, i);
        if (aims[i])
            options.faults.aims[i] = aims[i];
    }
    struct rh_status status = rh_run_test(&options, job->test, &proof);
    bool is_proved = rh_is_ok(&status) && proof.stopped_by == RH_STOP_NOTHING;
    struct rh_shown *found = find_shorter(&proof, shown);
    for (size_t i = 0; i < proof.findings.count; i++)
        is_proved &= proof.findings.items[i].finding.kind != RH_FINDING_NONDETERMINISM &&
                     !proof.findings.items[i].finding.is_limit;
    if (found)
        take_shorter(job, budget, progress, found, shown);
    rh_result_fini(&proof);
    rh_schedule_fini(&inputs);
    for (int i = RH_FAULT_DROP; i <= RH_FAULT_CRASH; i++)
        free(aims[i]);
    return is_proved && !found;
}

// Shrinks the finding, and goes on while a search by length finds a smaller one.
static uint64_t shrink(const struct rh_job *job, const struct rh_shrink_budget *budget,
                       const struct rh_progress *progress, struct rh_shown *shown)
{
    uint64_t cost = rh_shrink_finding(job, budget, progress, shown);
    for (int i = 0;
         i < PROOFS && !shown->shrunk.is_least && !is_interrupted(job) && !is_late(budget->until);
         i++) {
        shown->shrunk.is_least = is_obvious(shown);
        if (shown->shrunk.is_least || !can_prove(job, shown))
            break;
        size_t steps = shown->steps;
        shown->shrunk.is_least = search_by_length(job, budget, progress, shown);
        if (shown->steps == steps)
            break;
    }
    return cost;
}

// Findings of searches. Nobody has asked for shrinking, so it must not take long.

enum { FINDINGS_WORTH = 4 };

static bool is_worth_it(const struct rh_finding *finding)
{
    return finding->severity == RH_SEVERITY_ERROR && finding->kind != RH_FINDING_NONDETERMINISM &&
           finding->kind != RH_FINDING_UNSET;
}

static struct rh_shrink_budget small_budget(const struct rh_run_options *options, uint64_t left,
                                            double until)
{
    uint64_t most = options->shrink_executions;
    return (struct rh_shrink_budget){.executions = most < left ? most : left,
                                     .deliveries = options->shrink_deliveries,
                                     .cause = CAUSE_EXECUTIONS,
                                     .until = until};
}

static void note_left(struct rh_result *result, size_t count, const char *why)
{
    struct rh_text text = {0};
    if (count == 0)
        return;
    rh_text_addf(&text, "%zu error%s not shrunk, %s: rehearse shrink does it", count,
                 count == 1 ? " was" : "s were", why);
    add_note(result, rh_text_take(&text));
}

void rh_shrink_errors(const struct rh_job *job, double started, struct rh_result *result)
{
    uint64_t left = job->options->shrink_executions * FINDINGS_WORTH;
    double until = until_when(job->options, started);
    size_t too_many = 0, too_late = 0;
    for (size_t i = 0; i < result->findings.count && !is_interrupted(job); i++) {
        struct rh_shown *shown = &result->findings.items[i];
        if (!is_worth_it(&shown->finding))
            continue;
        bool was_late = is_late(until);
        too_late += was_late;
        too_many += !was_late && left == 0;
        if (was_late || left == 0)
            continue;
        struct rh_shrink_budget budget = small_budget(job->options, left, until);
        struct rh_progress progress = {
            .findings = result->findings.count, .done = -1, .shrinking = i + 1};
        uint64_t cost = shrink(job, &budget, &progress, shown);
        left -= cost < left ? cost : left;
        if (shown->shrunk.cause || is_interrupted(job))
            continue;
        if (is_late(until))
            too_late++;
        else
            note_unsteady(result);
    }
    note_left(result, too_many, "since there are so many");
    note_left(result, too_late, "since there was no time left");
}

// Findings of replays.

static size_t main_finding(const struct rh_result *result, const struct rh_schedule *schedule)
{
    const struct rh_shown *shown = rh_result_find(result, schedule);
    if (!shown)
        shown = rh_result_main(result);
    return (size_t)(shown - result->findings.items);
}

void rh_shrink_replayed(const struct rh_job *job, double started, struct rh_result *result)
{
    const struct rh_run_options *options = job->options;
    if (result->findings.count == 0)
        return;
    size_t kept = main_finding(result, options->schedule);
    for (size_t i = 0; i < result->findings.count; i++)
        if (i != kept)
            rh_shown_fini(&result->findings.items[i]);
    struct rh_shown *shown = &result->findings.items[0];
    *shown = result->findings.items[kept];
    result->findings.count = 1;
    bool is_hang = shown->finding.kind == RH_FINDING_HANG;
    uint64_t cause = is_hang ? CAUSE_HANGS * rh_hang_cost(options) : CAUSE_EXECUTIONS;
    struct rh_shrink_budget budget = {.executions = options->shrink_executions,
                                      .deliveries = options->shrink_deliveries,
                                      .cause = cause,
                                      .until = until_when(options, started)};
    struct rh_progress progress = {.findings = 1, .done = -1, .shrinking = 1};
    shrink(job, &budget, &progress, shown);
    result->executions += shown->shrunk.executions;
    if (shown->shrunk.cause || is_interrupted(job))
        return;
    if (is_late(budget.until))
        note_left(result, 1, "since there was no time left");
    else
        note_unsteady(result);
}
