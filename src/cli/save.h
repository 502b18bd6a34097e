// SPDX-License-Identifier: MIT
// Writes findings to schedule files: TEST.schedule, TEST-2.schedule and so on.
#ifndef REHEARSE_CLI_SAVE_H
#define REHEARSE_CLI_SAVE_H

#include "base/status.h"
#include "cli/options.h"
#include "result/result.h"

// Fails before the search if findings could not be saved in the directory that the user named.
struct rh_status rh_save_check(const struct rh_options *options);

// Findings that are saved while the search goes on, under the names that they would have if it
// ended now. All zeros but for options and test: there are none yet.
struct rh_early_save {
    const struct rh_options *options; // borrowed
    const char *test;                 // borrowed
    const char *condition;            // borrowed; see rh_result
    size_t counts[RH_SEVERITIES];     // findings of each severity so far
    RH_VECTOR(char *) paths;          // owned; files that were written
};

// Saves one more finding; the context is a struct rh_early_save. A failure is told when the finding
// is saved again at the end.
void rh_save_early(void *context, struct rh_shown *shown);
// Removes files that were written early and are of no finding of the result, which is saved.
void rh_save_tidy(struct rh_early_save *early, const struct rh_result *result);
void rh_early_save_fini(struct rh_early_save *early);

// Writes the schedules of all findings and sets their schedule_path. Goes on after a failure, and
// gives the first one.
struct rh_status rh_save_findings(const struct rh_options *options, struct rh_result *result);

#endif
