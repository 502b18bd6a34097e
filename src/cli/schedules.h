// SPDX-License-Identifier: MIT
// The schedule files of a directory, which `replay` follows one after another.
#ifndef REHEARSE_CLI_SCHEDULES_H
#define REHEARSE_CLI_SCHEDULES_H

#include "base/status.h"
#include "trace/schedule.h"

struct rh_schedules {
    struct rh_schedule *items; // by the names of their files
    size_t count, capacity;
};

// Whether the path is that of a directory.
bool rh_schedules_is(const char *path);

// Sees to it that schedules can be saved in the directory, before there are any to be lost: makes
// it if it is not there. NULL: the current one.
struct rh_status rh_schedules_make(const char *directory);

// Reads all files NAME.schedule of the directory, or the first `most`. A directory without any is
// bad input.
struct rh_status rh_schedules_read(struct rh_schedules *schedules, const char *directory,
                                   size_t most);
void rh_schedules_fini(struct rh_schedules *schedules);

#endif
