// SPDX-License-Identifier: MIT
#include "cli/schedule_program.h"

#include <string.h>

#include "cli/words.h"

static size_t stem_length(const char *base)
{
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - base) : strlen(base);
}

static bool has_same_stem(const char *left, const char *right)
{
    left = rh_base_name(left);
    right = rh_base_name(right);
    size_t length = stem_length(left);
    return length == stem_length(right) && !strncmp(left, right, length);
}

static bool is_named(const struct rh_schedule *schedule, const char *name)
{
    for (size_t i = 0; i < schedule->programs.count; i++)
        if (has_same_stem(schedule->programs.items[i], name))
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
