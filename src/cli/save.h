// SPDX-License-Identifier: MIT
// Writes findings to schedule files: TEST.schedule, TEST-2.schedule and so on (see
// trace/schedule_saving.h).
#ifndef REHEARSE_CLI_SAVE_H
#define REHEARSE_CLI_SAVE_H

#include "base/status.h"
#include "cli/options.h"
#include "result/result.h"
#include "trace/schedule_saving.h"

// Fails before the search if findings could not be saved in the directory that the user named.
struct rh_status rh_save_check(const struct rh_options *options);

// Findings that are saved while the search goes on, under the names that they would have if it
// ended now. All zeros but for what it is about: there are none yet.
struct rh_early_save {
    const struct rh_options *options; // borrowed
    const char *test;                 // borrowed
    const char *condition;            // borrowed; see rh_result
    struct rh_saved_paths saved;      // files that were written
    struct rh_saved_paths created;    // those of them that were not there before
};

// Saves one more finding; the context is a struct rh_early_save. A failure is told when the finding
// is saved again at the end.
void rh_save_early(void *context, struct rh_shown *shown);
void rh_early_save_fini(struct rh_early_save *early);

// Writes the schedules of all findings and sets their schedule_path. Goes on after a failure, and
// gives the first one. Without one, files that were created early and are of no finding of the
// result are removed.
struct rh_status rh_save_findings(const struct rh_early_save *early, struct rh_result *result);

#endif
