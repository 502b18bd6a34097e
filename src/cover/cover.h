// SPDX-License-Identifier: MIT
// The strategy "cover": runs the test once, and then with schedules that reach ordering goals which
// no execution has reached yet. Schedules are generated from the executions so far, until no goal
// is left.
//
// Each execution that shows free pairs for the first time is kept, and schedules are generated from
// it for one criterion after the other. Those from the first execution are Bita's single pass.
// Sweeps come in between; each changes as many orders as one execution can. Sweeps reach many goals
// at once, also where schedules can't be certain of what happens.
#ifndef REHEARSE_COVER_COVER_H
#define REHEARSE_COVER_COVER_H

#include "cover/coverage.h"
#include "explore/run.h"

struct rh_cover_options {
    enum rh_criterion criteria[RH_CRITERION_COUNT]; // in the order in which they are tried
    int criterion_count;
    bool no_sweeps; // only schedules that are generated for goals
    // Only sweeps; with no_sweeps too, every execution is chosen as the first one is.
    bool no_schedules;
    // What schedules leave open is chosen at random with the run's seed, not in sending order.
    bool is_seeded;
    // So many executions are made, and more as long as they show new goals; 0: as the run's own
    // bounds say.
    uint64_t executions;
};

struct rh_cover;

// NULL if there is no address space. A strategy is for one run of one test.
struct rh_cover *rh_cover_new(const struct rh_cover_options *options);
void rh_cover_free(struct rh_cover *cover);

// Refuses a schedule that the first execution can't follow: one with faults.
struct rh_status rh_cover_check_schedule(const struct rh_schedule *schedule);

// Runs the test; see rh_run_test. The figures are in result->coverage.
struct rh_status rh_cover_test(struct rh_cover *cover, const struct rh_run_options *options,
                               const struct rh_test *test, struct rh_result *result);

// What was covered, and the executions that were kept.
const struct rh_coverage *rh_cover_coverage(const struct rh_cover *cover);
uint32_t rh_cover_kept_count(const struct rh_cover *cover);
const struct rh_receives *rh_cover_kept(const struct rh_cover *cover, uint32_t index);

#endif
