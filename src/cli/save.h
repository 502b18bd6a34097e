// SPDX-License-Identifier: MIT
// Writes findings to schedule files: TEST.schedule, TEST-2.schedule and so on.
#ifndef REHEARSE_CLI_SAVE_H
#define REHEARSE_CLI_SAVE_H

#include "base/status.h"
#include "cli/options.h"
#include "result/result.h"

// Fails before the search if findings could not be saved in the directory that the user named.
struct rh_status rh_save_check(const struct rh_options *options);

// Writes the schedules of all findings and sets their schedule_path. Goes on after a failure, and
// gives the first one.
struct rh_status rh_save_findings(const struct rh_options *options, struct rh_result *result);

#endif
