// SPDX-License-Identifier: MIT
#include "report/text.h"

#include <string.h>

#include "base/shell_word.h"
#include "report/execution_view.h"

void rh_report_add_place(struct rh_text *text, const char *file, int line)
{
    if (!file || !*file)
        return;
    rh_text_add(text, file);
    if (line > 0)
        rh_text_addf(text, ":%d", line);
}

static void add_count(struct rh_text *text, uint64_t count, const char *noun)
{
    rh_text_addf(text, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

static void add_deliveries_made(struct rh_text *text, uint64_t count)
{
    rh_text_addf(text, "%llu deliver%s", (unsigned long long)count, count == 1 ? "y" : "ies");
}

static size_t count_warnings(const struct rh_result *result)
{
    return result->findings.count - rh_result_errors(result);
}

static bool is_replay(const struct rh_result *result)
{
    return !strcmp(result->verb, "replay");
}

static bool is_shrink(const struct rh_result *result)
{
    return !strcmp(result->verb, "shrink");
}

static bool is_sample(const struct rh_result *result)
{
    return !strcmp(result->verb, "sample");
}

// Adds how many executions there are for a sample to be taken of.
static void add_whole(struct rh_text *text, const struct rh_result *result)
{
    double expected = result->expected_executions;
    if (is_sample(result) && expected > 0)
        rh_text_addf(text, expected < 1e6 ? " of about %.0f" : " of about %.0e", expected);
}

// Adds how much of a search was done when it was stopped.
static void add_part_done(struct rh_text *text, const struct rh_result *result)
{
    double percent = 100 * (double)result->executions / result->expected_executions;
    if (is_sample(result) || result->expected_executions <= 0)
        return;
    if (percent < 1)
        rh_text_add(text, ", less than 1% done");
    else
        rh_text_addf(text, ", about %.0f%% done", percent < 99 ? percent : 99);
}

static void add_verdict(struct rh_text *text, const struct rh_result *result)
{
    if (rh_result_errors(result)) {
        rh_text_add(text, "FAILED after ");
        add_count(text, result->executions, "execution");
    } else if (result->complete) {
        rh_text_add(text, "passed, ");
        if (result->compares_states)
            rh_text_addf(text, "all %llu states", (unsigned long long)result->states);
        else if (result->executions == 1)
            rh_text_add(text, "the only execution");
        else
            rh_text_addf(text, "all %llu executions", (unsigned long long)result->executions);
    } else {
        rh_text_add(text, "UNDECIDED: ");
        rh_text_add(text, count_warnings(result) ? "no error in " : "nothing found in ");
        add_count(text, result->executions, "execution");
        add_whole(text, result);
        if (result->stopped_by != RH_STOP_NOTHING && result->stopped_by != RH_STOP_FINDING)
            rh_text_addf(text, ", stopped by %s", rh_stop_name(result->stopped_by));
        add_part_done(text, result);
        if (result->omits_outcomes)
            rh_text_add(text, ", not all that can happen (see the note)");
        if (result->omits_states)
            rh_text_addf(text, ", %llu states, others may have been omitted",
                         (unsigned long long)result->states);
    }
}

static void add_order_verdict(struct rh_text *text, const struct rh_result *result)
{
    bool is_failed = rh_result_errors(result) > 0;
    rh_text_add(text, is_failed                             ? "FAILED"
                      : result->verdict != RH_VERDICT_HOLDS ? "nothing found"
                      : count_warnings(result)              ? "no error"
                                                            : "passed,");
    rh_text_add(text, " in the order that the test gives");
    if (!is_failed && result->verdict != RH_VERDICT_HOLDS)
        rh_text_add(text, ", not to its end");
    if (!is_failed && result->stopped_by != RH_STOP_NOTHING)
        rh_text_addf(text, ", stopped by %s", rh_stop_name(result->stopped_by));
}

// Adds what a replay has shown. What was saved for a finding and does not show it is mended, but
// for what can't be told: an execution that was cut off.
static void add_replay_verdict(struct rh_text *text, const struct rh_result *result,
                               const struct rh_report_style *style)
{
    if (result->refusal) {
        rh_text_add(text, "fixed: the order can't be made any more");
        return;
    }
    if (style->is_repeat && !rh_result_errors(result) && result->came_to_end)
        rh_text_add(text, "made, ");
    rh_text_add(text, rh_result_errors(result) && style->is_repeat ? "FAILED again"
                      : rh_result_errors(result)                   ? "FAILED"
                      : count_warnings(result)                     ? "no error"
                                                                   : "nothing found");
    rh_text_add(text, " in this schedule");
}

static const char *how_least(const struct rh_shown *shown)
{
    if (shown->shrunk.is_least)
        return "";
    return shown->shrunk.is_done ? ", not proved least" : ", not yet as small as it gets";
}

// Adds how small the schedule became, in deliveries and holds.
static void add_shrink_verdict(struct rh_text *text, const struct rh_result *result,
                               const struct rh_report_style *style)
{
    const struct rh_shown *shown = result->findings.items;
    if (result->findings.count == 0 || shown->shrunk.from == 0) {
        add_replay_verdict(text, result, style);
        return;
    }
    rh_text_addf(text, "%s, shrunk from ", rh_result_errors(result) ? "FAILED" : "no error");
    add_deliveries_made(text, shown->shrunk.from);
    rh_text_add(text, " to ");
    add_count(text, shown->steps, "constraint");
    rh_text_add(text, " in ");
    add_count(text, result->executions, "execution");
    rh_text_add(text, how_least(shown));
}

static void add_head(struct rh_text *text, const struct rh_result *result,
                     const struct rh_report_style *style)
{
    bool is_failed = rh_result_errors(result) > 0;
    const char *color = !style->color ? "" : is_failed ? "\033[1;31m" : "\033[1m";
    rh_text_addf(text, "%s%s: test %s", color, result->program, result->test);
    if (result->condition)
        rh_text_addf(text, " with %s", result->condition);
    rh_text_add(text, ": ");
    if (is_replay(result))
        add_replay_verdict(text, result, style);
    else if (is_shrink(result))
        add_shrink_verdict(text, result, style);
    else if (result->is_in_order)
        add_order_verdict(text, result);
    else
        add_verdict(text, result);
    rh_text_add(text, style->color ? "\033[0m" : "");
    if (!is_shrink(result)) {
        rh_text_add(text, ", ");
        add_deliveries_made(text, result->deliveries);
    }
    bool is_search = !is_replay(result) && !is_shrink(result) && !result->is_in_order;
    if (rh_faults_any(&result->faults) && is_search) {
        rh_text_add(text, ", at most ");
        rh_faults_add_text(text, &result->faults);
    }
    if (is_sample(result) && !result->is_in_order)
        rh_text_addf(text, ", seed %llu", (unsigned long long)result->seed);
    if (count_warnings(result)) {
        rh_text_add(text, ", ");
        add_count(text, count_warnings(result), "warning");
    }
    if (style->times)
        rh_text_addf(text, ", %.2f s", result->seconds);
    if (result->census.on) {
        rh_text_add(text, ", ");
        add_count(text, result->census.final_states, "final state");
        rh_text_addf(text, ", %llu class%s", (unsigned long long)result->census.classes,
                     result->census.classes == 1 ? "" : "es");
    }
    rh_text_add(text, "\n");
}

// Adds "check: amount > 0", without the kind if the sentence already starts with it.
static void add_sentence(struct rh_text *text, const struct rh_finding *finding)
{
    const char *kind = rh_finding_kind_name(finding->kind);
    if (finding->lap.unfair)
        rh_text_add(text, "unfair ");
    if (strncmp(finding->message, kind, strlen(kind)) != 0)
        rh_text_addf(text, "%s: ", kind);
    rh_text_add(text, finding->message);
}

// Whether the finding is about a message that waits: then the finding's place is where the message
// was sent, and the sentence names the actors.
static bool is_about_waiting(const struct rh_finding *finding)
{
    return finding->kind == RH_FINDING_DEADLOCK || finding->kind == RH_FINDING_LEFTOVER ||
           finding->kind == RH_FINDING_UNDELIVERED;
}

static void add_sent_at(struct rh_text *text, const struct rh_finding *finding)
{
    if (!*finding->file)
        return;
    rh_text_addf(text, "  (%s sent at ",
                 *finding->message_type ? finding->message_type : "message");
    rh_report_add_place(text, finding->file, finding->line);
    rh_text_add(text, ")");
}

static void add_happened_at(struct rh_text *text, const struct rh_finding *finding)
{
    bool has_place = *finding->file;
    if (has_place) {
        rh_text_add(text, "  at ");
        rh_report_add_place(text, finding->file, finding->line);
    }
    if (*finding->actor)
        rh_text_addf(text, "%s in %s", has_place ? "" : " ", finding->actor);
    // A leak shows when its actor ends; the message that the actor handles then is not its cause.
    if (*finding->message_type && finding->kind != RH_FINDING_LEAK)
        rh_text_addf(text, " (handling %s)", finding->message_type);
}

static void add_where(struct rh_text *text, const struct rh_finding *finding)
{
    if (is_about_waiting(finding))
        add_sent_at(text, finding);
    else
        add_happened_at(text, finding);
    if (finding->count > 1)
        rh_text_addf(text, ", seen %llu times", (unsigned long long)finding->count);
}

static void add_saved(struct rh_text *text, const struct rh_result *result,
                      const struct rh_shown *shown, const struct rh_report_style *style)
{
    if (!shown->schedule_path) {
        rh_text_add(text, "saved:   no; see the message above\n");
        return;
    }
    if (!is_replay(result)) {
        rh_text_addf(text, "saved:   %s\nreplay:  %s", shown->schedule_path, style->replay_command);
        rh_text_add_argument(text, shown->schedule_path);
        rh_text_addf(text, "%s\n", style->replay_arguments ? style->replay_arguments : "");
    }
}

static void add_headline(struct rh_text *text, const struct rh_finding *finding,
                         const struct rh_report_style *style)
{
    bool is_error = finding->severity == RH_SEVERITY_ERROR;
    const char *color = !style->color ? "" : is_error ? "\033[31m" : "\033[33m";
    rh_text_addf(text, "\n%s%s", color, is_error ? "" : "warning: ");
    add_sentence(text, finding);
    rh_text_add(text, style->color ? "\033[0m" : "");
    add_where(text, finding);
    rh_text_add(text, "\n");
}

// Whether both findings would be shown with the same deliveries and with the same one marked.
static bool looks_same(const struct rh_shown *one, const struct rh_shown *other)
{
    return rh_execution_has_same_path(&one->execution, &other->execution) &&
           one->finding.delivery == other->finding.delivery;
}

// Findings of one execution, such as `bound` and `livelock`, share their deliveries, which are
// shown once.
static void add_deliveries(struct rh_text *text, const struct rh_result *result,
                           const struct rh_shown *shown, const struct rh_report_style *style)
{
    for (const struct rh_shown *earlier = result->findings.items; earlier < shown; earlier++) {
        if (looks_same(earlier, shown)) {
            rh_text_addf(text, "         (the same deliveries as for %s above)\n",
                         rh_finding_kind_name(earlier->finding.kind));
            return;
        }
    }
    rh_report_trace(text, &shown->execution, &shown->finding, style);
}

// Whether the execution goes on behind the steps of its schedule.
static bool is_followed(const struct rh_shown *shown)
{
    return !shown->schedule.stops && shown->finding.lap.length == 0;
}

// Adds what the schedule became: deliveries that are steps, and sending order but for messages that
// are held back.
static void add_what_is_left(struct rh_text *text, const struct rh_shown *shown)
{
    size_t holds = shown->schedule.holds.count, steps = shown->steps - holds;
    if (steps > 0) {
        rh_text_add(text, "from ");
        add_deliveries_made(text, shown->shrunk.from);
        rh_text_addf(text, " to %zu", steps);
    }
    if (steps == 0 || is_followed(shown))
        rh_text_add(text, steps > 0 ? ", then sending order" : "to sending order");
    if (holds > 0) {
        rh_text_add(text, " with ");
        add_count(text, holds, "message");
        rh_text_add(text, " held back");
    }
}

static void add_shrunk(struct rh_text *text, const struct rh_shown *shown)
{
    bool is_whole = shown->steps == shown->shrunk.from && shown->schedule.holds.count == 0;
    rh_text_add(text, "shrunk:  ");
    if (is_whole && shown->shrunk.is_done)
        rh_text_add(text, "no delivery can be left out");
    else
        add_what_is_left(text, shown);
    rh_text_addf(text, "%s\n", how_least(shown));
}

static void add_finding(struct rh_text *text, const struct rh_result *result,
                        const struct rh_shown *shown, const struct rh_report_style *style)
{
    add_headline(text, &shown->finding, style);
    if (!is_replay(result))
        add_deliveries(text, result, shown, style);
    if (shown->shrunk.from > 0 && !is_shrink(result))
        add_shrunk(text, shown);
    if (shown->shrunk.cause)
        rh_text_addf(text, "cause:   %s\n", shown->shrunk.cause);
    add_saved(text, result, shown, style);
    rh_text_add(text, "next:    ");
    rh_report_advice(text, shown, style);
    rh_text_add(text, "\n");
}

static void add_quiet(struct rh_text *text, const struct rh_result *result)
{
    const struct rh_shown *shown = rh_result_main(result);
    if (!shown || shown->finding.severity != RH_SEVERITY_ERROR)
        return;
    rh_text_addf(text, "%s: test %s: ", result->program, result->test);
    add_sentence(text, &shown->finding);
    add_where(text, &shown->finding);
    if (shown->schedule_path)
        rh_text_addf(text, "  %s", shown->schedule_path);
    rh_text_add(text, "\n");
}

static void add_other_goals(struct rh_text *text, const char *name,
                            const struct rh_criterion_figures *figures)
{
    if (figures->known > 0)
        rh_text_addf(text, ", %s %llu of %llu", name, (unsigned long long)figures->covered,
                     (unsigned long long)figures->known);
}

static void add_coverage(struct rh_text *text, const struct rh_coverage_figures *figures)
{
    for (int i = 0; i < figures->count; i++) {
        const struct rh_criterion_figures *one = &figures->criteria[i];
        rh_text_addf(text, "%s%s %llu of %llu", i == 0 ? "goals:   " : ", ", one->name,
                     (unsigned long long)one->covered, (unsigned long long)one->known);
        if (one->single_pass < one->covered)
            rh_text_addf(text, " (single pass %llu)", (unsigned long long)one->single_pass);
    }
    if (!figures->on)
        return;
    add_other_goals(text, "outcomes", &figures->outcomes);
    add_other_goals(text, "faults", &figures->faults);
    rh_text_add(text, "; ");
    if (figures->sweeps) {
        add_count(text, figures->sweeps, "sweep");
        rh_text_add(text, ", ");
    }
    add_count(text, figures->schedules, "schedule");
    if (figures->infeasible)
        rh_text_addf(text, ", %llu not followed", (unsigned long long)figures->infeasible);
    if (figures->useless)
        rh_text_addf(text, ", %llu without a new goal", (unsigned long long)figures->useless);
    rh_text_add(text, "\n");
}

static bool was_cut_off(const struct rh_result *result)
{
    for (size_t i = 0; i < result->findings.count; i++)
        if (result->findings.items[i].finding.kind == RH_FINDING_BOUND)
            return true;
    return false;
}

// So many executions are soon made.
static const double FEW_EXECUTIONS = 1e7;

static bool ends_by(const struct rh_result *result, enum rh_stop first, enum rh_stop second)
{
    return result->stopped_by == first || result->stopped_by == second;
}

// What is likely to decide a test that is undecided.
static void add_what_decides(struct rh_text *text, const struct rh_result *result)
{
    bool explores = strcmp(result->verb, "explore") == 0;
    double expected = result->expected_executions;
    rh_text_add(text, "next:    ");
    if (is_sample(result))
        rh_text_add(text, "explore tries every order; --runs and another --seed take more samples");
    else if (!explores)
        rh_text_add(text, "explore tries every order");
    else if (result->omits_outcomes)
        rh_text_add(text, "nothing decides what the note says is left out");
    else if (result->omits_states)
        rh_text_add(text, "--states exact leaves none out");
    else if (was_cut_off(result))
        rh_text_add(text, "a larger --max-length does not cut executions off; --states exact ends "
                          "where the program comes back to a state");
    else if (result->stopped_by == RH_STOP_EXECUTIONS && expected > 0 && expected < FEW_EXECUTIONS)
        rh_text_addf(text, "--max-executions 0 tries all of about %.0f executions", expected);
    else if (ends_by(result, RH_STOP_SECONDS, RH_STOP_INTERRUPT) && result->executions == 0)
        rh_text_add(text, "no execution came to its end: give it more time; a handler that does "
                          "not end is a finding after ten times --hang-limit");
    else if (ends_by(result, RH_STOP_SECONDS, RH_STOP_INTERRUPT))
        rh_text_add(text, "give it more time, or a test with fewer actors or messages");
    else if (ends_by(result, RH_STOP_MEMORY, RH_STOP_STATES))
        rh_text_add(text, "--states bitstate takes less memory, sample takes none; or a test with "
                          "fewer actors or messages");
    else if (result->stopped_by == RH_STOP_NOTHING)
        rh_text_add(text, "see the note for what was not tried");
    else
        rh_text_add(text, "--max-seconds 600 goes on with samples for so long; a test with fewer "
                          "actors or messages may have an end");
    rh_text_add(text, "\n");
}

void rh_report_text(struct rh_text *text, const struct rh_result *result,
                    const struct rh_report_style *style)
{
    if (style->quiet) {
        add_quiet(text, result);
        return;
    }
    add_head(text, result, style);
    add_coverage(text, &result->coverage);
    if (is_replay(result)) {
        const struct rh_shown *marked = rh_result_main(result);
        rh_report_trace(text, &result->execution, marked ? &marked->finding : NULL, style);
    }
    for (size_t i = 0; i < result->findings.count; i++)
        add_finding(text, result, &result->findings.items[i], style);
    if (result->refusal)
        rh_text_addf(text, "note:    %s\n", result->refusal);
    for (size_t i = 0; i < result->notes.count; i++)
        rh_text_addf(text, "note:    %s\n", result->notes.items[i]);
    bool is_search = !is_replay(result) && !is_shrink(result) && !result->is_in_order;
    if (is_search && rh_result_judge(result) == RH_VERDICT_UNKNOWN)
        add_what_decides(text, result);
}

void rh_report_untried(struct rh_text *text, const char *const *conditions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rh_text_addf(text, "%s%s", i == 0 ? "untried: " : ", ", conditions[i]);
    if (count > 0)
        rh_text_addf(text, "; --thorough tries %s\n", count == 1 ? "it" : "each of them");
}

void rh_report_summary(struct rh_text *text, const struct rh_report_run *run,
                       const struct rh_report_style *style)
{
    size_t verdicts[3] = {0};
    for (size_t i = 0; i < run->count; i++)
        verdicts[run->results[i].verdict]++;
    const char *color = !style->color                   ? ""
                        : verdicts[RH_VERDICT_VIOLATED] ? "\033[1;31m"
                                                        : "\033[1m";
    rh_text_addf(text, "%s%zu passed, %zu failed", color, verdicts[RH_VERDICT_HOLDS],
                 verdicts[RH_VERDICT_VIOLATED]);
    if (verdicts[RH_VERDICT_UNKNOWN])
        rh_text_addf(text, ", %zu undecided (nothing found, but not every order was tried)",
                     verdicts[RH_VERDICT_UNKNOWN]);
    if (run->not_run_count)
        rh_text_addf(text, ", %zu not run", run->not_run_count);
    rh_text_addf(text, "%s\n", style->color ? "\033[0m" : "");
}

void rh_report_list(struct rh_text *text, const struct rh_test *tests, size_t count)
{
    int width = 0;
    for (size_t i = 0; i < count; i++)
        if (strlen(tests[i].name) > (size_t)width)
            width = (int)strlen(tests[i].name);
    for (size_t i = 0; i < count; i++) {
        rh_text_addf(text, "%-*s  ", width, tests[i].name);
        rh_report_add_place(text, tests[i].file, tests[i].line);
        rh_text_add(text, "\n");
    }
}
