// SPDX-License-Identifier: MIT
// Generated tests as a file of C, and as schedules.
#ifndef REHEARSE_SYMBOLIC_WRITE_H
#define REHEARSE_SYMBOLIC_WRITE_H

#include "base/text.h"
#include "result/generated.h"
#include "symbolic/reach.h"
#include "trace/schedule.h"

// A C file that includes `sources` and has a test for each of the results' that C can express.
// Gives how many that are.
size_t rh_generate_write_c(struct rh_text *text, const struct rh_generate_result *results,
                           size_t count, const char *const *sources, size_t source_count);

// The test as a schedule that says how all actors end, and, unless the tests were begun with a test
// of the program, needs none. false if no schedule can express the test: the schedule is empty
// then.
bool rh_generate_schedule(struct rh_schedule *schedule, const struct rh_generate_result *result,
                          const struct rh_generate_test *test, const char *const *programs,
                          size_t program_count);

// Adds a step of the test.
void rh_generate_add_step(struct rh_schedule *schedule, const struct rh_generate_test *test,
                          const struct rh_generate_step *step);

// What leads to a place, up to there. false if not all values can be said; the schedule has the
// others.
bool rh_reach_schedule(struct rh_schedule *schedule, const struct rh_reach_result *result,
                       const struct rh_reach_options *options, const char *const *programs,
                       size_t program_count);

#endif
