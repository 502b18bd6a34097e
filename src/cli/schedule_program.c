// SPDX-License-Identifier: MIT
#include "cli/schedule_program.h"

#include "base/file_name.h"

static bool is_named(const struct rh_schedule *schedule, const char *name)
{
    for (size_t i = 0; i < schedule->programs.count; i++)
        if (rh_has_same_stem(schedule->programs.items[i], name))
            return true;
    return false;
}

struct rh_status rh_schedule_check_program(const struct rh_schedule *schedule,
                                           const char *const *names, size_t count)
{
    // A schedule written by hand need not name its program.
    if (schedule->programs.count == 0)
        return rh_ok();
    for (size_t i = 0; i < count; i++)
        if (!is_named(schedule, names[i]))
            return rh_bad_input("%s is a schedule of %s, not of %s; if that is the same program, "
                                "change the file's `program` line",
                                schedule->path ? schedule->path : "this",
                                schedule->programs.items[0], names[i]);
    return rh_ok();
}
