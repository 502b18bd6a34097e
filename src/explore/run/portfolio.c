// SPDX-License-Identifier: MIT
#include "explore/run/portfolio.h"

#include <string.h>

#include "base/clock.h"
#include "explore/process/shared.h"

enum {
    BEGINNING = 1000,      // executions after which a search is not over soon
    LOOK_AHEAD = 15,       // executions after which it may be put off, if more than ...
    FAR = 1000,            // ... are expected, which are mostly too few
    FIRST_SAMPLES = 500,   // before the search
    COVERED = 200,         // executions of what cover would do, behind these
    MORE_SAMPLES = 20000,  // after it
    SAMPLED = 1000000,     // deliveries of the first samples
    MORE_SAMPLED = 5000000 // and of those after the search
};

struct portfolio {
    const struct rh_run_options *options; // of the whole
    const struct rh_test *test;
    struct rh_result *result; // of the search as far as it came
    struct rh_status status;
    double started;
    enum rh_stop ended_by; // what has ended the whole before its time
};

static bool is_over(const struct portfolio *portfolio)
{
    return !rh_is_ok(&portfolio->status) || portfolio->ended_by != RH_STOP_NOTHING;
}

// What ends a part because nothing more is wanted or to be had. Other bounds are those of a part.
static bool ends_all(enum rh_stop stop, double share)
{
    return stop == RH_STOP_INTERRUPT || stop == RH_STOP_FAILURE ||
           (stop == RH_STOP_SECONDS && share == 1);
}

static void note_part(struct rh_result *result, const struct rh_parts *earlier, const char *name)
{
    result->parts = *earlier;
    rh_assert(result->parts.count < RH_PARTS_MOST);
    result->parts.items[result->parts.count++] =
        (struct rh_part){name, result->executions, result->deliveries};
}

// Runs one part within this share of what is left of the time.
static struct rh_result run_part(struct portfolio *portfolio, struct rh_run_options *options,
                                 const char *name, double share)
{
    struct rh_result result = {0};
    double spent = rh_clock_seconds() - portfolio->started;
    options->portfolio = false;
    if (portfolio->options->max_seconds > 0) {
        options->max_seconds = (portfolio->options->max_seconds - spent) * share;
        if (options->max_seconds < 1e-3)
            options->max_seconds = 1e-3;
    }
    bool covers = strcmp(name, "cover") == 0;
    portfolio->status = (covers ? options->cover : rh_run_test)(options, portfolio->test, &result);
    if (result.test)
        note_part(&result, &portfolio->result->parts, name);
    if (ends_all(result.stopped_by, share))
        portfolio->ended_by = result.stopped_by;
    return result;
}

static bool has(const struct rh_result *result, const struct rh_finding *finding)
{
    for (size_t i = 0; i < result->findings.count; i++)
        if (rh_shared_key(&result->findings.items[i].finding) == rh_shared_key(finding))
            return true;
    return false;
}

// Moves what only `from` has found. That an execution was cut off says nothing here: the part that
// has cut it off is not all.
static void take_findings(struct rh_result *result, struct rh_result *from)
{
    for (size_t i = 0; i < from->findings.count; i++) {
        struct rh_shown *shown = &from->findings.items[i];
        if (shown->finding.kind == RH_FINDING_BOUND || has(result, &shown->finding))
            continue;
        *rh_vector_push(&result->findings) = *shown;
        *shown = (struct rh_shown){0};
    }
}

// The newer result takes the place of the older.
static void replace(struct portfolio *portfolio, struct rh_result *newer)
{
    struct rh_result older = *portfolio->result;
    *portfolio->result = *newer;
    if (!newer->complete)
        take_findings(portfolio->result, &older);
    rh_result_fini(&older);
}

// Adds what samples, or cover, have found to the result of the search. Where that is what was asked
// for, they have the word.
static void take_samples(struct portfolio *portfolio, struct rh_result *samples)
{
    bool is_found = rh_result_errors(samples) > 0 && !portfolio->options->keep_going;
    if (is_found) {
        replace(portfolio, samples);
        return;
    }
    take_findings(portfolio->result, samples);
    portfolio->result->parts = samples->parts;
    rh_result_fini(samples);
}

// Single executions: samples, or with "cover" those that it chooses.
static void sample(struct portfolio *portfolio, const char *part, uint64_t runs,
                   uint64_t deliveries, uint64_t seed)
{
    struct rh_run_options options = *portfolio->options;
    options.strategy = "mixed";
    options.reduction = "none";
    options.automatic = options.commuting = false;
    options.seed = seed;
    options.max_executions = runs;
    options.max_deliveries = deliveries;
    struct rh_result samples = run_part(portfolio, &options, part, 1);
    samples.coverage = (struct rh_coverage_figures){.on = false};
    if (samples.test)
        take_samples(portfolio, &samples);
}

static void search(struct portfolio *portfolio, bool is_beginning)
{
    struct rh_run_options options = *portfolio->options;
    if (is_beginning) {
        options.begins = true;
        options.max_executions = BEGINNING;
        options.looks_ahead = LOOK_AHEAD;
        options.far = FAR;
        options.max_deliveries = RH_DELIVERIES_FIRST;
    }
    // The samples after the search have the other half of the time.
    struct rh_result found = run_part(portfolio, &options, "search", is_beginning ? 1 : 0.5);
    if (found.test)
        replace(portfolio, &found);
}

// Whether there is nothing left to be done.
static bool is_decided(const struct portfolio *portfolio)
{
    const struct rh_result *result = portfolio->result;
    bool is_found = rh_result_errors(result) > 0 && !portfolio->options->keep_going;
    return is_over(portfolio) || result->stopped_by == RH_STOP_NOTHING || is_found;
}

static void add_note(struct rh_result *result)
{
    struct rh_text text = {0};
    const struct rh_parts *parts = &result->parts;
    rh_text_add(&text, "the orders have no near end, so samples were taken besides: ");
    for (uint32_t i = 0; i < parts->count; i++)
        rh_text_addf(&text, "%s%llu execution%s of %s", i == 0 ? "" : ", then ",
                     (unsigned long long)parts->items[i].executions,
                     parts->items[i].executions == 1 ? "" : "s",
                     strcmp(parts->items[i].name, "search") == 0 ? "the search"
                                                                 : parts->items[i].name);
    rh_text_add(&text, "; --strategy exhaustive takes no samples");
    *rh_vector_push(&result->notes) = rh_text_take(&text);
}

// A finding comes after all executions before it.
static void settle(struct portfolio *portfolio)
{
    struct rh_result *result = portfolio->result;
    const struct rh_parts *parts = &result->parts;
    if (parts->count < 2)
        return;
    if (rh_result_errors(result) > 0 && !portfolio->options->keep_going) {
        result->executions = result->deliveries = 0;
        for (uint32_t i = 0; i < parts->count; i++) {
            result->executions += parts->items[i].executions;
            result->deliveries += parts->items[i].deliveries;
        }
    } else if (portfolio->ended_by != RH_STOP_NOTHING) {
        result->stopped_by = portfolio->ended_by;
    }
    result->verb = portfolio->options->verb;
    result->seconds = rh_clock_seconds() - portfolio->started;
    result->verdict = rh_result_judge(result);
    add_note(result);
}

struct rh_status rh_portfolio_run(const struct rh_run_options *options, const struct rh_test *test,
                                  struct rh_result *result)
{
    *result = (struct rh_result){0};
    struct portfolio portfolio = {.options = options,
                                  .test = test,
                                  .result = result,
                                  .status = rh_ok(),
                                  .started = rh_clock_seconds()};
    search(&portfolio, true);
    if (!is_decided(&portfolio))
        sample(&portfolio, "samples", FIRST_SAMPLES, SAMPLED, options->seed);
    if (options->cover && !is_decided(&portfolio))
        sample(&portfolio, "cover", COVERED, SAMPLED, options->seed);
    if (!is_decided(&portfolio)) {
        search(&portfolio, false);
        // More were expected than there are: what came before does not matter.
        if (result->complete && result->executions <= BEGINNING)
            result->parts.count = 0;
    }
    if (!is_decided(&portfolio)) {
        bool is_timed = options->max_seconds > 0;
        sample(&portfolio, "samples", is_timed ? 0 : MORE_SAMPLES, is_timed ? 0 : MORE_SAMPLED,
               options->seed + 1);
    }
    settle(&portfolio);
    return portfolio.status;
}
