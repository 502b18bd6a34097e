// SPDX-License-Identifier: MIT
// Logs of components that ran as they are (log/record.h): what happened to operations, in order,
// and whether a specification gives it.
#ifndef REHEARSE_THREADS_LOG_FILE_H
#define REHEARSE_THREADS_LOG_FILE_H

#include "base/status.h"
#include "threads/compare.h"

struct rh_log_record;
struct rh_log_step;

struct rh_log {
    const char *bytes; // of the file
    size_t size;
    struct rh_operation *operations;
    struct rh_moment *moments;
    const struct rh_log_record **records; // of each moment
    size_t operation_count, moment_count, commit_count;
    uint32_t thread_count; // one more than the largest number
    uint32_t callers;      // threads that have called operations
    uint64_t left_out;     // records behind the first that is missing
    uint64_t has_views;    // commits and ends that have one
    // A mark that is wrong: the log is read up to there.
    struct rh_threads_finding wrong;
    bool has_wrong;
    void *names;               // of this file
    struct rh_log_step *steps; // the same: by number
    bool is_replayed;          // views are what RH_REPLAY makes of actions
};

struct rh_status rh__log_read(struct rh_log *log, const char *path);
void rh__log_fini(struct rh_log *log);
// The view that the record of this moment has.
void rh__log_view(const struct rh_log *log, uint32_t moment, struct rh_view *view);
// Compares with the program's specification.
void rh__log_check(const struct rh_log *log, struct rh_compared *compared);

#endif
