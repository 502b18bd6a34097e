// SPDX-License-Identifier: MIT
#include <unistd.h>

#include "cli/command.h"
#include "cli/schedule_program.h"
#include "trace/schedule.h"

static bool exist_all(const struct rh_words *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        if (access(paths->items[i], F_OK) < 0)
            return false;
    return paths->count > 0;
}

// Adds the schedule's programs as seen from `directory` (its first `length` bytes; 0: from here).
static void add_from(struct rh_words *paths, const struct rh_schedule *schedule,
                     const char *directory, size_t length)
{
    for (size_t i = 0; i < schedule->programs.count; i++) {
        const char *program = schedule->programs.items[i];
        bool is_absolute = *program == '/';
        rh_words_addf(paths, "%.*s%s", is_absolute ? 0 : (int)length, directory, program);
    }
}

// Relative paths in a schedule are tried from here, then from where the schedule is.
static struct rh_status find_programs(const struct rh_schedule *schedule, struct rh_words *programs)
{
    const char *path = schedule->path;
    size_t length = (size_t)(rh_base_name(path) - path);
    add_from(programs, schedule, path, 0);
    if (exist_all(programs))
        return rh_ok();
    rh_words_fini(programs);
    add_from(programs, schedule, path, length);
    if (exist_all(programs))
        return rh_ok();
    rh_words_fini(programs);
    if (!schedule->programs.count)
        return rh_bad_input("%s does not name its program: give it, as in rehearse replay PROGRAM "
                            "%s",
                            path, path);
    return rh_bad_input("%s is a schedule of %s, which is neither here nor beside the schedule: "
                        "give the program, as in rehearse replay PROGRAM %s",
                        path, schedule->programs.items[0], path);
}

static bool is_program(const char *path)
{
    if (rh_file_kind_of(path) != RH_FILE_BINARY)
        return true;
    struct rh_status status = rh_program_check(path);
    return rh_is_ok(&status);
}

struct rh_status rh_replay_resolve(struct rh_options *options, struct rh_words *programs)
{
    size_t count = options->operands.count;
    if (!options->schedule) {
        if (count == 0)
            return rh_bad_input("which schedule? see rehearse %s --help",
                                rh_verb_name(options->verb));
        options->schedule = options->operands.items[--count];
        if (is_program(options->schedule))
            return rh_bad_input("%s is a program: which schedule? as in rehearse %s %s FILE",
                                options->schedule, rh_verb_name(options->verb), options->schedule);
    }
    for (size_t i = 0; i < count; i++)
        rh_words_add(programs, options->operands.items[i]);
    struct rh_schedule schedule = {0};
    struct rh_status status = rh_schedule_read(&schedule, options->schedule);
    if (rh_is_ok(&status) && count)
        status = rh_schedule_check_program(&schedule, (const char *const *)programs->items, count);
    else if (rh_is_ok(&status))
        status = find_programs(&schedule, programs);
    rh_schedule_fini(&schedule);
    return status;
}
