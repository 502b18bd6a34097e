// SPDX-License-Identifier: MIT
// Turns what workers leave behind into findings for people: each is repeated in a fresh process,
// with a trace.
#ifndef REHEARSE_EXPLORE_PROCESS_CONFIRM_H
#define REHEARSE_EXPLORE_PROCESS_CONFIRM_H

#include "explore/process/keeper.h"
#include "result/tape.h"

// Where a traced worker leaves what happens, and what the program prints.
struct rh_trace_room {
    struct rh_tape *tape;
    int output; // a file in memory
};
struct rh_status rh_trace_room_open(struct rh_trace_room *room);
void rh_trace_room_close(struct rh_trace_room *room);
// Reads both: the execution, with what was printed after its last event, and the last 64 KB of
// output.
struct rh_status rh_trace_room_read(const struct rh_trace_room *room,
                                    struct rh_execution *execution, struct rh_text *output);

// Makes a finding of a worker's crash, hang or exit.
void rh_confirm_describe(const struct rh_run_options *options, const struct rh_shared *shared,
                         enum rh_end end, struct rh_finding *finding);

// The place of a shared-state is where the follower has seen the write, if it has; the variable's
// declaration moves into the text.
void rh_confirm_write(struct rh_debug *debug, const struct rh_shared *shared,
                      struct rh_finding *finding);

// Follows a path in a worker of its own, in the job's mode. Gives how the worker ended; what showed
// is in shared->findings.
enum rh_end rh_confirm_follow(const struct rh_job *job, const struct rh_path *path,
                              uint32_t limit_ms, struct rh_trace_room *room);
// Like rh_confirm_follow, while the search goes on: when the user wants no more, the worker is
// stopped.
enum rh_end rh_confirm_follow_beside(const struct rh_job *job, const struct rh_path *path,
                                     uint32_t limit_ms, struct rh_trace_room *room);

// Follows a lead: repeats its finding and gives that with the execution that shows it.
struct rh_status rh_confirm_lead(const struct rh_job *job, const struct rh_lead *lead,
                                 struct rh_shown *shown);

// What a schedule says about a message that was sent or delivered: its values and where it was
// sent. Owned; "" if nothing is known.
char *rh_confirm_comment(struct rh_debug *debug, const struct rh_execution *execution,
                         const struct rh_event *event);

// The schedule of an execution.
void rh_confirm_schedule(const struct rh_run_options *options, const struct rh_test *test,
                         const struct rh_execution *execution, struct rh_schedule *schedule);
// Fills in the finding itself, with the delivery in which it shows. `shown` has its schedule
// already.
void rh_confirm_fill(const struct rh_finding *finding, const struct rh_execution *execution,
                     struct rh_shown *shown);

#endif
