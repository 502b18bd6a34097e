// SPDX-License-Identifier: MIT
// The start of a program whose threads are under control: librehearse-threads.a, which the command
// links to what it compiles with -fsanitize=thread. Serves the command's request; the command has
// checked its words.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/shell_word.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/words.h"
#include "threads/run.h"
#include "threads/show.h"

struct threads_command {
    const char *verb, *test, *schedule, *save;
    struct rh_threads_options options;
    struct rh_words programs;
    struct rh_debug *debug;
    const struct rh_threads_test *main_test; // NULL: the program has no main of its own
    bool samples;
    uint64_t runs;
    int output; // where the program's own output goes meanwhile; -1: nothing was changed
    int failed, passed;
};

// --- The request. ---

static const char *value_of(const char *word, const char *option)
{
    size_t length = strlen(option);
    return strncmp(word, option, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static void take_word(struct threads_command *command, const char *word)
{
    const char *value;
    if ((value = value_of(word, "--as")))
        rh_words_add(&command->programs, value);
    else if ((value = value_of(word, "--test")))
        command->test = value;
    else if ((value = value_of(word, "--schedule")))
        command->schedule = value;
    else if ((value = value_of(word, "--save")))
        command->save = value;
    else if ((value = value_of(word, "--max-executions")))
        command->options.max_executions = strtoull(value, NULL, 0);
    else if ((value = value_of(word, "--seed")))
        command->options.seed = strtoull(value, NULL, 0);
    else if (!strcmp(word, "--census"))
        command->options.census = true;
    else if ((value = value_of(word, "--runs")))
        command->runs = strtoull(value, NULL, 0), command->samples = true;
    else if ((value = value_of(word, "--depth")))
        command->options.depth = (int)strtoul(value, NULL, 0);
    else if ((value = value_of(word, "--strategy")))
        command->options.mode = !strcmp(value, "pct") ? RH_MODE_PCT : RH_MODE_RANDOM,
        command->samples = true;
    else if ((value = value_of(word, "--reduction")))
        command->options.mode = !strcmp(value, "none") ? RH_MODE_NONE : RH_MODE_SOURCE;
}

static void parse(struct threads_command *command, const struct rh_words *words)
{
    enum { EXECUTIONS_DEFAULT = 100000, RUNS_DEFAULT = 1000, DEPTH_DEFAULT = 3 };
    command->verb = words->items[0];
    command->output = -1;
    command->options = (struct rh_threads_options){
        .mode = RH_MODE_SOURCE, .compares = true, .max_executions = EXECUTIONS_DEFAULT, .seed = 1};
    for (size_t i = 1; i < words->count; i++)
        take_word(command, words->items[i]);
    command->samples = command->samples || !strcmp(command->verb, "sample");
    command->options.compares =
        !strcmp(command->verb, "refine") || !strcmp(command->verb, "replay");
    if (command->samples) {
        command->options.max_executions = command->runs ? command->runs : RUNS_DEFAULT;
        if (command->options.mode == RH_MODE_SOURCE)
            command->options.mode = RH_MODE_MIXED;
    }
    command->options.programs = (const char *const *)command->programs.items;
    command->options.program_count = command->programs.count;
}

// --- What the program prints while it is searched goes nowhere. ---

static void silence(struct threads_command *command)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    command->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (nowhere < 0 || command->output < 0)
        return;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

static void unsilence(struct threads_command *command)
{
    if (command->output < 0)
        return;
    dup2(command->output, STDOUT_FILENO);
    close(command->output);
    command->output = -1;
}

// --- Findings. ---

static struct rh_status save(const struct threads_command *command,
                             const struct rh_threads_test *test,
                             const struct rh_threads_shown *shown, size_t number,
                             struct rh_text *path)
{
    struct rh_schedule schedule;
    if (command->save)
        rh_text_addf(path, "%s/", command->save);
    rh_text_add(path, test->name);
    if (number)
        rh_text_addf(path, "-%zu", number + 1);
    rh_text_add(path, ".schedule");
    rh_threads_schedule(test, &command->options, shown, &schedule);
    struct rh_status status = rh_schedule_write(&schedule, rh_text_get(path));
    rh_schedule_fini(&schedule);
    return status;
}

static void add_saved(const struct threads_command *command, const struct rh_threads_test *test,
                      const struct rh_threads_shown *shown, size_t number, struct rh_text *text)
{
    struct rh_text path = {0};
    struct rh_status status = save(command, test, shown, number, &path);
    if (rh_is_ok(&status)) {
        rh_text_addf(text, "saved:   %s\nreplay:  rehearse replay", rh_text_get(&path));
        rh_text_add_argument(text, rh_text_get(&path));
        rh_text_add(text, "\n");
    } else {
        rh_print_status(&status);
    }
    rh_text_fini(&path);
}

static void report(struct threads_command *command, const struct rh_threads_test *test,
                   struct rh_threads_result *result)
{
    struct rh_text text = {0};
    bool is_replay = !strcmp(command->verb, "replay");
    unsilence(command);
    rh_threads_show_head(result, &command->options, &text);
    for (size_t i = 0; i < result->found.count; i++) {
        rh_threads_show_finding(&result->found.items[i], command->debug, &text);
        if (!is_replay)
            add_saved(command, test, &result->found.items[i], i, &text);
    }
    rh_threads_show_notes(result, &text);
    rh_print(&text);
    rh_text_fini(&text);
    command->failed += result->found.count > 0;
    command->passed += result->found.count == 0;
}

// --- Verbs. ---

static struct rh_status refuse(const struct threads_command *command)
{
    struct rh_text place = {0};
    rh_threads_show_place(rh__engine->finding.code, command->debug, &place);
    struct rh_status status = rh_bad_input("%s: the program calls %s, which can't be put under "
                                           "control: leave it out of the test",
                                           rh_text_get(&place), rh__engine->refusal);
    rh_text_fini(&place);
    return status;
}

static struct rh_status run_test(struct threads_command *command,
                                 const struct rh_threads_test *test)
{
    struct rh_threads_result result;
    silence(command);
    rh_threads_run(test, &command->options, &result);
    struct rh_status status = rh_ok();
    if (result.is_refused)
        status = refuse(command);
    else
        report(command, test, &result);
    rh_threads_result_fini(&result);
    return status;
}

static struct rh_status replay_test(struct threads_command *command,
                                    const struct rh_threads_test *test,
                                    const struct rh_schedule *schedule)
{
    struct rh_threads_result result;
    struct rh_status status = rh_threads_replay(test, &command->options, schedule, &result);
    if (rh_is_ok(&status))
        report(command, test, &result);
    rh_threads_result_fini(&result);
    return status;
}

static struct rh_status run_tests(struct threads_command *command,
                                  const struct rh_schedule *schedule)
{
    const char *wanted = schedule ? schedule->test : command->test;
    struct rh_status status = rh_ok();
    bool is_found = false;
    size_t count = rh_threads_test_count();
    for (size_t i = 0; rh_is_ok(&status) && i < count + (command->main_test != NULL); i++) {
        const struct rh_threads_test *test = i < count ? rh_threads_test_at(i) : command->main_test;
        if (wanted && strcmp(wanted, test->name) != 0)
            continue;
        is_found = true;
        status = schedule ? replay_test(command, test, schedule) : run_test(command, test);
    }
    if (rh_is_ok(&status) && !is_found)
        return wanted ? rh_bad_input("there is no test %s of threads", wanted)
                      : rh_bad_input("there is no test of threads: say what they call, with "
                                     "RH_THREADS of rehearse/component.h");
    return status;
}

static struct rh_status serve(struct threads_command *command)
{
    struct rh_schedule schedule = {0};
    bool is_replay = !strcmp(command->verb, "replay");
    struct rh_status status = is_replay ? rh_schedule_read(&schedule, command->schedule) : rh_ok();
    command->debug = rh_debug_open_self();
    if (rh_is_ok(&status))
        status = rh_threads_start();
    if (rh_is_ok(&status))
        status = run_tests(command, is_replay ? &schedule : NULL);
    rh_schedule_fini(&schedule);
    return status;
}

static int finish(const struct threads_command *command)
{
    struct rh_text text = {0};
    if (strcmp(command->verb, "replay") != 0)
        rh_text_addf(&text, "%d passed, %d failed\n", command->passed, command->failed);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    if (!is_printed)
        return RH_EXIT_FAILED;
    return command->failed ? RH_EXIT_FOUND : RH_EXIT_NOTHING;
}

// The main of a program that has none of its own.
static int library_main(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    (void)environment;
    rh_print_error_text("rehearse: run this program with rehearse refine\n");
    return RH_EXIT_BAD_INPUT;
}

int main(int argc, char **argv, char **environment) __attribute__((weak, alias("library_main")));

static rh_main_function *program_main;

static int serve_request(int argc, char **argv, char **environment)
{
    struct threads_command command = {0};
    struct rh_words words = {0};
    if (program_main != library_main)
        command.main_test = rh_threads_main(program_main, argc, argv, environment);
    char *request = rh_strdup(getenv(RH_REQUEST_VARIABLE));
    fflush(stdout); // what constructors have printed
    rh_request_take_output(request);
    struct rh_status status = rh_request_read(request, &words);
    unsetenv(RH_REQUEST_VARIABLE);
    if (rh_is_ok(&status)) {
        parse(&command, &words);
        status = serve(&command);
    }
    unsilence(&command);
    int result = rh_is_ok(&status) ? finish(&command) : rh_print_status(&status);
    rh_request_finish(request, result);
    // Threads that lend their thread-locals never end.
    _exit(result);
}

// --- The start. ---

typedef int start_function(rh_main_function *started, int argc, char **argv, void (*init)(void),
                           void (*fini)(void), void (*loader_fini)(void), void *stack_end);
start_function __libc_start_main;

int __libc_start_main(rh_main_function *started, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    start_function *real_start;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&real_start, &symbol, sizeof real_start);
    program_main = started;
    return real_start(getenv(RH_REQUEST_VARIABLE) ? serve_request : started, argc, argv, init, fini,
                      loader_fini, stack_end);
}
