// SPDX-License-Identifier: MIT
#include "explore/run/shrink_results.h"

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

// Findings of searches. Nobody has asked for shrinking, so it must not take long.

enum { FINDINGS_WORTH = 4 };

static bool is_worth_it(const struct rh_finding *finding)
{
    return finding->severity == RH_SEVERITY_ERROR && finding->kind != RH_FINDING_NONDETERMINISM;
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
        uint64_t cost = rh_shrink_finding(job, &budget, &progress, shown);
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
    rh_shrink_finding(job, &budget, &progress, shown);
    result->executions += shown->shrunk.executions;
    if (shown->shrunk.cause || is_interrupted(job))
        return;
    if (is_late(budget.until))
        note_left(result, 1, "since there was no time left");
    else
        note_unsteady(result);
}
