// SPDX-License-Identifier: MIT
#include "cli/runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rehearse/test.h>

#include "base/file_name.h"
#include "base/shell_word.h"
#include "base/valgrind.h"
#include "cli/about.h"
#include "cli/coverage.h"
#include "cli/diagram.h"
#include "cli/doctor.h"
#include "cli/foreign.h"
#include "cli/gdb.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/request.h"
#include "cli/save.h"
#include "cli/schedule_program.h"
#include "cli/schedules.h"
#include "cli/thorough.h"
#include "cli/words.h"
#include "explore/run.h"
#include "explore/run/follow.h"
#include "explore/run/order.h"
#include "explore/run/recorded.h"
#include "memory/early.h"
#include "report/json.h"
#include "report/text.h"

// One call of a test program.
struct runner {
    struct rh_options options;
    struct rh_text program;          // the program's names as the user gave them
    struct rh_text replay_command;   // the command that replays a finding, up to the schedule
    struct rh_text replay_arguments; // what follows the schedule in the command that replays it
    struct rh_schedule schedule;
    struct rh_schedules schedules; // of a directory: one for each of `tests`; otherwise empty
    struct rh_follower follower;   // of these, if they are generated
    struct rh_recording recording; // the recording that the schedule is made of, or empty
    struct rh_suppressions suppressions;
    struct rh_diagram_file diagrams; // of conform
    struct rh_journal *journal;      // of conform: what a recorded run did; NULL: there is none
    struct rh_report_style style;
    RH_VECTOR(struct rh_test) tests; // tests to run
    size_t begun;                    // how many of `tests` have begun, from the first on
    RH_VECTOR(struct rh_result) results;
    struct rh_text coverage;       // the coverage file of all tests, for --save-coverage
    struct rh_lines_record *lines; // of the present test, for --lines; NULL: not asked for
    struct rh_text outcomes;       // the file for --outcomes
    bool has_reader;          // somebody reads what is printed; otherwise no further test is run
    struct rh_status failure; // the first failure of the tool, after which the rest is reported
    bool is_last;             // the process ends with this run
};

// LeakSanitizer has it.
extern void __lsan_do_leak_check(void) __attribute__((weak));

// Whether the process goes on, or somebody looks for leaks. Otherwise the end of the process frees
// everything more cheaply.
static bool must_free(const struct runner *runner)
{
    return !runner->is_last || __lsan_do_leak_check || rh_valgrind_is_running();
}

static void runner_fini(struct runner *runner)
{
    if (!must_free(runner))
        return;
    for (size_t i = 0; i < runner->results.count; i++)
        rh_result_fini(&runner->results.items[i]);
    rh_vector_fini(&runner->results);
    rh_vector_fini(&runner->tests);
    rh_debug_free(runner->options.run.debug);
    rh_suppressions_fini(&runner->suppressions);
    rh_diagram_file_fini(&runner->diagrams);
    rh_journal_free(runner->journal);
    rh_schedule_fini(&runner->schedule);
    rh_schedules_fini(&runner->schedules);
    rh_recording_fini(&runner->recording);
    rh_text_fini(&runner->coverage);
    rh_lines_record_free(runner->lines);
    rh_text_fini(&runner->outcomes);
    rh_text_fini(&runner->program);
    rh_text_fini(&runner->replay_command);
    rh_text_fini(&runner->replay_arguments);
}

// --- Which tests. ---

static struct rh_status refuse_test(const struct runner *runner, const char *name)
{
    size_t count = rh_test_count();
    const struct rh_test **tests = rh_test_list();
    const char **names = rh_alloc((count + 1) * sizeof *names);
    struct rh_text all = {0};
    for (size_t i = 0; i < count; i++) {
        names[i] = tests[i]->name;
        rh_text_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    const char *nearest = rh_words_nearest(name, names, count);
    const char *program = rh_text_get(&runner->program);
    struct rh_status status =
        nearest
            ? rh_bad_input("%s has no test '%s'; did you mean %s?", program, name, nearest)
            : rh_bad_input("%s has no test '%s'; there are: %s", program, name, rh_text_get(&all));
    rh_text_fini(&all);
    free(names);
    free(tests);
    return status;
}

// Adds the tests of this name; all without a name.
static void add_tests(struct runner *runner, const char *name)
{
    const struct rh_test **tests = rh_test_list();
    for (size_t i = 0; i < rh_test_count(); i++)
        if (!name || !strcmp(tests[i]->name, name))
            *rh_vector_push(&runner->tests) = *tests[i];
    free(tests);
}

static struct rh_status add_test(struct runner *runner, const char *name)
{
    add_tests(runner, name);
    if (runner->tests.count > 0)
        return rh_ok();
    if (strcmp(name, "main") == 0 && rh_main_test()) {
        *rh_vector_push(&runner->tests) = *rh_main_test();
        // A program may get away with these on threads: as warnings they do not hide errors.
        runner->options.run.warn_on = 1U << RH_FINDING_SHARED_STATE |
                                      1U << RH_FINDING_PRIVATE_POINTER | 1U << RH_FINDING_UNHANDLED;
        return rh_ok();
    }
    return refuse_test(runner, name);
}

// Adds the test that the schedule is of, or is.
static struct rh_status add_scheduled(struct runner *runner, const struct rh_schedule *schedule)
{
    if (!schedule->is_generated)
        return add_test(runner, schedule->test);
    *rh_vector_push(&runner->tests) = rh_order_generated(schedule);
    return rh_ok();
}

// The tests of all schedules of a directory.
static struct rh_status select_scheduled(struct runner *runner)
{
    struct rh_status status = rh_ok();
    const char *wanted = runner->options.test;
    struct rh_schedules *schedules = &runner->schedules;
    size_t kept = 0;
    for (size_t i = 0; i < schedules->count; i++) {
        struct rh_schedule *schedule = &schedules->items[i];
        if (!rh_is_ok(&status) || (wanted && strcmp(wanted, schedule->test) != 0)) {
            rh_schedule_fini(schedule);
            continue;
        }
        status = add_scheduled(runner, schedule);
        schedules->items[kept++] = *schedule;
    }
    schedules->count = kept;
    if (rh_is_ok(&status) && kept == 0)
        return rh_bad_input("%s has no schedule of a test '%s'", runner->options.schedule, wanted);
    return status;
}

static struct rh_status select_tests(struct runner *runner)
{
    const char *wanted = runner->options.test;
    const char *scheduled = runner->schedule.test;
    if (runner->schedules.count > 0)
        return select_scheduled(runner);
    if (rh_test_count() == 0 && !wanted && !scheduled)
        return rh_bad_input("%s has no tests: write one with RH_TEST(name) { ... }",
                            rh_text_get(&runner->program));
    if (wanted && scheduled && strcmp(wanted, scheduled) != 0)
        return rh_bad_input("%s is a schedule of test %s, not of %s", runner->options.schedule,
                            scheduled, wanted);
    if (scheduled)
        return add_scheduled(runner, &runner->schedule);
    if (wanted)
        return add_test(runner, wanted);
    if (rh_verb_takes_schedule(runner->options.verb) && rh_test_count() > 1)
        return rh_bad_input("%s does not name its test: give --test NAME",
                            runner->options.schedule);
    add_tests(runner, NULL);
    return rh_ok();
}

// --- Getting ready. ---

// Reads the recording only. Its schedule is made in `convert`, when the program is known to be the
// recorded one.
static struct rh_status read_recording(struct runner *runner)
{
    struct rh_options *options = &runner->options;
    struct rh_status status = rh_recording_read(&runner->recording, options->schedule);
    if (rh_is_ok(&status))
        status = rh_recording_check(&runner->recording, options->schedule, "/proc/self/exe");
    if (rh_is_ok(&status) && options->verb == RH_VERB_COVER && runner->recording.drops.count > 0)
        status = rh_bad_input("%s: messages were dropped in this recording, and cover knows no "
                              "faults: replay and shrink do",
                              options->schedule);
    runner->schedule.test = rh_strdup("main");
    return status;
}

// A schedule that leads to a line is about that line.
static void seek_line(struct rh_run_options *run, const struct rh_schedule *schedule)
{
    const char *kind = schedule->finding_kind;
    if (!kind || strcmp(kind, rh_finding_kind_name(RH_FINDING_REACHED)) != 0 ||
        !schedule->finding_file)
        return;
    run->until_file = schedule->finding_file;
    run->until_line = (uint32_t)schedule->finding_line;
}

static void follow_schedule(struct runner *runner)
{
    struct rh_run_options *run = &runner->options.run;
    run->schedule = &runner->schedule;
    run->order_rule = runner->schedule.order_rule;
    run->time = runner->schedule.time;
    run->environment = runner->schedule.environment;
    run->random = runner->schedule.random;
    seek_line(run, run->schedule);
}

static struct rh_status check_program(const struct runner *runner,
                                      const struct rh_schedule *schedule)
{
    const struct rh_options *options = &runner->options;
    return rh_schedule_check_program(schedule, options->names.items, options->names.count);
}

// Reads what the debug information says about behaviours and states: once, and not in the process
// of each test.
static void look_up(struct rh_debug *debug, const struct rh_schedule *schedule)
{
    for (size_t i = 0; i < schedule->sends.count; i++) {
        const struct rh_schedule_send *send = &schedule->sends.items[i];
        if (!send->state_type)
            continue;
        rh_debug_find_function(debug, send->type);
        rh_debug_find_type(debug, send->state_type, 0);
    }
}

static struct rh_status read_schedules(struct runner *runner)
{
    const struct rh_options *options = &runner->options;
    struct rh_status status =
        options->verb == RH_VERB_REPLAY && !options->gdb
            ? rh_schedules_read(&runner->schedules, options->schedule, SIZE_MAX)
            : rh_bad_input("%s is a directory: only replay takes one, and without --gdb",
                           options->schedule);
    for (size_t i = 0; i < runner->schedules.count && rh_is_ok(&status); i++)
        status = check_program(runner, &runner->schedules.items[i]);
    if (rh_is_ok(&status) && options->run.debug)
        look_up(options->run.debug, &runner->schedules.items[0]);
    return status;
}

static struct rh_status read_schedule(struct runner *runner)
{
    struct rh_options *options = &runner->options;
    bool is_about_schedule = rh_verb_takes_schedule(options->verb);
    if (is_about_schedule && !options->schedule) {
        if (options->operands.count == 0 && rh_replays_order(options))
            return rh_ok();
        if (options->operands.count == 0)
            return rh_bad_input("which schedule? see %s %s --help", options->tool.name,
                                rh_verb_name(options->verb));
        options->schedule = options->operands.items[--options->operands.count];
    }
    if (options->operands.count)
        return rh_bad_input("%s is its own program and takes no other, such as %s; a test is "
                            "chosen with --test",
                            options->tool.name, options->operands.items[0]);
    if (!options->schedule)
        return rh_ok();
    bool takes_recording =
        is_about_schedule || options->verb == RH_VERB_COVER || options->verb == RH_VERB_CONFORM;
    if (takes_recording && rh_recording_is(options->schedule))
        return read_recording(runner);
    if (rh_schedules_is(options->schedule))
        return read_schedules(runner);
    struct rh_status status = rh_schedule_read(&runner->schedule, options->schedule);
    if (!rh_is_ok(&status))
        return status;
    options->run.schedule = &runner->schedule;
    if (options->verb == RH_VERB_COVER)
        status = rh_cover_check_schedule(&runner->schedule);
    if (!rh_is_ok(&status))
        return status;
    bool says_order = runner->schedule.steps.count > 0 || runner->schedule.holds.count > 0;
    if (is_about_schedule || (options->verb == RH_VERB_COVER && says_order))
        follow_schedule(runner);
    const char *kind = runner->schedule.finding_kind;
    bool is_order = runner->schedule.is_generated || (kind && !strcmp(kind, "order"));
    options->run.is_order = options->verb == RH_VERB_REPLAY && is_order;
    return check_program(runner, &runner->schedule);
}

// Values of the command line take the place of those that the schedule gives.
static void set_inputs(struct runner *runner)
{
    const struct rh_options *options = &runner->options;
    for (size_t i = 0; i < options->sets.count; i++) {
        char *name = rh_strdup(options->sets.items[i]);
        char *value = strchr(name, '=');
        *value++ = '\0';
        rh_schedule_set_input(&runner->schedule, name, value);
        free(name);
    }
    if (options->sets.count > 0)
        runner->options.run.schedule = &runner->schedule;
}

// A replay without a file replays the order that the test gives.
static struct rh_status read_order(struct runner *runner)
{
    const struct rh_test *test = &runner->tests.items[0];
    const struct rh_test_order *order = rh_order_find(test);
    if (!order)
        return rh_bad_input("test %s gives no order with RH_TEST_ORDER: which schedule? see %s "
                            "replay --help",
                            test->name, runner->options.tool.name);
    rh_order_read(order, &runner->schedule);
    follow_schedule(runner);
    runner->options.run.is_order = true;
    return rh_ok();
}

static struct rh_status read_suppressions(struct runner *runner)
{
    struct rh_options *options = &runner->options;
    if (!options->suppressions)
        return rh_ok();
    options->run.suppressions = &runner->suppressions;
    return rh_suppressions_read(&runner->suppressions, options->suppressions);
}

static void set_style(struct runner *runner)
{
    const struct rh_options *options = &runner->options;
    runner->style = (struct rh_report_style){
        .color = options->color == RH_COLOR_ALWAYS ||
                 (options->color == RH_COLOR_AUTO && rh_wants_color(STDOUT_FILENO)),
        .times = !options->no_times,
        .quiet = options->quiet,
        .full = options->verb == RH_VERB_REPLAY && runner->schedules.count == 0,
        .is_foreign = options->run.adapter->keeps_state,
        .is_repeat = runner->schedule.finding_kind || runner->recording.end == RH_RECORDING_DIED,
        .replay_command = rh_text_get(&runner->replay_command),
        .replay_arguments = rh_text_get(&runner->replay_arguments),
        .debug = options->run.debug,
    };
}

static void add_option(struct rh_text *text, const char *name, const char *value)
{
    if (!value)
        return;
    rh_text_addf(text, " --%s ", name);
    rh_text_add_shell_word(text, value);
}

// Whether all files of the program lie in the current directory or below it. Otherwise the command
// runs it only if it is told to by name.
static bool lie_here(const struct rh_options *options)
{
    for (size_t i = 0; i < options->names.count; i++)
        if (!rh_is_below(options->names.items[i], "."))
            return false;
    return true;
}

static void set_names(struct runner *runner)
{
    struct rh_options *options = &runner->options;
    if (options->names.count == 0)
        *rh_vector_push(&options->names) = options->tool.name;
    for (size_t i = 0; i < options->names.count; i++)
        rh_text_addf(&runner->program, "%s%s", i ? " " : "", options->names.items[i]);
    rh_text_add_shell_word(&runner->replay_command, options->tool.name);
    rh_text_add(&runner->replay_command, " replay");
    // A finding may depend on these options, and the schedule does not carry them.
    rh_text_add(&runner->replay_command, options->run.shared_files ? " --shared-files" : "");
    add_option(&runner->replay_command, "cflags", options->cflags);
    add_option(&runner->replay_command, "libs", options->libs);
    add_option(&runner->replay_command, "suppressions", options->suppressions);
    add_option(&runner->replay_command, "private-library", options->run.private_libraries);
    if (options->tool.is_request && !lie_here(options))
        for (size_t i = 0; i < options->names.count; i++)
            rh_text_add_argument(&runner->replay_command, options->names.items[i]);
    // With an adapter the schedule carries the arguments.
    for (size_t i = 0; i < options->arguments.count && !options->adapter; i++) {
        rh_text_add(&runner->replay_arguments, i == 0 ? " -- " : " ");
        rh_text_add_shell_word(&runner->replay_arguments, options->arguments.items[i]);
    }
}

// So many more deliveries than a recording has are not too long.
enum { MORE_DELIVERIES = 10000 };

// Makes the schedule from the recording.
static struct rh_status convert(struct runner *runner)
{
    struct rh_run_options *run = &runner->options.run;
    rh_schedule_fini(&runner->schedule);
    if (runner->options.verb == RH_VERB_CONFORM)
        run->journal = runner->journal = rh_journal_new();
    struct rh_status status = rh_recorded_convert(run, &runner->tests.items[0], &runner->recording,
                                                  runner->options.schedule, &runner->schedule);
    if (runner->journal)
        return status;
    follow_schedule(runner);
    // An execution that has happened must not be cut off as too long.
    size_t length = runner->recording.deliveries.count;
    if (run->max_length < length + MORE_DELIVERIES)
        run->max_length = (uint32_t)length + MORE_DELIVERIES;
    return status;
}

static struct rh_status prepare(struct runner *runner)
{
    struct rh_options *options = &runner->options;
    struct rh_status status = rh_check_program();
    if (!rh_is_ok(&status))
        return status;
    options->run.debug = rh_debug_open_self();
    status = rh_program_check_adapter();
    if (rh_is_ok(&status))
        status = rh_save_check(options);
    if (rh_is_ok(&status))
        status = read_schedule(runner);
    if (rh_is_ok(&status))
        set_inputs(runner);
    if (rh_is_ok(&status))
        status = read_suppressions(runner);
    if (rh_is_ok(&status))
        status = select_tests(runner);
    if (rh_is_ok(&status) && rh_verb_takes_schedule(options->verb) && !options->schedule)
        status = read_order(runner);
    // The test has had an order when the schedule was saved.
    if (rh_is_ok(&status))
        options->run.is_order &=
            runner->schedule.is_generated || rh_order_find(&runner->tests.items[0]) != NULL;
    if (!rh_is_ok(&status))
        return status;
    if (options->lines)
        status = rh_coverage_open_lines(options, &runner->lines);
    if (!rh_is_ok(&status))
        return status;
    options->run.program = rh_text_get(&runner->program);
    options->run.lines = runner->lines;
    set_style(runner);
    return runner->recording.program ? convert(runner) : rh_ok();
}

// --- Running. ---

static void print(struct runner *runner, const struct rh_text *text)
{
    if (!rh_print_to_reader(text, &runner->has_reader))
        runner->failure = rh_failed("standard output");
}

// How the test has ended, for --outcomes: `NAME passed`, or the kind and the place of what was
// found first. The name is that of the schedule's file.
static void add_outcome(struct runner *runner, const struct rh_result *result)
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

static void print_result(struct runner *runner, const struct rh_result *result)
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
static void note_failure(struct runner *runner, const struct rh_status *status)
{
    rh_print_status(status);
    if (rh_is_ok(&runner->failure))
        runner->failure = *status;
}

// A replayed finding has its file already, unless the user asks for a new one.
static void save(struct runner *runner, struct rh_early_save *early, struct rh_result *result)
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
    struct rh_status status = rh_save_findings(options, result);
    if (rh_is_ok(&status))
        rh_save_tidy(early, result);
    else
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
static struct rh_status cover_test(struct runner *runner, const struct rh_run_options *run,
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

// Runs the test that the schedule of a directory is of, or is. A generated one that shows nothing
// needs no process of its own.
static struct rh_status run_scheduled(struct runner *runner, struct rh_run_options *run,
                                      const struct rh_test *test,
                                      const struct rh_schedule *schedule, struct rh_result *result)
{
    rh_order_set_options(run, schedule);
    seek_line(run, schedule);
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

static struct rh_status search_test(struct runner *runner, struct rh_run_options *run,
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
    const struct rh_schedule *schedule =
        runner->schedules.count > 0 ? &runner->schedules.items[runner->begun - 1] : NULL;
    struct rh_status status = schedule ? run_scheduled(runner, run, test, schedule, result)
                              : order  ? run_in_order(run, test, order, result)
                              : covers ? cover_test(runner, run, test, result)
                                       : rh_run_test(run, test, result);
    if (rh_is_ok(&status) && run->traffic && !covers)
        rh_coverage_add(&runner->coverage, &runner->options, run, NULL, result);
    if (run->traffic)
        rh_traffic_record_free(run->traffic);
    return status;
}

// false if other tests would fare no better. A failure of the tool may leave a result, with what
// was found before.
static bool run_test(struct runner *runner, const struct rh_test *test, const char *condition)
{
    struct rh_run_options run = runner->options.run;
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
    if (runner->recording.program)
        note_recording(&result, &runner->recording);
    save(runner, &early, &result);
    rh_early_save_fini(&early);
    *rh_vector_push(&runner->results) = result;
    print_result(runner, &result);
    return true;
}

static bool was_interrupted(const struct runner *runner)
{
    return *runner->options.run.interrupted != 0;
}

static int exit_status(const struct runner *runner)
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
static bool has_passed(const struct runner *runner)
{
    for (size_t i = 0; i < runner->results.count; i++)
        if (runner->results.items[i].complete && !rh_result_errors(&runner->results.items[i]))
            return true;
    return false;
}

static void add_untried(const struct runner *runner, struct rh_text *text)
{
    const struct rh_options *options = &runner->options;
    const char *conditions[RH_CONDITIONS_MOST];
    if (options->verb == RH_VERB_EXPLORE && !options->thorough)
        rh_report_untried(text, conditions, rh_thorough_untried(&options->run, conditions));
}

static void print_end(struct runner *runner)
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

static void save_coverage(struct runner *runner)
{
    if (!runner->options.save_coverage || runner->coverage.length == 0)
        return;
    struct rh_status status = rh_text_write_file(&runner->coverage, runner->options.save_coverage);
    if (!rh_is_ok(&status))
        note_failure(runner, &status);
}

static void save_outcomes(struct runner *runner)
{
    if (!runner->options.outcomes)
        return;
    struct rh_status status = rh_text_write_file(&runner->outcomes, runner->options.outcomes);
    if (!rh_is_ok(&status))
        note_failure(runner, &status);
}

// Runs the test, and with --thorough once more under each condition under which it was not tried,
// if it shows no error. Where it gives its order that is all there is.
static bool run_under_all(struct runner *runner, const struct rh_test *test)
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

static int run_tests(struct runner *runner)
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

static int list_tests(const struct runner *runner)
{
    struct rh_text text = {0};
    if (runner->options.json)
        rh_report_json_list(&text, rh_text_get(&runner->program), runner->tests.items,
                            runner->tests.count);
    else
        rh_report_list(&text, runner->tests.items, runner->tests.count);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed ? RH_EXIT_NOTHING : RH_EXIT_FAILED;
}

// --- The debugger. ---

static unsigned last_delivery(const struct rh_execution *execution)
{
    unsigned last = 0;
    for (size_t i = 0; i < execution->events.count; i++)
        if (execution->events.items[i].kind == RH_EVENT_DELIVER)
            last = execution->events.items[i].delivery;
    return last;
}

static unsigned count_deliver_steps(const struct rh_schedule *schedule)
{
    unsigned count = 0;
    for (size_t i = 0; i < schedule->steps.count; i++)
        count += schedule->steps.items[i].kind == RH_STEP_DELIVER;
    return count;
}

// Chooses where the debugger stops: where the user says, otherwise where the replayed schedule
// fails, otherwise at the schedule's last delivery.
static struct rh_status choose_stop(const struct runner *runner, unsigned *delivery)
{
    if (runner->options.at) {
        *delivery = (unsigned)runner->options.at;
        return rh_ok();
    }
    struct rh_result result = {0};
    struct rh_status status = rh_run_test(&runner->options.run, &runner->tests.items[0], &result);
    *delivery = count_deliver_steps(&runner->schedule);
    if (rh_is_ok(&status) && result.findings.count) {
        unsigned failing = rh_result_main(&result)->finding.delivery;
        *delivery = failing ? failing : last_delivery(&result.execution);
    } else if (rh_is_ok(&status)) {
        rh_print_error_text("rehearse: nothing is found in this schedule any more; the debugger "
                            "stops at its last delivery\n");
    }
    rh_result_fini(&result);
    return status;
}

static int debug(struct runner *runner)
{
    unsigned delivery;
    struct rh_status status = choose_stop(runner, &delivery);
    if (rh_is_ok(&status))
        status = rh_gdb_exec(&runner->options, &runner->schedule, delivery);
    return rh_print_status(&status);
}

// --- The verbs. ---

static int look_at_protocol(struct runner *runner)
{
    struct rh_options *options = &runner->options;
    rh_interrupt_catch();
    options->run.interrupted = rh_interrupt_flag();
    if (runner->journal)
        return rh_conform_follow(options, &runner->diagrams, runner->journal);
    return options->verb == RH_VERB_DIAGRAM
               ? rh_diagram_run(options, runner->tests.items, runner->tests.count)
               : rh_conform_run(options, &runner->diagrams, runner->tests.items,
                                runner->tests.count);
}

static int run_verb(struct runner *runner)
{
    struct rh_status status = rh_ok();
    if (runner->options.verb == RH_VERB_CONFORM)
        status = rh_conform_read(&runner->options, &runner->diagrams);
    if (rh_is_ok(&status))
        status = prepare(runner);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    if (runner->options.verb == RH_VERB_LIST)
        return list_tests(runner);
    if (runner->options.verb == RH_VERB_DIAGRAM || runner->options.verb == RH_VERB_CONFORM)
        return look_at_protocol(runner);
    if (runner->options.gdb)
        return debug(runner);
    if (runner->options.here)
        rh_run_here(&runner->options.run, &runner->tests.items[0]);
    return run_tests(runner);
}

static int dispatch(struct runner *runner)
{
    const struct rh_options *options = &runner->options;
    int status;
    if (rh_print_about(options, &status))
        return status;
    if (options->verb == RH_VERB_COVERAGE)
        return rh_coverage_run(options);
    set_names(runner);
    if (options->verb == RH_VERB_DOCTOR)
        return rh_doctor_program(rh_text_get(&runner->program), !options->tool.is_request);
    return run_verb(runner);
}

static int run_command_line(struct runner *runner, const struct rh_tool *tool, int argc,
                            char **argv, int program_argc, char **program_argv)
{
    // A limit on the size of files then makes a write fail, here and in the workers, instead of
    // ending a process.
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    struct rh_status status = rh_options_parse(&runner->options, tool, argc, argv);
    for (int i = 1; i < program_argc; i++)
        *rh_vector_push(&runner->options.arguments) = program_argv[i];
    int result = rh_is_ok(&status) ? dispatch(runner) : rh_print_status(&status);
    runner_fini(runner);
    rh_options_fini(&runner->options);
    signal(SIGXFSZ, old_handler);
    return result;
}

int rh_test_main(int argc, char **argv)
{
    rh_early_end();
    struct rh_tool tool = {.name = argc > 0 ? argv[0] : "test"};
    struct runner runner = {0};
    return run_command_line(&runner, &tool, argc > 0 ? argc - 1 : 0, argv + 1, 0, NULL);
}

// Constructors have run: lets out what they have printed, and what they have locked of memory,
// since much more is reserved from now on than there is.
static void settle(void)
{
    fflush(stdout);
    munlockall();
}

// Ends this process without what the program does at its end, which is none of its tests' business.
_Noreturn static void leave(int result)
{
    if (__lsan_do_leak_check)
        __lsan_do_leak_check();
    _exit(result);
}

int rh__library_main(int argc, char **argv)
{
    settle();
    rh_early_end();
    struct rh_tool tool = {.name = argc > 0 ? argv[0] : "test"};
    struct runner runner = {.is_last = true};
    leave(run_command_line(&runner, &tool, argc > 0 ? argc - 1 : 0, argv + 1, 0, NULL));
}

int rh__request_main(int argc, char **argv)
{
    rh_early_end();
    struct rh_words words = {0};
    char *request = rh_strdup(getenv(RH_REQUEST_VARIABLE));
    settle();
    rh_request_take_output(request);
    struct rh_status status = rh_request_read(request, &words);
    // Programs that this one starts must not see the request.
    unsetenv(RH_REQUEST_VARIABLE);
    struct rh_tool tool = {.name = "rehearse", .is_request = true};
    struct runner runner = {.is_last = true};
    if (rh_is_ok(&status) && words.count == 2 && !strcmp(words.items[0], RH_FOREIGN_REQUEST))
        leave(rh_foreign_serve((int)strtol(words.items[1], NULL, 10)));
    int result = rh_is_ok(&status)
                     ? run_command_line(&runner, &tool, (int)words.count, words.items, argc, argv)
                     : rh_print_status(&status);
    if (rh_is_ok(&status))
        rh_request_finish(request, result);
    rh_words_fini(&words);
    free(request);
    leave(result);
}
