// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/shell_word.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/schedules.h"
#include "trace/recording.h"
#include "trace/schedule.h"

static bool exist_all(const struct rh_words *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        if (access(paths->items[i], F_OK) < 0)
            return false;
    return paths->count > 0;
}

// Adds the schedule's programs. Relative paths start from `directory`, of which the first `length`
// bytes count; with 0 from the current directory.
static void add_from(struct rh_words *paths, const struct rh_schedule *schedule,
                     const char *directory, size_t length)
{
    for (size_t i = 0; i < schedule->programs.count; i++) {
        const char *program = schedule->programs.items[i];
        bool is_absolute = *program == '/';
        rh_words_addf(paths, "%.*s%s", is_absolute ? 0 : (int)length, directory, program);
    }
}

// A file may come from anybody. Like make, a replay builds and runs what lies here; what lies
// elsewhere it does not, unless the user names it.
static struct rh_status check_place(const struct rh_options *options, const char *what,
                                    const struct rh_words *programs)
{
    for (size_t i = 0; i < programs->count; i++) {
        if (rh_is_below(programs->items[i], "."))
            continue;
        struct rh_text command = {0};
        rh_text_addf(&command, "rehearse %s", rh_verb_name(options->verb));
        for (size_t k = 0; k < programs->count; k++)
            rh_text_add_argument(&command, programs->items[k]);
        rh_text_add_argument(&command, options->schedule);
        struct rh_status status =
            rh_bad_input("%s is a %s of %s, which lies outside of this directory: if it is to be "
                         "run, name it, as in %s",
                         options->schedule, what, programs->items[i], rh_text_get(&command));
        rh_text_fini(&command);
        return status;
    }
    return rh_ok();
}

// Relative paths in a schedule are tried from the current directory, then from the schedule's.
static struct rh_status find_programs(const struct rh_options *options,
                                      const struct rh_schedule *schedule, struct rh_words *programs)
{
    const char *verb = rh_verb_name(options->verb);
    const char *path = schedule->path;
    size_t length = (size_t)(rh_base_name(path) - path);
    add_from(programs, schedule, path, 0);
    if (exist_all(programs))
        return check_place(options, "schedule", programs);
    rh_words_fini(programs);
    add_from(programs, schedule, path, length);
    if (exist_all(programs))
        return check_place(options, "schedule", programs);
    rh_words_fini(programs);
    if (!schedule->programs.count)
        return rh_bad_input("%s does not name its program: give it, as in rehearse %s PROGRAM %s",
                            path, verb, path);
    return rh_bad_input("%s is a schedule of %s, which is neither here nor beside the schedule: "
                        "give the program, as in rehearse %s PROGRAM %s",
                        path, schedule->programs.items[0], verb, path);
}

static bool is_program(const char *path)
{
    if (rh_file_kind_of(path) != RH_FILE_BINARY)
        return true;
    struct rh_status status = rh_program_check(path);
    return rh_is_ok(&status);
}

enum { LOG_MOST = 20 };

// Prints the end of a recording that can't be repeated: it is still worth reading.
static struct rh_status check_recording(const struct rh_recording *recording, const char *path,
                                        const char *program)
{
    struct rh_status status = rh_recording_check(recording, path, program);
    if (recording->overwritten > 0 || recording->is_too_long) {
        struct rh_text log = {0};
        rh_recording_log(recording, &log, LOG_MOST);
        rh_print(&log);
        rh_text_fini(&log);
    }
    return status;
}

// Unless the user says otherwise, the program and its arguments are those that were recorded.
static struct rh_status resolve_recording(struct rh_options *options, struct rh_words *programs)
{
    struct rh_recording recording;
    struct rh_status status = rh_recording_read(&recording, options->schedule);
    if (!rh_is_ok(&status))
        return status;
    bool is_named = programs->count > 0;
    if (!is_named)
        rh_words_add(programs, recording.program);
    if (access(programs->items[0], F_OK) != 0)
        status = rh_bad_input("%s is a recording of %s, which is not there any more: give the "
                              "program, as in rehearse %s PROGRAM %s",
                              options->schedule, programs->items[0], rh_verb_name(options->verb),
                              options->schedule);
    else if (programs->count > 1 || rh_file_kind_of(programs->items[0]) != RH_FILE_BINARY)
        status = rh_bad_input("%s is a recording: it is repeated with the program that was "
                              "recorded, which is %s",
                              options->schedule, recording.program);
    else if (!is_named)
        status = check_place(options, "recording", programs);
    if (rh_is_ok(&status))
        status = check_recording(&recording, options->schedule, programs->items[0]);
    for (size_t i = 0; i < recording.arguments.count; i++)
        rh_words_add(&options->recorded, recording.arguments.items[i]);
    if (options->arguments.count == 0)
        for (size_t i = 0; i < options->recorded.count; i++)
            *rh_vector_push(&options->arguments) = options->recorded.items[i];
    rh_recording_fini(&recording);
    return status;
}

// The schedule of a program that an adapter runs names the adapter and the program's arguments.
static void adopt_adapter(struct rh_options *options, const struct rh_schedule *schedule)
{
    if (!schedule->adapter)
        return;
    if (!strcmp(schedule->adapter, "threads")) {
        options->threads = true;
        options->is_as_it_is = schedule->programs.count == 1 &&
                               rh_file_kind_of(schedule->programs.items[0]) == RH_FILE_BINARY;
        for (size_t i = 0; options->arguments.count == 0 && i < schedule->arguments.count; i++)
            rh_words_add(&options->recorded, schedule->arguments.items[i]);
        for (size_t i = 0; i < options->recorded.count; i++)
            *rh_vector_push(&options->arguments) = options->recorded.items[i];
        return;
    }
    if (!options->adapter)
        *rh_vector_push(&options->words) = rh_strdup("--adapter=zmq");
    options->adapter = "zmq";
    for (size_t i = 0; i < schedule->arguments.count; i++)
        rh_words_add(&options->recorded, schedule->arguments.items[i]);
    if (options->arguments.count == 0)
        for (size_t i = 0; i < options->recorded.count; i++)
            *rh_vector_push(&options->arguments) = options->recorded.items[i];
}

// The first schedule of a directory speaks for all: they are of one program.
static struct rh_status read_first(struct rh_schedule *schedule, const char *path)
{
    if (!rh_schedules_is(path))
        return rh_schedule_read(schedule, path);
    struct rh_schedules schedules = {0};
    struct rh_status status = rh_schedules_read(&schedules, path, 1);
    *schedule = rh_is_ok(&status) ? schedules.items[0] : (struct rh_schedule){0};
    free(schedules.items);
    return status;
}

struct rh_status rh_replay_resolve(struct rh_options *options, struct rh_words *programs)
{
    size_t count = options->operands.count;
    if (!options->schedule) {
        if (count == 0)
            return rh_bad_input("which schedule? see rehearse %s --help",
                                rh_verb_name(options->verb));
        bool has_schedule = !is_program(options->operands.items[count - 1]);
        if (has_schedule)
            options->schedule = options->operands.items[--count];
        else if (!rh_replays_order(options))
            return rh_bad_input("%s is a program: which schedule? as in rehearse %s %s FILE",
                                options->operands.items[count - 1], rh_verb_name(options->verb),
                                options->operands.items[count - 1]);
    }
    for (size_t i = 0; i < count; i++)
        rh_words_add(programs, options->operands.items[i]);
    if (!options->schedule)
        return rh_ok();
    if (rh_recording_is(options->schedule))
        return resolve_recording(options, programs);
    struct rh_schedule schedule = {0};
    struct rh_status status = read_first(&schedule, options->schedule);
    if (rh_is_ok(&status) && !count)
        status = find_programs(options, &schedule, programs);
    if (rh_is_ok(&status))
        adopt_adapter(options, &schedule);
    rh_schedule_fini(&schedule);
    return status;
}
