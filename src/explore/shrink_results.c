// SPDX-License-Identifier: MIT
#include "explore/shrink_results.h"

#include <string.h>

enum { CAUSE_EXECUTIONS = 200, CAUSE_HANGS = 20 };

static void add_note(struct rh_result *result, char *note)
{
    *rh_vector_push(&result->notes) = note;
}

static void note_unsteady(struct rh_result *result)
{
    add_note(result, rh_strdup("it was not shrunk: it does not show every time"));
}

static bool is_interrupted(const struct rh_worker_order *order)
{
    const struct rh_trial trial = {.order = order};
    return rh_trial_is_interrupted(&trial);
}

// Searches. Nobody has asked for it, so that it must not take long.

enum { FINDINGS_WORTH = 4 };

// A hang takes a second or so each time that it shows, and on a busy machine something else may look like one.
static bool is_worth_it(const struct rh_finding *finding)
{
    return finding->severity == RH_SEVERITY_ERROR && finding->kind != RH_FINDING_NONDETERMINISM &&
           finding->kind != RH_FINDING_HANG;
}

static struct rh_shrink_budget small_budget(const struct rh_run_options *options, uint64_t left)
{
    uint64_t most = options->shrink_executions;
    return (struct rh_shrink_budget){.executions = most < left ? most : left,
                                     .deliveries = options->shrink_deliveries,
                                     .cause = CAUSE_EXECUTIONS};
}

static void note_left(struct rh_result *result, size_t count)
{
    struct rh_text text = {0};
    rh_text_addf(&text, "%zu error%s not shrunk, since there are so many: rehearse shrink does it",
                 count, count == 1 ? " was" : "s were");
    add_note(result, rh_text_take(&text));
}

void rh_shrink_errors(const struct rh_worker_order *order, struct rh_result *result)
{
    uint64_t left = order->options->shrink_executions * FINDINGS_WORTH;
    size_t not_tried = 0;
    for (size_t i = 0; i < result->findings.count && !is_interrupted(order); i++) {
        struct rh_finding *finding = &result->findings.items[i];
        if (!is_worth_it(finding))
            continue;
        not_tried += left == 0;
        if (left == 0)
            continue;
        struct rh_shrink_budget budget = small_budget(order->options, left);
        uint64_t cost = rh_shrink_finding(order, &budget, finding);
        left -= cost < left ? cost : left;
        if (!finding->shrunk.cause && !is_interrupted(order))
            note_unsteady(result);
    }
    if (not_tried > 0)
        note_left(result, not_tried);
}

// Replays.

static size_t main_finding(const struct rh_result *result, const struct rh_schedule *schedule)
{
    size_t first_error = result->findings.count;
    for (size_t i = result->findings.count; i-- > 0;) {
        const struct rh_finding *finding = &result->findings.items[i];
        if (schedule->finding_kind && finding->line == schedule->finding_line &&
            strcmp(rh_finding_kind_name(finding->kind), schedule->finding_kind) == 0)
            return i;
        if (finding->severity == RH_SEVERITY_ERROR)
            first_error = i;
    }
    return first_error < result->findings.count ? first_error : 0;
}

void rh_shrink_replayed(const struct rh_worker_order *order, struct rh_result *result)
{
    const struct rh_run_options *options = order->options;
    if (result->findings.count == 0)
        return;
    size_t kept = main_finding(result, options->schedule);
    for (size_t i = 0; i < result->findings.count; i++)
        if (i != kept)
            rh_finding_fini(&result->findings.items[i]);
    struct rh_finding *finding = &result->findings.items[0];
    *finding = result->findings.items[kept];
    result->findings.count = 1;
    bool is_hang = finding->kind == RH_FINDING_HANG;
    struct rh_shrink_budget budget = {.executions = options->shrink_executions,
                                      .deliveries = options->shrink_deliveries,
                                      .cause =
                                          is_hang ? CAUSE_HANGS * RH_HANG_COST : CAUSE_EXECUTIONS};
    rh_shrink_finding(order, &budget, finding);
    result->executions += finding->shrunk.executions;
    if (!finding->shrunk.cause && !is_interrupted(order))
        note_unsteady(result);
}
