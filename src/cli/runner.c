// SPDX-License-Identifier: MIT
#include "cli/runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "cli/about.h"
#include "cli/coverage.h"
#include "cli/diagram.h"
#include "cli/doctor.h"
#include "cli/foreign.h"
#include "cli/gdb.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/runner_parts.h"
#include "cli/words.h"
#include "memory/early.h"
#include "report/json.h"

// LeakSanitizer has it.
extern void __lsan_do_leak_check(void) __attribute__((weak));

// Whether the process goes on, or somebody looks for leaks. Otherwise the end of the process frees
// everything more cheaply.
static bool must_free(const struct rh_runner *runner)
{
    return !runner->is_last || __lsan_do_leak_check || rh_valgrind_is_running();
}

static void runner_fini(struct rh_runner *runner)
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
static int list_tests(const struct rh_runner *runner)
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
static struct rh_status choose_stop(const struct rh_runner *runner, unsigned *delivery)
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

static int debug(struct rh_runner *runner)
{
    unsigned delivery;
    struct rh_status status = choose_stop(runner, &delivery);
    if (rh_is_ok(&status))
        status = rh_gdb_exec(&runner->options, &runner->schedule, delivery);
    return rh_print_status(&status);
}

// --- The verbs. ---

static int look_at_protocol(struct rh_runner *runner)
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

static int run_verb(struct rh_runner *runner)
{
    struct rh_status status = rh_ok();
    if (runner->options.verb == RH_VERB_CONFORM)
        status = rh_conform_read(&runner->options, &runner->diagrams);
    if (rh_is_ok(&status))
        status = rh__runner_prepare(runner);
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
    return rh__runner_run(runner);
}

static int dispatch(struct rh_runner *runner)
{
    const struct rh_options *options = &runner->options;
    int status;
    if (rh_print_about(options, &status))
        return status;
    if (options->verb == RH_VERB_COVERAGE)
        return rh_coverage_run(options);
    rh__runner_set_names(runner);
    if (options->verb == RH_VERB_DOCTOR)
        return rh_doctor_program(rh_text_get(&runner->program), !options->tool.is_request);
    return run_verb(runner);
}

static int run_command_line(struct rh_runner *runner, const struct rh_tool *tool, int argc,
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
    struct rh_runner runner = {0};
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
    struct rh_runner runner = {.is_last = true};
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
    struct rh_runner runner = {.is_last = true};
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
