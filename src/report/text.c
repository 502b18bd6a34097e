// SPDX-License-Identifier: MIT
#include "report/text.h"

#include <string.h>

#include "report/trace_index.h"

void rh_report_add_place(struct rh_text *text, const char *file, int line)
{
    if (!file || !*file)
        return;
    rh_text_add(text, file);
    if (line > 0)
        rh_text_addf(text, ":%d", line);
}

enum rh_verdict rh_report_verdict(const struct rh_result *result)
{
    if (rh_result_errors(result))
        return RH_VERDICT_VIOLATED;
    return result->complete ? RH_VERDICT_HOLDS : RH_VERDICT_UNKNOWN;
}

unsigned rh_report_failing_delivery(const struct rh_finding *finding, const struct rh_trace *trace)
{
    unsigned last = 0;
    for (size_t i = 0; i < trace->events.count; i++) {
        const struct rh_event *event = &trace->events.items[i];
        if (event->kind == RH_EVENT_FINDING && event->number == (int64_t)finding->kind)
            return event->delivery;
        if (rh_event_is_step(event->kind))
            last = event->delivery;
    }
    // A crash, a hang or an exit leaves no event behind: it happened in the last delivery.
    bool ends_in_handler = finding->kind == RH_FINDING_CRASH || finding->kind == RH_FINDING_HANG ||
                           finding->kind == RH_FINDING_EXIT;
    return ends_in_handler ? last : 0;
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
    const char *stopped_by = result->stopped_by ? result->stopped_by : "";
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
        rh_text_add(text, count_warnings(result) ? "no error in " : "nothing found in ");
        add_count(text, result->executions, "execution");
        add_whole(text, result);
        if (*stopped_by && strcmp(stopped_by, "finding") != 0)
            rh_text_addf(text, ", stopped by %s", stopped_by);
        add_part_done(text, result);
        if (result->omits_outcomes)
            rh_text_add(text, ", not all that can happen (see the note)");
        if (result->omits_states)
            rh_text_addf(text, ", %llu states, others may have been omitted",
                         (unsigned long long)result->states);
    }
}

static void add_replay_verdict(struct rh_text *text, const struct rh_result *result,
                               const struct rh_report_style *style)
{
    rh_text_add(text, rh_result_errors(result) && style->is_repeat ? "FAILED again"
                      : rh_result_errors(result)                   ? "FAILED"
                      : count_warnings(result)                     ? "no error"
                                                                   : "nothing found");
    rh_text_add(text, " in this schedule");
}

// Adds how small the schedule became, in deliveries and holds.
static void add_shrink_verdict(struct rh_text *text, const struct rh_result *result,
                               const struct rh_report_style *style)
{
    const struct rh_finding *finding = result->findings.items;
    if (result->findings.count == 0 || finding->shrunk.from == 0) {
        add_replay_verdict(text, result, style);
        return;
    }
    rh_text_addf(text, "%s, shrunk from ", rh_result_errors(result) ? "FAILED" : "no error");
    add_deliveries_made(text, finding->shrunk.from);
    rh_text_add(text, " to ");
    add_count(text, finding->steps, "constraint");
    rh_text_add(text, " in ");
    add_count(text, result->executions, "execution");
    if (!finding->shrunk.is_least)
        rh_text_add(text, ", not yet as small as it gets");
}

static void add_head(struct rh_text *text, const struct rh_result *result,
                     const struct rh_report_style *style)
{
    bool is_failed = rh_result_errors(result) > 0;
    const char *color = !style->color ? "" : is_failed ? "\033[1;31m" : "\033[1m";
    rh_text_addf(text, "%s%s: test %s: ", color, result->program, result->test);
    if (is_replay(result))
        add_replay_verdict(text, result, style);
    else if (is_shrink(result))
        add_shrink_verdict(text, result, style);
    else
        add_verdict(text, result);
    rh_text_add(text, style->color ? "\033[0m" : "");
    if (!is_shrink(result)) {
        rh_text_add(text, ", ");
        add_deliveries_made(text, result->deliveries);
    }
    if (rh_faults_any(&result->faults) && !is_replay(result) && !is_shrink(result)) {
        rh_text_add(text, ", at most ");
        rh_faults_add_text(text, &result->faults);
    }
    if (is_sample(result))
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
    const char *message = finding->message ? finding->message : "";
    if (finding->lap.unfair)
        rh_text_add(text, "unfair ");
    if (strncmp(message, kind, strlen(kind)) != 0)
        rh_text_addf(text, "%s: ", kind);
    rh_text_add(text, message);
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
    if (!finding->file || !*finding->file)
        return;
    rh_text_addf(text, "  (%s sent at ", finding->message_type ? finding->message_type : "message");
    rh_report_add_place(text, finding->file, finding->line);
    rh_text_add(text, ")");
}

static void add_happened_at(struct rh_text *text, const struct rh_finding *finding)
{
    bool has_place = finding->file && *finding->file;
    if (has_place) {
        rh_text_add(text, "  at ");
        rh_report_add_place(text, finding->file, finding->line);
    }
    if (finding->actor && *finding->actor)
        rh_text_addf(text, "%s in %s", has_place ? "" : " ", finding->actor);
    // A leak shows when its actor ends; the message that the actor handles then is not its cause.
    if (finding->message_type && *finding->message_type && finding->kind != RH_FINDING_LEAK)
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
                      const struct rh_finding *finding, const struct rh_report_style *style)
{
    if (!finding->schedule_path) {
        rh_text_add(text, "saved:   no; see the message above\n");
        return;
    }
    if (!is_replay(result))
        rh_text_addf(text, "saved:   %s\nreplay:  %s %s%s\n", finding->schedule_path,
                     style->replay_command, finding->schedule_path,
                     style->replay_arguments ? style->replay_arguments : "");
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
static bool looks_same(const struct rh_finding *one, const struct rh_finding *other)
{
    return rh_trace_has_same_path(&one->trace, &other->trace) &&
           rh_report_failing_delivery(one, &one->trace) ==
               rh_report_failing_delivery(other, &other->trace);
}

// Findings of one execution, such as `bound` and `livelock`, share their deliveries, which are
// shown once.
static void add_deliveries(struct rh_text *text, const struct rh_result *result,
                           const struct rh_finding *finding, const struct rh_report_style *style)
{
    for (const struct rh_finding *earlier = result->findings.items; earlier < finding; earlier++) {
        if (looks_same(earlier, finding)) {
            rh_text_addf(text, "         (the same deliveries as for %s above)\n",
                         rh_finding_kind_name(earlier->kind));
            return;
        }
    }
    rh_report_trace(text, &finding->trace, finding, style);
}

// Whether the execution goes on behind the steps of its schedule.
static bool is_followed(const struct rh_finding *finding)
{
    return !finding->schedule.stops && finding->lap.length == 0;
}

// Adds what the schedule became: deliveries that are steps, and sending order but for messages that
// are held back.
static void add_what_is_left(struct rh_text *text, const struct rh_finding *finding)
{
    size_t holds = finding->schedule.holds.count, steps = finding->steps - holds;
    if (steps > 0) {
        rh_text_add(text, "from ");
        add_deliveries_made(text, finding->shrunk.from);
        rh_text_addf(text, " to %zu", steps);
    }
    if (steps == 0 || is_followed(finding))
        rh_text_add(text, steps > 0 ? ", then sending order" : "to sending order");
    if (holds > 0) {
        rh_text_add(text, " with ");
        add_count(text, holds, "message");
        rh_text_add(text, " held back");
    }
}

static void add_shrunk(struct rh_text *text, const struct rh_finding *finding)
{
    bool is_whole = finding->steps == finding->shrunk.from && finding->schedule.holds.count == 0;
    rh_text_add(text, "shrunk:  ");
    if (is_whole && finding->shrunk.is_least)
        rh_text_add(text, "no delivery can be left out");
    else
        add_what_is_left(text, finding);
    rh_text_add(text, finding->shrunk.is_least ? "\n" : ", not yet as small as it gets\n");
}

static void add_finding(struct rh_text *text, const struct rh_result *result,
                        const struct rh_finding *finding, const struct rh_report_style *style)
{
    add_headline(text, finding, style);
    if (!is_replay(result))
        add_deliveries(text, result, finding, style);
    if (finding->shrunk.from > 0 && !is_shrink(result))
        add_shrunk(text, finding);
    if (finding->shrunk.cause)
        rh_text_addf(text, "cause:   %s\n", finding->shrunk.cause);
    add_saved(text, result, finding, style);
    rh_text_add(text, "next:    ");
    rh_report_advice(text, finding, style);
    rh_text_add(text, "\n");
}

// The finding whose delivery a replay marks: the first error, otherwise the first of all.
static const struct rh_finding *main_finding(const struct rh_result *result)
{
    for (size_t i = 0; i < result->findings.count; i++)
        if (result->findings.items[i].severity == RH_SEVERITY_ERROR)
            return &result->findings.items[i];
    return result->findings.count ? &result->findings.items[0] : NULL;
}

static void add_quiet(struct rh_text *text, const struct rh_result *result)
{
    for (size_t i = 0; i < result->findings.count; i++) {
        const struct rh_finding *finding = &result->findings.items[i];
        if (finding->severity != RH_SEVERITY_ERROR)
            continue;
        rh_text_addf(text, "%s: test %s: ", result->program, result->test);
        add_sentence(text, finding);
        add_where(text, finding);
        if (finding->schedule_path)
            rh_text_addf(text, "  %s", finding->schedule_path);
        rh_text_add(text, "\n");
        return;
    }
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

void rh_report_text(struct rh_text *text, const struct rh_result *result,
                    const struct rh_report_style *style)
{
    if (style->quiet) {
        add_quiet(text, result);
        return;
    }
    add_head(text, result, style);
    add_coverage(text, &result->coverage);
    if (is_replay(result))
        rh_report_trace(text, &result->trace, main_finding(result), style);
    for (size_t i = 0; i < result->findings.count; i++)
        add_finding(text, result, &result->findings.items[i], style);
    for (size_t i = 0; i < result->notes.count; i++)
        rh_text_addf(text, "note:    %s\n", result->notes.items[i]);
}

void rh_report_summary(struct rh_text *text, const struct rh_report_run *run,
                       const struct rh_report_style *style)
{
    size_t verdicts[3] = {0};
    for (size_t i = 0; i < run->count; i++)
        verdicts[rh_report_verdict(&run->results[i])]++;
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
