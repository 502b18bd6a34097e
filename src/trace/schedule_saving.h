// SPDX-License-Identifier: MIT
// Which file the schedule of a finding is saved in: NAME.schedule, or NAME-2.schedule and so on.
// One of the same program, test and finding is replaced. Any other file of that name is kept,
// whatever it is, and the new one gets a number.
#ifndef REHEARSE_TRACE_SCHEDULE_SAVING_H
#define REHEARSE_TRACE_SCHEDULE_SAVING_H

#include "trace/schedule.h"

struct rh_saved_paths {
    char **items; // owned strings
    size_t count, capacity;
};

void rh_saved_paths_fini(struct rh_saved_paths *saved);

bool rh_saved_paths_has(const struct rh_saved_paths *saved, const char *path);

// Gives the path for the schedule, which begins with `name`: owned. It is none of `saved`, which
// this run has written for other findings; files in `own` need not be kept. NULL for either: there
// are none. `*is_new`, unless NULL: there was no such file.
char *rh_schedule_saving_path(const char *name, const struct rh_schedule *schedule,
                              const struct rh_saved_paths *saved, const struct rh_saved_paths *own,
                              bool *is_new);

#endif
