// SPDX-License-Identifier: MIT
// Makes a schedule of a recording: repeats in a controlled world what was recorded on threads, to
// learn the identity of each delivery.
#ifndef REHEARSE_EXPLORE_RUN_RECORDED_H
#define REHEARSE_EXPLORE_RUN_RECORDED_H

#include "explore/run.h"
#include "trace/recording.h"
#include "trace/schedule.h"

// The body of the test does what the recorded program's setup did. `path` is the recording's, for
// messages. RH_BAD_INPUT if the program does something else than was recorded. The schedule is the
// caller's; it stays empty if the options have a journal, which says what happened.
struct rh_status rh_recorded_convert(const struct rh_run_options *options,
                                     const struct rh_test *test,
                                     const struct rh_recording *recording, const char *path,
                                     struct rh_schedule *schedule);

#endif
