// SPDX-License-Identifier: MIT
// A worker that lives on: it runs the test's body once, follows a schedule, takes its deliveries
// back, and waits for the next schedule. So a trial of a schedule takes as long as its deliveries,
// and not as long as starting a process and running the body.
//
// A worker serves schedules that begin alike: the same inputs, messages from outside and faults,
// and the same outcomes of the body's choices. Generated schedules have no body, and may differ in
// all of this. For another beginning, and after a crash, a hang or a call that can't be undone, the
// next schedule has a worker of its own.
#ifndef REHEARSE_EXPLORE_PROCESS_LIVING_H
#define REHEARSE_EXPLORE_PROCESS_LIVING_H

#include "base/store.h"
#include "explore/process/keeper.h"

// All zeros: there is no worker.
struct rh_living {
    struct rh_job job;                // what the worker was started with
    struct rh_worker_process process; // id 0: there is none
    int bell[2];                      // see questions.h
    struct rh_store store;            // options and schedule, which the worker shares
    uint64_t beginning;               // hash of all that the body depends on
};

// Whether executions can be taken back, as far as the search of this job has seen.
bool rh_living_is_possible(const struct rh_job *job);

// Follows options->schedule; `job` says whose, and of which search. Gives how that ended:
// RH_END_DONE also if the worker lives on, RH_END_STATUS also if it lives on and has refused the
// schedule. What showed is in living->job.shared, and the execution on living->job.tape, until the
// next call. false if there is no memory: nothing was run.
bool rh_living_run(struct rh_living *living, const struct rh_job *job,
                   const struct rh_run_options *options, const struct rh_watch *watch,
                   enum rh_end *end);

// Ends the worker, if there is one.
void rh_living_fini(struct rh_living *living);

#endif
