// SPDX-License-Identifier: MIT
#include "cli/runner_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/shell_word.h"
#include "cli/coverage.h"
#include "cli/foreign.h"
#include "cli/output.h"
#include "cli/runner.h"
#include "cli/save.h"
#include "cli/words.h"
#include "explore/run/order.h"
#include "explore/run/recorded.h"

// --- Which tests. ---

static struct rh_status refuse_test(const struct rh_runner *runner, const char *name)
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
static void add_tests(struct rh_runner *runner, const char *name)
{
    const struct rh_test **tests = rh_test_list();
    for (size_t i = 0; i < rh_test_count(); i++)
        if (!name || !strcmp(tests[i]->name, name))
            *rh_vector_push(&runner->tests) = *tests[i];
    free(tests);
}

static struct rh_status add_test(struct rh_runner *runner, const char *name)
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
static struct rh_status add_scheduled(struct rh_runner *runner, const struct rh_schedule *schedule)
{
    if (!schedule->is_generated)
        return add_test(runner, schedule->test);
    *rh_vector_push(&runner->tests) = rh_order_generated(schedule);
    return rh_ok();
}

// The tests of all schedules of a directory.
static struct rh_status select_scheduled(struct rh_runner *runner)
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

static struct rh_status select_tests(struct rh_runner *runner)
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
static struct rh_status read_recording(struct rh_runner *runner)
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

void rh__runner_seek_line(struct rh_run_options *run, const struct rh_schedule *schedule)
{
    const char *kind = schedule->finding_kind;
    if (!kind || strcmp(kind, rh_finding_kind_name(RH_FINDING_REACHED)) != 0 ||
        !schedule->finding_file)
        return;
    run->until_file = schedule->finding_file;
    run->until_line = (uint32_t)schedule->finding_line;
}

static void follow_schedule(struct rh_runner *runner)
{
    struct rh_run_options *run = &runner->options.run;
    run->schedule = &runner->schedule;
    run->order_rule = runner->schedule.order_rule;
    run->time = runner->schedule.time;
    run->environment = runner->schedule.environment;
    run->random = runner->schedule.random;
    rh__runner_seek_line(run, run->schedule);
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

static struct rh_status read_schedules(struct rh_runner *runner)
{
    const struct rh_options *options = &runner->options;
    struct rh_status status =
        options->verb == RH_VERB_REPLAY && !options->gdb
            ? rh_schedules_read(&runner->schedules, options->schedule, SIZE_MAX)
            : rh_bad_input("%s is a directory: only replay takes one, and without --gdb",
                           options->schedule);
    if (rh_is_ok(&status) && options->run.debug)
        look_up(options->run.debug, &runner->schedules.items[0]);
    return status;
}

static struct rh_status read_schedule(struct rh_runner *runner)
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
    return rh_ok();
}

// Values of the command line take the place of those that the schedule gives.
static void set_inputs(struct rh_runner *runner)
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
static struct rh_status read_order(struct rh_runner *runner)
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

static struct rh_status read_suppressions(struct rh_runner *runner)
{
    struct rh_options *options = &runner->options;
    if (!options->suppressions)
        return rh_ok();
    options->run.suppressions = &runner->suppressions;
    return rh_suppressions_read(&runner->suppressions, options->suppressions);
}

static void set_style(struct rh_runner *runner)
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

void rh__runner_set_names(struct rh_runner *runner)
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
static struct rh_status convert(struct rh_runner *runner)
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

struct rh_status rh__runner_prepare(struct rh_runner *runner)
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
