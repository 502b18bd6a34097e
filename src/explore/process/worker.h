// SPDX-License-Identifier: MIT
// The process that runs executions, for the files that make it up: worker_start.c makes the
// worker's world, worker.c runs executions, worker_decide.c says which way each goes,
// worker_findings.c keeps what they show, worker_footprints.c what their deliveries touch and look
// at.
#ifndef REHEARSE_EXPLORE_PROCESS_WORKER_H
#define REHEARSE_EXPLORE_PROCESS_WORKER_H

#include "base/vector.h"
#include "explore/measure/journal.h"
#include "explore/measure/traffic.h"
#include "explore/process/rounds.h"
#include "explore/process/shared.h"
#include "world/world.h"

struct rh_worker {
    struct rh_job job;
    struct rh_shared *shared;
    struct rh_world *world;
    struct rh_path *path;
    uint32_t applied;                // decisions of the path that the world has been through
    RH_VECTOR(uint32_t) delivery_at; // for each delivery, the number of its decision
    // What each delivery touches, for the census.
    rh_touched_list touched;
    bool failed;      // an error was found in this execution
    bool is_new;      // the running delivery has not been made before
    bool asks_guards; // guards are being asked which messages are deliverable
    bool has_ended;   // the last decision was to end the execution
    bool asked_about_bound;
    bool lives;            // the test's body is over, and schedules follow each other: see living.h
    bool notes_footprints; // what deliveries touch is written down
    bool relies_on_footprints;    // and the search starts again when that is more than before
    bool has_memory;              // actors' memory can be looked at
    struct rh_choice_point point; // of the newest choice
    // After its last step, a replay lets no message come that the schedule does not name.
    bool is_silent;
    struct rh_rounds rounds;
    struct rh_traffic_trail traffic;
    bool notes_lines;           // lines and branches are written down
    struct rh_journal *journal; // borrowed; NULL: executions are not written down
};

// A point at which the execution could go several ways.
struct rh_fork {
    uint32_t count;
    bool is_delivery;
    bool comes;
    enum rh_fault fault;           // 0: none
    const struct rh_message *sent; // message that the fault may befall
};

static inline bool rh_worker_follows(const struct rh_worker *worker)
{
    return worker->job.mode != RH_WORKER_SEARCH;
}

static inline bool rh_worker_goes_back(const struct rh_worker *worker)
{
    return worker->world->options.keep_undo && worker->job.options->undo != RH_UNDO_OFF;
}

// Whether the delivery is made only to see what it would do. A follower makes no such deliveries,
// also if the search's worker was killed in the midst of one.
static inline bool rh_worker_is_trying(const struct rh_worker *worker)
{
    return worker->shared->commute.trying != 0 && !rh_worker_follows(worker);
}

// The same, for what spoils the trial.
static inline bool rh_worker_tries(struct rh_worker *worker)
{
    worker->shared->commute.failed |= rh_worker_is_trying(worker);
    return rh_worker_is_trying(worker);
}

// Whether the running delivery is one that the search has counted, and is not through with: a
// worker that ends in the midst of such a delivery leaves it to the next one.
static inline bool rh_worker_is_counted(const struct rh_worker *worker)
{
    return worker->is_new || (worker->shared->unvisited && worker->applied >= worker->path->keep);
}

static inline void rh_worker_count_delivery(struct rh_worker *worker)
{
    worker->is_new = worker->shared->unvisited = true;
    worker->shared->begun = worker->applied;
    worker->shared->deliveries++;
}

// Makes the world. The worker has its job.
void rh__worker_start(struct rh_worker *worker);
_Noreturn void rh_worker_end(enum rh_worker_exit code);
// Ends the worker and with it the search, because an input file does not fit the program or the
// search has no room left.
_Noreturn void rh_worker_bad_input(struct rh_status status);

// A worker that lives on takes the execution back, unless code of the program is running; otherwise
// it ends.
void rh__worker_refuse(void *context, struct rh_status status);

// Which way to go; RH_NONE: none of them.
uint32_t rh_worker_decide(struct rh_worker *worker, const struct rh_fork *fork);
const struct rh_choice_point *rh_worker_choice_point(struct rh_worker *worker,
                                                     const struct rh_fork *fork);

void rh_worker_report_divergence(struct rh_worker *worker, const struct rh_decision *decision,
                                 uint32_t count);
// The execution had gone round before it was cut off: its path up to the end of the first round is
// the finding's.
void rh_worker_report_round(struct rh_worker *worker);

// Begins the search anew if deliveries turn out to touch or look at more than it has relied on.
void rh__worker_check_footprints(struct rh_worker *worker);
static inline void rh_worker_check_footprints(struct rh_worker *worker)
{
    if (worker->relies_on_footprints || worker->shared->states.has_looked)
        rh__worker_check_footprints(worker);
}

// What the world asks and tells; the context is the worker.
int rh_worker_on_choose(void *context, int count);
int rh_worker_on_fault(void *context, enum rh_fault fault, const struct rh_message *message,
                       int count);
bool rh_worker_on_comes(void *context, int *number);
void rh_worker_on_finding(void *context, struct rh_finding *finding);
void rh_worker_on_view(void *context, uint32_t judge, uint32_t slot,
                       const struct rh_type_info *type);
void rh_worker_on_look_for(void *context, uint32_t judge, uint64_t name);
void rh_worker_on_touches(void *context, const struct rh_touching *touching);
void rh_worker_on_look(void *context, enum rh_look look);
void rh_worker_on_shared_tokens(void *context);
void rh_worker_on_thread(void *context, const char *function);
void rh_worker_on_turn(void *context, const struct rh_turn *turn);

#endif
