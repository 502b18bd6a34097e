// SPDX-License-Identifier: MIT
// Follows a schedule that was saved for a finding, in a program that may have been mended since.
#ifndef REHEARSE_CLI_REPLAY_SAVED_H
#define REHEARSE_CLI_REPLAY_SAVED_H

#include "explore/run.h"

// Whether the schedule says what was found in it. That a line was reached is none of these, nor
// that a test's order can't be made.
bool rh_schedule_is_saved(const struct rh_schedule *schedule);

// Follows the schedule of the options. Where it can't be made any more, what is left of it is
// tried, by identities and by names: if that shows the finding it is shown, and a note says so. If
// nothing does, the result has the refusal; but a name that the program does not know is bad input,
// since whoever has renamed something has mended nothing.
struct rh_status rh_replay_saved(const struct rh_run_options *options, const struct rh_test *test,
                                 struct rh_result *result);

#endif
