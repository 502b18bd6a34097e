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
};

// How to watch.
struct rh_watch {
    uint32_t limit_ms; // without a delivery
    int questions;     // descriptor, or -1
    void *context;
    void (*answer)(void *context, char question);
    bool (*tick)(void *context); // a few times a second; false stops the worker. May be NULL
};

// Forks a worker and waits for its end.
enum rh_end rh_keeper_run(const struct rh_job *job, const struct rh_watch *watch);

#endif
