// SPDX-License-Identifier: MIT
// Starting workers and watching over them.
#ifndef REHEARSE_EXPLORE_PROCESS_KEEPER_H
#define REHEARSE_EXPLORE_PROCESS_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "explore/process/shared.h"

// How a worker ended.
enum rh_end {
    RH_END_DONE,    // the worker did what it was to do
    RH_END_RESTART, // the next worker is to go on
    RH_END_CRASH,   // shared->crash says how
    RH_END_HANG,    // no delivery for too long; shared->crash says where
    RH_END_EXIT,    // the program ended the process in a way that we could not catch
    RH_END_STATUS,  // shared->status says why
    RH_END_STOPPED, // the watcher has stopped the worker
    RH_END_PAUSED,  // none yet: the worker waits for what it is to do next
};

// How to watch.
struct rh_watch {
    uint32_t limit_ms; // without a delivery
    int questions;     // descriptor that tells of them, or -1: there are none
    void *context;
    // Answers the worker. false: the worker waits for its answer, and is not watched meanwhile.
    bool (*answer)(void *context, char question);
    bool (*tick)(void *context); // a few times a second; false stops the worker. May be NULL
};

// A worker's process.
struct rh_worker_process {
    pid_t id;
    int life; // end of a pipe that ends when the process does
};

// Forks a worker. false if there is none; shared->status says why.
bool rh_keeper_start(const struct rh_job *job, struct rh_worker_process *process);
// Watches over a worker until it ends, or until it waits (RH_END_PAUSED).
enum rh_end rh_keeper_watch(const struct rh_job *job, const struct rh_watch *watch,
                            struct rh_worker_process *process);
// Ends a worker that waits.
void rh_keeper_stop(const struct rh_job *job, struct rh_worker_process *process);

// Forks a worker and waits for its end.
enum rh_end rh_keeper_run(const struct rh_job *job, const struct rh_watch *watch);

#endif
