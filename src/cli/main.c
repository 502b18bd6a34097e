// SPDX-License-Identifier: MIT
// The command: finds or compiles the program under test, and lets it do the work.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/valgrind.h"
#include "cli/about.h"
#include "cli/command.h"
#include "cli/coverage.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/restart.h"
#include "trace/recording.h"

// So many times as long as a handler may take a program has for its constructors.
enum { START_FACTOR = 10 };

struct command {
    struct rh_options options;
    struct rh_children children;
    struct rh_folder folder;
    struct rh_words programs; // the program's files as the user, or else the schedule, names them
    char *binary;             // owned; what is executed
};

// Takes the diagram out of the operands, where it may stand before or behind the program.
static void take_diagram(struct rh_options *options)
{
    size_t kept = 0;
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *operand = options->operands.items[i];
        const char *extension = strrchr(operand, '.');
        bool is_diagram = !options->diagram && extension &&
                          (!strcmp(extension, ".diagram") || !strcmp(extension, ".sketch"));
        if (is_diagram)
            options->diagram = operand;
        else
            options->operands.items[kept++] = operand;
    }
    options->operands.count = kept;
}

// A recording takes the place of the tests, and names its program.
static bool take_recording(struct rh_options *options)
{
    size_t count = options->operands.count;
    if (!options->schedule && count && rh_recording_is(options->operands.items[count - 1])) {
        options->schedule = options->operands.items[--options->operands.count];
        options->takes_run = true;
    }
    return options->takes_run;
}

static struct rh_status find_programs(struct command *command)
{
    struct rh_options *options = &command->options;
    if (options->adapter)
        return rh_adapted_resolve(options, &command->programs);
    if (rh_threads_are_as_they_are(options) && !rh_verb_takes_schedule(options->verb)) {
        rh_threads_resolve(options, &command->programs);
        return rh_ok();
    }
    if (rh_verb_takes_schedule(options->verb))
        return rh_replay_resolve(options, &command->programs);
    if (options->verb == RH_VERB_CONFORM) {
        take_diagram(options);
        if (take_recording(options))
            return rh_replay_resolve(options, &command->programs);
    }
    for (size_t i = 0; i < options->operands.count; i++)
        rh_words_add(&command->programs, options->operands.items[i]);
    if (command->programs.count == 0)
        return rh_bad_input("which program? see rehearse %s --help", rh_verb_name(options->verb));
    return rh_ok();
}

static struct rh_status make_binary(struct command *command)
{
    const struct rh_words *programs = &command->programs;
    if (command->options.adapter)
        return rh_adapted_find(programs->items[0], &command->binary);
    if (command->options.is_as_it_is)
        return rh_threads_find(programs->items[0], &command->binary);
    for (size_t i = 0; i < programs->count; i++) {
        const char *path = programs->items[i];
        if (rh_file_kind_of(path) != RH_FILE_BINARY)
            continue;
        struct rh_status status = rh_program_check(path);
        if (rh_is_ok(&status) && programs->count > 1)
            return rh_bad_input("%s is a program already: it cannot be combined with %s", path,
                                programs->items[i ? 0 : 1]);
        if (rh_is_ok(&status))
            command->binary = realpath(path, NULL);
        return status;
    }
    struct rh_status status = rh_folder_make(&command->folder);
    if (rh_is_ok(&status))
        status = rh_compile(&command->children, &command->folder, &command->options, programs,
                            &command->binary);
    return status;
}

static struct rh_status make_request(const struct command *command, int *descriptor)
{
    const struct rh_options *options = &command->options;
    struct rh_words words = {0};
    for (size_t i = 0; i < options->words.count; i++)
        rh_words_add(&words, options->words.items[i]);
    for (size_t i = 0; i < command->programs.count; i++)
        rh_words_addf(&words, "--as=%s", command->programs.items[i]);
    bool takes_schedule = rh_verb_takes_schedule(options->verb) || options->takes_run;
    if (takes_schedule && options->schedule)
        rh_words_addf(&words, "--schedule=%s", options->schedule);
    if (options->diagram)
        rh_words_addf(&words, "--diagram=%s", options->diagram);
    struct rh_status status = rh_request_make(&words, descriptor);
    rh_words_fini(&words);
    return status;
}

// The end of a program that has begun to run its tests and did not come to their end.
static struct rh_status sudden_end(const char *program, int wait_status)
{
    if (WIFEXITED(wait_status))
        return rh_failed("%s ended with status %d while it ran its tests; what it had found by "
                         "then is saved",
                         program, WEXITSTATUS(wait_status));
    return rh_failed("%s was killed by SIG%s while it ran its tests; what it had found by then is "
                     "saved",
                     program, sigabbrev_np(WTERMSIG(wait_status)));
}

// Makes the command's exit status of the program's end. What a process ends with by itself may mean
// anything: only the program's keeper says that there are findings.
static int exit_status_of(const struct command *command, int request, int wait_status)
{
    const char *program = command->programs.items[0];
    bool is_answered = rh_request_is_answered(request);
    struct rh_status status;
    if (rh_request_status(request) >= 0)
        return rh_request_status(request);
    // The program has become the debugger, which has said itself what is wrong.
    if (is_answered && command->options.gdb && WIFEXITED(wait_status))
        return WEXITSTATUS(wait_status) ? RH_EXIT_FAILED : RH_EXIT_NOTHING;
    // Memory was out, and the program has said so.
    if (is_answered && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == RH_EXIT_FAILED)
        return RH_EXIT_FAILED;
    if (command->children.interrupted)
        return RH_EXIT_INCONCLUSIVE;
    // SIGPIPE: whoever read our output has seen enough.
    if (is_answered && WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGPIPE)
        return RH_EXIT_INCONCLUSIVE;
    if (is_answered)
        status = sudden_end(program, wait_status);
    else if (command->children.is_late)
        status = rh_failed("%s has not come to its tests in %u ms: does a constructor not end, its "
                           "own or a library's? --hang-limit N gives it N * %d ms",
                           program, command->children.start_ms, START_FACTOR);
    else if (WIFEXITED(wait_status))
        status = rh_failed("%s ended with status %d before its tests could run: does a "
                           "constructor call exit, or is a shared library missing?",
                           program, WEXITSTATUS(wait_status));
    else
        status = rh_failed("%s crashed before its tests could run: SIG%s in a constructor?",
                           program, sigabbrev_np(WTERMSIG(wait_status)));
    return rh_print_status(&status);
}

// Threads under control are debugged in the program's own process, where each is a thread of the
// system then.
static struct rh_status add_debugger(struct rh_words *words)
{
    static const char show_source[] =
        "python exec(\"frame = gdb.newest_frame()\\n"
        "while frame and (not frame.find_sal().symtab or "
        "'/src/threads/' in frame.find_sal().symtab.fullname()): frame = frame.older()\\n"
        "if frame: frame.select(); gdb.execute('frame')\")";
    static const char *const steps[] = {"set confirm off",
                                        "set pagination off",
                                        "set breakpoint pending on",
                                        "set print thread-events off",
                                        "break rh__stop_here",
                                        "run",
                                        show_source};
    struct rh_words debugger = {0};
    const char *variable = getenv("GDB");
    bool is_split = rh_words_split(&debugger, variable && *variable ? variable : "gdb -q");
    if (!is_split || !debugger.count)
        return rh_bad_input("the environment variable GDB is '%s', which is no command", variable);
    rh_words_add(words, debugger.items[0]);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        rh_words_add(words, "-ex");
        rh_words_add(words, steps[i]);
    }
    for (size_t i = 1; i < debugger.count; i++)
        rh_words_add(words, debugger.items[i]);
    rh_words_add(words, "--args");
    rh_words_fini(&debugger);
    return rh_ok();
}

static int run_binary(struct command *command)
{
    struct rh_words words = {0};
    bool is_debugged = command->options.gdb && command->options.threads;
    struct rh_status debugged = is_debugged ? add_debugger(&words) : rh_ok();
    if (!rh_is_ok(&debugged))
        return rh_print_status(&debugged);
    rh_words_add(&words, command->binary);
    for (size_t i = 0; i < command->options.arguments.count; i++)
        rh_words_add(&words, command->options.arguments.items[i]);
    int request = -1, wait_status = 0;
    command->children.start_ms = command->options.run.hang_ms * START_FACTOR;
    if (rh_valgrind_is_running() || is_debugged)
        command->children.start_ms = 0;
    struct rh_status status = make_request(command, &request);
    if (!command->options.adapter)
        rh_restart_prepare();
    if (rh_is_ok(&status))
        status = rh_children_run(&command->children, &words, request, -1, &wait_status);
    int result = rh_is_ok(&status) ? exit_status_of(command, request, wait_status)
                                   : rh_print_status(&status);
    if (request >= 0)
        close(request);
    rh_words_fini(&words);
    return result;
}

static int run_program(struct command *command)
{
    struct rh_status status = find_programs(command);
    if (rh_is_ok(&status))
        status = make_binary(command);
    if (rh_is_ok(&status))
        return run_binary(command);
    if (command->children.interrupted)
        return RH_EXIT_INCONCLUSIVE;
    return rh_print_status(&status);
}

// Examines the machine first, then the program if there is one; the worse exit status counts.
static int run_doctor(struct command *command)
{
    int machine = rh_command_doctor();
    int program = command->options.operands.count ? run_program(command) : RH_EXIT_NOTHING;
    return machine > program ? machine : program;
}

static int dispatch(struct command *command)
{
    int status;
    if (rh_print_about(&command->options, &status))
        return status;
    if (command->options.verb == RH_VERB_COVERAGE)
        return rh_coverage_run(&command->options);
    rh_children_init(&command->children);
    if (command->options.verb == RH_VERB_GRAPH || command->options.abstract)
        return rh_look_at_sources(&command->children, &command->folder, &command->options, NULL);
    if (command->options.verb == RH_VERB_GENERATE || command->options.verb == RH_VERB_REACH)
        return rh_command_generate(&command->children, &command->folder, &command->options);
    return command->options.verb == RH_VERB_DOCTOR ? run_doctor(command) : run_program(command);
}

static void command_fini(struct command *command)
{
    rh_folder_remove(&command->folder);
    rh_words_fini(&command->programs);
    free(command->binary);
    rh_options_fini(&command->options);
}

int main(int argc, char **argv)
{
    static const struct rh_tool tool = {.name = "rehearse", .takes_programs = true};
    struct command command = {0};
    // A limit on the size of files then makes a write fail, also one of the compiler, instead of
    // ending a process.
    signal(SIGXFSZ, SIG_IGN);
    struct rh_status status =
        rh_options_parse(&command.options, &tool, argc > 0 ? argc - 1 : 0, argv + 1);
    int result = rh_is_ok(&status) ? dispatch(&command) : rh_print_status(&status);
    command_fini(&command);
    return result;
}
