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

#include "base/clock.h"
#include "base/file_name.h"
#include "base/shell_word.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/threads_json.h"
#include "cli/threads_keeper.h"
#include "cli/threads_log.h"
#include "cli/threads_pairs.h"
#include "cli/words.h"
#include "threads/run.h"
#include "threads/show.h"
#include "trace/finding_kind.h"
#include "trace/schedule_saving.h"

struct threads_command {
    const char *verb, *test, *schedule, *save, *log;
    struct rh_threads_options options;
    struct rh_words programs;
    struct rh_debug *debug;
    const struct rh_threads_test *main_test; // NULL: the program has no main of its own
    bool samples;
    uint64_t runs;
    bool json, no_times;
    bool gdb;     // this process is debugged
    uint64_t at;  // event before which it stops; 0: where the finding shows
    bool is_flat; // of JSON: there is one test
    int objects;  // of JSON that were printed
    double begun; // seconds, of the test
    struct rh_words not_run;
    struct rh_saved_paths early, saved; // files of findings: while the search goes on, at its end
    struct rh_threads_pairs pairs;      // where they are looked for
    int output; // where the program's own output goes meanwhile; -1: nothing was changed
    int failed, passed;
    int refused; // exit status of the first test that could not be run; 0: none
};

static void save_found(void *context, const struct rh_threads_test *test,
                       const struct rh_threads_shown *shown, size_t number);

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
    else if ((value = value_of(word, "--log")))
        command->log = value;
    else if (!strcmp(word, "--no-view"))
        command->options.has_no_view = true;
    else if ((value = value_of(word, "--max-executions")))
        command->options.max_executions = strtoull(value, NULL, 0);
    else if ((value = value_of(word, "--seed")))
        command->options.seed = strtoull(value, NULL, 0);
    else if ((value = value_of(word, "--hints")))
        command->pairs.hints_path = value;
    else if ((value = value_of(word, "--target")))
        command->pairs.target = strtoull(value, NULL, 0);
    else if (!strcmp(word, "--volatile-is-atomic"))
        command->options.volatile_is_atomic = true;
    else if (!strcmp(word, "--spurious-wakeups"))
        command->options.has_spurious = true;
    else if (!strcmp(word, "--json"))
        command->json = true;
    else if (!strcmp(word, "--gdb"))
        command->gdb = true;
    else if ((value = value_of(word, "--at")))
        command->at = strtoull(value, NULL, 0);
    else if (!strcmp(word, "--no-times"))
        command->no_times = true;
    else if (!strcmp(word, "--census"))
        command->options.census = true;
    else if ((value = value_of(word, "--runs")))
        command->runs = strtoull(value, NULL, 0), command->samples = true;
    else if ((value = value_of(word, "--max-seconds")))
        command->options.max_seconds = strtod(value, NULL);
    else if ((value = value_of(word, "--hang-limit")))
        command->options.hang_ms = (uint32_t)strtoul(value, NULL, 0);
    else if ((value = value_of(word, "--depth")))
        command->options.depth = (int)strtoul(value, NULL, 0);
    else if (!strcmp(word, "--strategy=exhaustive"))
        return;
    else if ((value = value_of(word, "--strategy")))
        command->options.mode = !strcmp(value, "pct")     ? RH_MODE_PCT
                                : !strcmp(value, "mixed") ? RH_MODE_MIXED
                                                          : RH_MODE_RANDOM,
        command->samples = true;
    else if ((value = value_of(word, "--reduction")))
        command->options.mode = !strcmp(value, "none")      ? RH_MODE_NONE
                                : !strcmp(value, "optimal") ? RH_MODE_OPTIMAL
                                                            : RH_MODE_SOURCE;
}

static bool takes_schedule(const struct threads_command *command)
{
    return !strcmp(command->verb, "replay") || !strcmp(command->verb, "shrink");
}

static void parse(struct threads_command *command, const struct rh_words *words)
{
    enum {
        EXECUTIONS_DEFAULT = 100000,
        RUNS_DEFAULT = 1000,
        DEPTH_DEFAULT = 3,
        HANG_DEFAULT = 1000
    };
    command->verb = words->items[0];
    command->output = -1;
    command->options = (struct rh_threads_options){.mode = RH_MODE_SOURCE,
                                                   .compares = true,
                                                   .max_executions = EXECUTIONS_DEFAULT,
                                                   .seed = 1,
                                                   .depth = DEPTH_DEFAULT,
                                                   .hang_ms = HANG_DEFAULT,
                                                   .found = save_found,
                                                   .context = command};
    for (size_t i = 1; i < words->count; i++)
        take_word(command, words->items[i]);
    command->samples = command->samples || !strcmp(command->verb, "sample");
    command->options.steers = !strcmp(command->verb, "cover");
    command->options.compares = !strcmp(command->verb, "refine") ||
                                !strcmp(command->verb, "pairs") || takes_schedule(command);
    if (command->samples) {
        command->options.max_executions = command->runs ? command->runs : RUNS_DEFAULT;
        if (command->options.mode < RH_MODE_RANDOM)
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

static void add_name(const struct threads_command *command, const struct rh_threads_test *test,
                     const struct rh_threads_shown *shown, size_t number, struct rh_text *name)
{
    if (command->save)
        rh_text_addf(name, "%s/", command->save);
    if (command->schedule) {
        const char *base = rh_base_name(command->schedule), *end = strstr(base, ".schedule");
        int length = (int)(end ? (size_t)(end - base) : strlen(base));
        rh_text_addf(name, "%.*s-shrunk", length, base);
        return;
    }
    rh_text_add(name, test->name);
    if (shown->finding.kind == RH_FINDING_KIND_COUNT)
        rh_text_addf(name, "-pair-%zu", number + 1);
}

// Gives the path, which the caller frees. `saved` and `own` are as of rh_schedule_saving_path.
static char *save(const struct threads_command *command, const struct rh_threads_test *test,
                  const struct rh_threads_shown *shown, size_t number,
                  const struct rh_saved_paths *saved, const struct rh_saved_paths *own,
                  struct rh_status *status)
{
    struct rh_schedule schedule;
    struct rh_text name = {0};
    add_name(command, test, shown, number, &name);
    rh_threads_schedule(test, &command->options, shown, &schedule);
    char *path = rh_schedule_saving_path(rh_text_get(&name), &schedule, saved, own, NULL);
    *status = rh_schedule_write(&schedule, path);
    rh_schedule_fini(&schedule);
    rh_text_fini(&name);
    return path;
}

// As soon as it is found. Where it can't be, that is said at the end.
static void save_found(void *context, const struct rh_threads_test *test,
                       const struct rh_threads_shown *shown, size_t number)
{
    struct threads_command *command = context;
    struct rh_status status;
    char *path = save(command, test, shown, number, &command->early, NULL, &status);
    *rh_vector_push(&command->early) = path;
}

static bool is_saving(const struct threads_command *command)
{
    return strcmp(command->verb, "replay") != 0;
}

// Gives the path, which the caller frees; NULL if the schedule is not saved.
static char *save_shown(struct threads_command *command, const struct rh_threads_test *test,
                        const struct rh_threads_shown *shown, size_t number)
{
    if (!is_saving(command))
        return NULL;
    struct rh_status status;
    char *path = save(command, test, shown, number, &command->saved, &command->early, &status);
    if (rh_is_ok(&status)) {
        *rh_vector_push(&command->saved) = rh_strdup(path);
        return path;
    }
    rh_print_status(&status);
    free(path);
    return NULL;
}

static void add_text(const struct threads_command *command, const struct rh_threads_result *result,
                     char *const *saved, struct rh_text *text)
{
    if (command->options.pairs && !command->options.steers) {
        rh_threads_pairs_print(&command->pairs, result, &command->options, command->debug, saved,
                               text);
        return;
    }
    rh_threads_show_head(result, &command->options, text);
    for (size_t i = 0; i < result->found.count; i++) {
        rh_threads_show_finding(&result->found.items[i], command->debug, text);
        if (!saved[i])
            continue;
        rh_text_addf(text, "saved:   %s\nreplay:  rehearse replay", saved[i]);
        rh_text_add_argument(text, saved[i]);
        rh_text_add(text, "\n");
    }
    if (command->options.steers)
        rh_threads_pairs_count(&command->pairs, &command->options, text);
    rh_threads_show_notes(result, text);
}

static void add_json(const struct threads_command *command, const struct rh_threads_result *result,
                     char *const *saved, struct rh_text *text)
{
    const struct rh_threads_account account = {
        .verb = command->verb,
        .options = &command->options,
        .debug = command->debug,
        .seconds = command->no_times ? -1 : rh_clock_seconds() - command->begun,
        .saved = saved,
        .pairs = command->options.pairs ? &command->pairs.rows : NULL};
    rh_text_add(text, command->objects ? "," : "");
    size_t start = text->length;
    rh_threads_add_json(result, &account, text);
    if (!command->is_flat)
        rh_threads_json_indent(text, start);
}

static int report(struct threads_command *command, const struct rh_threads_test *test,
                  const struct rh_threads_result *result)
{
    struct rh_text text = {0};
    size_t count = result->found.count;
    char **saved = rh_alloc((count + 1) * sizeof *saved);
    unsilence(command);
    if (command->pairs.shown.turns.count)
        command->pairs.saved =
            save_shown(command, test, &command->pairs.shown, command->pairs.target - 1);
    for (size_t i = 0; i < count; i++)
        saved[i] = save_shown(command, test, &result->found.items[i], result->earlier + i);
    (command->json ? add_json : add_text)(command, result, saved, &text);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    for (size_t i = 0; i < count; i++)
        free(saved[i]);
    free(saved);
    rh_threads_pairs_fini(&command->pairs);
    if (!is_printed)
        return RH_EXIT_FAILED;
    return rh_threads_error_count(result) ? RH_EXIT_FOUND : RH_EXIT_NOTHING;
}

// --- One test, in a process of its own. ---

struct work {
    struct threads_command *command;
    const struct rh_threads_test *test;
    const struct rh_schedule *schedule; // NULL: the test is searched
};

static struct rh_status refuse(const struct threads_command *command)
{
    struct rh_text place = {0};
    rh_threads_show_place(rh__engine->finding.code, command->debug, &place);
    bool has_place = place.length > 0;
    struct rh_status status =
        rh_bad_input("%s%s%s", rh_text_get(&place), has_place ? ": " : "", rh__engine->refusal);
    rh_text_fini(&place);
    return status;
}

static int run_work(void *context)
{
    const struct work *work = context;
    struct threads_command *command = work->command;
    struct rh_threads_result result = {0};
    silence(command);
    bool has_pairs = !strcmp(command->verb, "pairs") || command->options.steers;
    command->options.pairs = has_pairs ? rh__pairs_new() : NULL;
    struct rh_status status = rh_threads_start(command->gdb ? 0 : command->options.hang_ms);
    rh__engine->volatile_is_atomic = command->options.volatile_is_atomic;
    rh__engine->has_spurious = command->options.has_spurious;
    if (rh_is_ok(&status) && work->schedule && is_saving(command))
        status = rh_threads_shrink(work->test, &command->options, work->schedule, command->debug,
                                   &result);
    else if (rh_is_ok(&status) && work->schedule)
        status = rh_threads_replay(work->test, &command->options, work->schedule, &result);
    else if (rh_is_ok(&status))
        rh_threads_run(work->test, &command->options, &result);
    if (rh_is_ok(&status) && result.is_refused)
        status = refuse(command);
    if (rh_is_ok(&status) && command->options.pairs)
        status = rh_threads_pairs_finish(&command->pairs, work->test, &command->options,
                                         command->debug, &result);
    if (rh_is_ok(&status) && command->gdb && result.found.count)
        status =
            rh_threads_debug(work->test, &command->options, &result.found.items[0], command->at);
    int end = rh_is_ok(&status) ? report(command, work->test, &result) : 0;
    rh__pairs_free(command->options.pairs);
    command->options.pairs = NULL;
    unsilence(command);
    return rh_is_ok(&status) ? end : rh_print_status(&status);
}

// The process is gone, and has said nothing.
static struct rh_status take_death(const struct work *work, int number, int *end)
{
    struct rh_threads_result result;
    if (rh__engine->is_setting_up)
        return rh_bad_input("the setup of the component was killed by SIG%s", sigabbrev_np(number));
    if (!rh__engine->is_active)
        return rh_failed("the search of test %s was killed by SIG%s; what it had found by then is "
                         "saved",
                         work->test->name, sigabbrev_np(number));
    rh_threads_killed(work->test, number, &result);
    *end = report(work->command, work->test, &result);
    rh_threads_result_fini(&result);
    return rh_ok();
}

// Gives the exit status.
static int run_test(struct threads_command *command, const struct rh_threads_test *test,
                    const struct rh_schedule *schedule)
{
    struct work work = {command, test, schedule};
    command->begun = rh_clock_seconds();
    struct rh_threads_end end;
    if (command->gdb)
        return rh__engine_map() ? run_work(&work) : RH_EXIT_FAILED;
    struct rh_status status = rh_threads_keep(run_work, &work, &end);
    if (rh_is_ok(&status) && end.signal && !rh_threads_is_interrupted())
        status = take_death(&work, end.signal, &end.status);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    return end.status;
}

// --- Verbs. ---

static struct rh_status find_none(const char *wanted)
{
    return wanted ? rh_bad_input("there is no test %s of threads", wanted)
                  : rh_bad_input("there is no test of threads: say what they call, with "
                                 "RH_THREADS of rehearse/component.h");
}

static void print(struct rh_text *text, bool *is_printed)
{
    *is_printed = rh_print(text) && *is_printed;
    rh_text_clear(text);
}

static void take_end(struct threads_command *command, const struct rh_threads_test *test, int end)
{
    command->failed += end == RH_EXIT_FOUND;
    command->passed += end == RH_EXIT_NOTHING;
    if (end == RH_EXIT_FOUND || end == RH_EXIT_NOTHING) {
        command->objects++;
        return;
    }
    command->refused = command->refused ? command->refused : end;
    rh_words_add(&command->not_run, test->name);
}

static void run_tests(struct threads_command *command, const struct rh_schedule *schedule)
{
    const char *wanted = schedule ? schedule->test : command->test;
    bool is_found = false;
    size_t count = rh_threads_test_count(), all = count + (command->main_test != NULL);
    for (size_t i = 0; i < all; i++) {
        const struct rh_threads_test *test = i < count ? rh_threads_test_at(i) : command->main_test;
        if (wanted && strcmp(wanted, test->name) != 0)
            continue;
        is_found = true;
        if (rh_threads_is_interrupted())
            rh_words_add(&command->not_run, test->name);
        else
            take_end(command, test, run_test(command, test, schedule));
    }
    struct rh_status status = find_none(wanted);
    if (!is_found)
        command->refused = rh_print_status(&status);
}

static int exit_status_of(const struct threads_command *command)
{
    return command->refused              ? command->refused
           : command->failed             ? RH_EXIT_FOUND
           : rh_threads_is_interrupted() ? RH_EXIT_INCONCLUSIVE
                                         : RH_EXIT_NOTHING;
}

// What stands before and behind the tests.
static int run_all(struct threads_command *command, const struct rh_schedule *schedule)
{
    struct rh_text text = {0};
    bool is_printed = true;
    size_t count = rh_threads_test_count() + (command->main_test != NULL);
    command->is_flat = schedule || command->test || count < 2;
    if (command->json && !command->is_flat)
        rh_threads_json_begin(command->programs.count ? command->programs.items[0] : "",
                              command->verb, &text);
    print(&text, &is_printed);
    run_tests(command, schedule);
    if (command->json && !command->is_flat)
        rh_threads_json_end(command->not_run.items, command->not_run.count, &text);
    else if (!command->json && !schedule)
        rh_text_addf(&text, "%d passed, %d failed\n", command->passed, command->failed);
    print(&text, &is_printed);
    rh_text_fini(&text);
    return is_printed ? exit_status_of(command) : RH_EXIT_FAILED;
}

static int run_log(void *context)
{
    struct threads_command *command = context;
    struct rh_text text = {0};
    bool has_failed = false;
    rh__engine->has_no_view = command->options.has_no_view;
    silence(command);
    struct rh_status status = rh_threads_start(command->options.hang_ms);
    if (rh_is_ok(&status))
        status = rh_threads_report_log(command->log, &text, &has_failed);
    unsilence(command);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    return !is_printed ? RH_EXIT_FAILED : has_failed ? RH_EXIT_FOUND : RH_EXIT_NOTHING;
}

// No test is searched: the program has run already.
static int serve_log(struct threads_command *command)
{
    struct rh_threads_end end = {0};
    struct rh_status status = command->json
                                  ? rh_bad_input("--json is for tests; a log is told in words")
                                  : rh_threads_keep(run_log, command, &end);
    if (rh_is_ok(&status) && end.signal)
        status = rh_bad_input("the specification was killed by SIG%s", sigabbrev_np(end.signal));
    return rh_is_ok(&status) ? end.status : rh_print_status(&status);
}

static int serve(struct threads_command *command)
{
    if (command->log)
        return serve_log(command);
    struct rh_schedule schedule = {0};
    bool is_replay = takes_schedule(command);
    struct rh_status status = is_replay ? rh_schedule_read(&schedule, command->schedule) : rh_ok();
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    status = rh_threads_pairs_start(&command->pairs);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    command->debug = rh_debug_open_self();
    int end = run_all(command, is_replay ? &schedule : NULL);
    rh_schedule_fini(&schedule);
    return end;
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

// Takes this library out of the environment, where it was loaded into a program as it is: programs
// that this one starts have nothing to do with it.
static void leave_preload(void)
{
    static const char name[] = "libtsan.so.2";
    const char *list = getenv("LD_PRELOAD");
    const char *first = list ? strstr(list, name) : NULL;
    const char *rest = first ? first + strlen(name) : NULL;
    if (rest && *rest == ':')
        setenv("LD_PRELOAD", rest + 1, 1);
    else if (rest)
        unsetenv("LD_PRELOAD");
}

static int serve_request(int argc, char **argv, char **environment)
{
    struct threads_command command = {0};
    struct rh_words words = {0};
    int result;
    rh__heap_end_early();
    if (program_main != library_main)
        command.main_test = rh_threads_main(program_main, argc, argv, environment);
    char *request = rh_strdup(getenv(RH_REQUEST_VARIABLE));
    fflush(stdout); // what constructors have printed
    rh_request_take_output(request);
    struct rh_status status = rh_request_read(request, &words);
    unsetenv(RH_REQUEST_VARIABLE);
    leave_preload();
    if (rh_is_ok(&status)) {
        parse(&command, &words);
        command.options.arguments = argv + 1;
        command.options.argument_count = argc > 0 ? (size_t)argc - 1 : 0;
        result = serve(&command);
    } else {
        result = rh_print_status(&status);
    }
    rh_request_finish(request, result);
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
    // Variables of the executable may begin with memory that is allocated, as in C++.
    if (getenv(RH_REQUEST_VARIABLE))
        rh__heap_begin_early();
    return real_start(getenv(RH_REQUEST_VARIABLE) ? serve_request : started, argc, argv, init, fini,
                      loader_fini, stack_end);
}
