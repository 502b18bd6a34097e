// SPDX-License-Identifier: MIT
#include "cli/runner_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "cli/coverage.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/replay_saved.h"
#include "cli/save.h"
#include "cli/thorough.h"
#include "explore/run/order.h"
#include "report/json.h"

static void print(struct rh_runner *runner, const struct rh_text *text)
{
    if (!rh_print_to_reader(text, &runner->has_reader))
        runner->failure = rh_failed("standard output");
}

// How the test has ended, for --outcomes: `NAME passed`, or the kind and the place of what was
// found first. The name is that of the schedule's file.
static void add_outcome(struct rh_runner *runner, const struct rh_result *result)
{
    const char *path = runner->schedules.count > 0 ? runner->schedules.items[runner->begun - 1].path
                                                   : runner->options.schedule;
    const char *name = path ? rh_base_name(path) : result->test;
    const char *dot = strrchr(name, '.');
    int length = (int)(dot ? dot - name : (ptrdiff_t)strlen(name));
    const struct rh_shown *shown = rh_result_errors(result) ? rh_result_main(result) : NULL;
    rh_text_addf(&runner->outcomes, "%.*s %s", length, name,
                 shown ? rh_finding_kind_name(shown->finding.kind) : "passed");
    if (shown && shown->finding.file[0])
        rh_text_addf(&runner->outcomes, " %s:%d", shown->finding.file, shown->finding.line);
    rh_text_add(&runner->outcomes, "\n");
    if (runner->lines)
        rh_coverage_add_reached(&runner->outcomes, runner->lines, name, length);
}

static void print_result(struct rh_runner *runner, const struct rh_result *result)
{
    if (runner->options.outcomes)
        add_outcome(runner, result);
    if (runner->options.json || runner->options.outcomes)
        return;
    struct rh_text text = {0};
    rh_report_text(&text, result, &runner->style);
    print(runner, &text);
    rh_text_fini(&text);
}

// Reports a failure at once and remembers the first one, which decides the exit status.
static void note_failure(struct rh_runner *runner, const struct rh_status *status)
{
    rh_print_status(status);
    if (rh_is_ok(&runner->failure))
        runner->failure = *status;
}

// A replayed finding has its file already, unless the user asks for a new one.
static void save(struct rh_runner *runner, struct rh_early_save *early, struct rh_result *result)
{
    const struct rh_options *options = &runner->options;
    if (options->verb == RH_VERB_REPLAY && !options->save && options->schedule) {
        const char *path = runner->schedules.count > 0
                               ? runner->schedules.items[runner->begun - 1].path
                               : options->schedule;
        for (size_t i = 0; i < result->findings.count; i++)
            result->findings.items[i].schedule_path = rh_strdup(path);
        return;
    }
    struct rh_status status = rh_save_findings(early, result);
    if (!rh_is_ok(&status))
        note_failure(runner, &status);
}

static void add_note(struct rh_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_note(struct rh_result *result, const char *format, ...)
{
    struct rh_text note = {0};
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(&note, format, arguments);
    va_end(arguments);
    *rh_vector_push(&result->notes) = rh_text_take(&note);
}

// Adds a note if a replay shows something else than the schedule was saved for.
static void compare_finding(struct rh_result *result, const struct rh_schedule *schedule)
{
    if (!schedule || !schedule->finding_kind || result->findings.count == 0)
        return;
    const struct rh_shown *shown = rh_result_find(result, schedule);
    const char *file = schedule->finding_file;
    if (!shown)
        add_note(result,
                 "the schedule was saved for another finding: %s%s%s; has the program "
                 "changed, or were there other options?",
                 schedule->finding_kind, file ? " in " : "", file ? file : "");
    else if (shown->finding.line != schedule->finding_line)
        add_note(result,
                 "the schedule was saved for a finding of this kind at %s:%d: the program has "
                 "changed since",
                 file, schedule->finding_line);
}

static bool has_program(const struct rh_schedule *schedule, const char *name)
{
    for (size_t i = 0; i < schedule->programs.count; i++)
        if (rh_has_same_stem(schedule->programs.items[i], name))
            return true;
    return schedule->programs.count == 0;
}

// The user may have named another program than the schedule does.
static void compare_program(struct rh_result *result, const struct rh_schedule *schedule,
                            const struct rh_options *options)
{
    for (size_t i = 0; schedule && i < options->names.count; i++) {
        if (has_program(schedule, options->names.items[i]))
            continue;
        add_note(result, "the schedule is of %s, and was followed in %s",
                 schedule->programs.items[0], options->names.items[i]);
        return;
    }
}

// Adds how the recorded run ended.
static void note_recording(struct rh_result *result, const struct rh_recording *recording)
{
    if (recording->end == RH_RECORDING_DIED)
        add_note(result, "recorded: %s", recording->last_words);
    else if (recording->end == RH_RECORDING_ENDED)
        add_note(result, "recorded: rh_run ended with status %d", recording->status);
    else
        add_note(result, "recorded: the program was killed, or is still running");
    if (recording->torn > 0)
        add_note(result, "the last record of %u thread%s was not whole and is left out",
                 recording->torn, recording->torn > 1 ? "s" : "");
}

// Runs a test with the strategy "cover".
static struct rh_status cover_test(struct rh_runner *runner, const struct rh_run_options *run,
                                   const struct rh_test *test, struct rh_result *result)
{
    struct rh_cover *cover = rh_cover_new(&runner->options.cover);
    if (!cover)
        return rh_failed("cannot reserve the address space for coverage");
    struct rh_status status = rh_cover_test(cover, run, test, result);
    if (rh_is_ok(&status) && run->traffic)
        rh_coverage_add(&runner->coverage, &runner->options, run, cover, result);
    rh_cover_free(cover);
    return status;
}

// What cover would do if it were asked, within the bounds of the options.
static struct rh_status cover_besides(const struct rh_run_options *options,
                                      const struct rh_test *test, struct rh_result *result)
{
    const struct rh_cover_options usual = {
        .criteria = {RH_CRITERION_PR, RH_CRITERION_PBR, RH_CRITERION_PCR},
        .criterion_count = RH_CRITERION_COUNT};
    struct rh_cover *cover = rh_cover_new(&usual);
    if (!cover)
        return rh_failed("cannot reserve the address space for coverage");
    struct rh_status status = rh_cover_test(cover, options, test, result);
    rh_cover_free(cover);
    return status;
}

// Runs the test that the schedule of a directory is of, or is. A generated one that shows nothing
// needs no process of its own.
static struct rh_status run_scheduled(struct rh_runner *runner, struct rh_run_options *run,
                                      const struct rh_test *test,
                                      const struct rh_schedule *schedule, struct rh_result *result)
{
    rh_order_set_options(run, schedule);
    rh__runner_seek_line(run, schedule);
    if (rh_schedule_is_saved(schedule)) {
        run->is_order = false;
        return rh_replay_saved(run, test, result);
    }
    // One process for all tests has the records of the first.
    bool is_together = schedule->is_generated && !run->traffic;
    if (is_together && rh_follower_run(&runner->follower, run, test, result))
        return rh_ok();
    return rh_run_test(run, test, result);
}

// Runs a test that gives its order: it has one execution, whatever the verb.
static struct rh_status run_in_order(struct rh_run_options *run, const struct rh_test *test,
                                     const struct rh_test_order *order, struct rh_result *result)
{
    struct rh_schedule schedule;
    rh_order_read(order, &schedule);
    rh_order_set_options(run, &schedule);
    struct rh_status status = rh_run_test(run, test, result);
    rh_schedule_fini(&schedule);
    return status;
}

static struct rh_status search_test(struct rh_runner *runner, struct rh_run_options *run,
                                    const struct rh_test *test, struct rh_result *result)
{
    const struct rh_test_order *order =
        rh_verb_takes_schedule(runner->options.verb) ? NULL : rh_order_find(test);
    if (runner->options.save_coverage) {
        run->traffic = rh_traffic_record_new();
        if (!run->traffic)
            return rh_failed("cannot reserve the address space for coverage");
    }
    if (runner->lines)
        rh_lines_record_clear(runner->lines);
    bool covers = runner->options.verb == RH_VERB_COVER && !order;
    bool is_saved = runner->options.verb == RH_VERB_REPLAY && run->schedule &&
                    !runner->recording.program && rh_schedule_is_saved(run->schedule);
    const struct rh_schedule *schedule =
        runner->schedules.count > 0 ? &runner->schedules.items[runner->begun - 1] : NULL;
    struct rh_status status = schedule   ? run_scheduled(runner, run, test, schedule, result)
                              : order    ? run_in_order(run, test, order, result)
                              : covers   ? cover_test(runner, run, test, result)
                              : is_saved ? rh_replay_saved(run, test, result)
                                         : rh_run_test(run, test, result);
    if (rh_is_ok(&status) && run->traffic && !covers)
        rh_coverage_add(&runner->coverage, &runner->options, run, NULL, result);
    if (run->traffic)
        rh_traffic_record_free(run->traffic);
    return status;
}

// false if other tests would fare no better. A failure of the tool may leave a result, with what
// was found before.
static bool run_test(struct rh_runner *runner, const struct rh_test *test, const char *condition)
{
    struct rh_run_options run = runner->options.run;
    run.cover = cover_besides;
    if (condition)
        rh_thorough_set(&run, condition);
    struct rh_progress_line line = {.test = test->name, .max_executions = run.max_executions};
    bool is_live = rh_progress_has_terminal() && !runner->options.json && !runner->options.quiet &&
                   runner->options.verb != RH_VERB_REPLAY;
    if (is_live) {
        run.progress = rh_progress_show;
        run.progress_context = &line;
    }
    if (!runner->options.quiet) {
        run.suspects = rh_progress_suspect;
        run.suspects_context = &line;
    }
    struct rh_early_save early = {
        .options = &runner->options, .test = test->name, .condition = condition};
    if (runner->schedules.count == 0) {
        run.found = rh_save_early;
        run.found_context = &early;
    }
    struct rh_result result = {0};
    struct rh_status status = search_test(runner, &run, test, &result);
    rh_progress_clear(&line);
    result.condition = condition;
    if (!rh_is_ok(&status))
        note_failure(runner, &status);
    if (!result.test) {
        rh_early_save_fini(&early);
        rh_result_fini(&result);
        return status.code == RH_FAILED && !rh_verb_takes_schedule(runner->options.verb);
    }
    if (rh_verb_takes_schedule(runner->options.verb))
        compare_finding(&result, run.schedule);
    if (rh_verb_takes_schedule(runner->options.verb) && !runner->recording.program)
        compare_program(&result, run.schedule, &runner->options);
    if (runner->recording.program)
        note_recording(&result, &runner->recording);
    save(runner, &early, &result);
    rh_early_save_fini(&early);
    *rh_vector_push(&runner->results) = result;
    print_result(runner, &result);
    return true;
}

static bool was_interrupted(const struct rh_runner *runner)
{
    return *runner->options.run.interrupted != 0;
}

static int exit_status(const struct rh_runner *runner)
{
    if (runner->failure.code == RH_FAILED)
        return RH_EXIT_FAILED;
    if (runner->failure.code == RH_BAD_INPUT)
        return RH_EXIT_BAD_INPUT;
    bool is_complete = runner->results.count >= runner->tests.count;
    for (size_t i = 0; i < runner->results.count; i++) {
        if (rh_result_errors(&runner->results.items[i]))
            return RH_EXIT_FOUND;
        is_complete = is_complete && runner->results.items[i].complete;
    }
    bool is_left = !runner->has_reader && runner->begun < runner->tests.count;
    bool is_demanded = runner->options.require_complete || was_interrupted(runner) || is_left;
    return is_demanded && !is_complete ? RH_EXIT_INCONCLUSIVE : RH_EXIT_NOTHING;
}

// Whether all orders of a test were tried and nothing was found.
static bool has_passed(const struct rh_runner *runner)
{
    for (size_t i = 0; i < runner->results.count; i++)
        if (runner->results.items[i].complete && !rh_result_errors(&runner->results.items[i]))
            return true;
    return false;
}

static void add_untried(const struct rh_runner *runner, struct rh_text *text)
{
    const struct rh_options *options = &runner->options;
    const char *conditions[RH_CONDITIONS_MOST];
    if (options->verb == RH_VERB_EXPLORE && !options->thorough)
        rh_report_untried(text, conditions, rh_thorough_untried(&options->run, conditions));
}

static void print_end(struct rh_runner *runner)
{
    const struct rh_options *options = &runner->options;
    struct rh_report_run run = {.results = runner->results.items,
                                .count = runner->results.count,
                                .not_run = runner->tests.items + runner->begun,
                                .not_run_count = runner->tests.count - runner->begun};
    struct rh_text text = {0};
    if (options->outcomes)
        return;
    if (options->json && runner->results.count)
        rh_report_json(&text, &run, runner->results.count == 1 && runner->tests.count == 1,
                       !options->no_times);
    else if (runner->results.count && !options->json && !options->quiet &&
             (!rh_verb_takes_schedule(options->verb) || runner->schedules.count > 0) &&
             !options->test)
        rh_report_summary(&text, &run, &runner->style);
    if (!options->json && !options->quiet && has_passed(runner))
        add_untried(runner, &text);
    print(runner, &text);
    rh_text_fini(&text);
}

static void save_coverage(struct rh_runner *runner)
{
    if (!runner->options.save_coverage || runner->coverage.length == 0)
        return;
    struct rh_status status = rh_text_write_file(&runner->coverage, runner->options.save_coverage);
    if (!rh_is_ok(&status))
        note_failure(runner, &status);
}

static void save_outcomes(struct rh_runner *runner)
{
    if (!runner->options.outcomes)
        return;
    struct rh_status status = rh_text_write_file(&runner->outcomes, runner->options.outcomes);
    if (!rh_is_ok(&status))
        note_failure(runner, &status);
}

// Runs the test, and with --thorough once more under each condition under which it was not tried,
// if it shows no error. Where it gives its order that is all there is.
static bool run_under_all(struct rh_runner *runner, const struct rh_test *test)
{
    const char *conditions[RH_CONDITIONS_MOST];
    size_t before = runner->results.count;
    bool goes_on = run_test(runner, test, NULL);
    bool is_asked = runner->options.thorough && runner->results.count > before &&
                    rh_result_errors(&runner->results.items[before]) == 0 && !rh_order_find(test);
    size_t count = is_asked ? rh_thorough_untried(&runner->options.run, conditions) : 0;
    for (size_t i = 0; i < count && goes_on && !was_interrupted(runner); i++)
        goes_on = run_test(runner, test, conditions[i]) && runner->has_reader;
    return goes_on;
}

int rh__runner_run(struct rh_runner *runner)
{
    rh_interrupt_catch();
    runner->options.run.interrupted = rh_interrupt_flag();
    runner->has_reader = true;
    while (runner->begun < runner->tests.count && !was_interrupted(runner))
        if (!run_under_all(runner, &runner->tests.items[runner->begun++]) || !runner->has_reader)
            break;
    save_coverage(runner);
    save_outcomes(runner);
    rh_follower_fini(&runner->follower);
    if (runner->has_reader)
        print_end(runner);
    return exit_status(runner);
}
