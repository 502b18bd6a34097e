// SPDX-License-Identifier: MIT
// Generated schedules that are followed one after another in one worker that lives on: a test takes
// as long as its deliveries, and not as long as a process.
#ifndef REHEARSE_EXPLORE_RUN_FOLLOW_H
#define REHEARSE_EXPLORE_RUN_FOLLOW_H

#include "explore/process/living.h"
#include "explore/run.h"

// All zeros: nothing was followed yet.
struct rh_follower {
    struct rh_living living;
    struct rh_shared *shared; // what the worker knows of a search that there is none of
};

// Follows options->schedule, which is generated, as rh_order_set_options has set the options. true:
// it was followed to its end and nothing was found; the result says so. false: rh_run_test says
// what there is to be said.
bool rh_follower_run(struct rh_follower *follower, const struct rh_run_options *options,
                     const struct rh_test *test, struct rh_result *result);
void rh_follower_fini(struct rh_follower *follower);

#endif
