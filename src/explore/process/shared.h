// SPDX-License-Identifier: MIT
// A search: its state in memory shared by the keeper and its workers, and the worker.
//
// Three kinds of process: the keeper has loaded the program and runs none of it; a worker, forked
// from the keeper, runs executions; when a worker dies the next one takes the search over. So
// everything that the search must not lose lives in one shared mapping: the path, the strategy's
// memory, the counters, the findings.
#ifndef REHEARSE_EXPLORE_PROCESS_SHARED_H
#define REHEARSE_EXPLORE_PROCESS_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "explore/dependence/commute.h"
#include "explore/dependence/footprint.h"
#include "explore/measure/census.h"
#include "explore/reduce/shortest.h"
#include "explore/run.h"
#include "explore/states/lasso.h"
#include "explore/states/state_graph.h"
#include "explore/states/states.h"
#include "explore/states/trail.h"
#include "explore/strategy/strategy.h"
#include "memory/globals.h"

enum { RH_LEADS_MOST = 256, RH_FRAMES_MOST = 48 };

// A finding with the way that a worker came to it, for a follower to confirm.
struct rh_lead {
    struct rh_finding finding;
    uint64_t key;        // hash of kind, place, behaviour and message type
    uint64_t path;       // index of the path's first decision in shared->paths
    uint32_t length;     // decisions in the path
    uint32_t deliveries; // deliveries in the path that the finding needs
    bool shown;          // the worker that follows the path has seen the finding
    bool is_whole;       // nobody knows which deliveries of the path are needed
};

// What a dying worker says.
struct rh_crash {
    bool valid;
    bool in_tool; // no code of the program was running
    bool given;   // the crash is an access to a block that was given away
    bool overflow;
    bool is_sudden; // the worker could say nothing: the texts are from rh_handling
    bool is_damage; // the handler was over, and has left something damaged
    int signal;
    const void *handler; // code of the behaviour that was running
    uint64_t address;
    int frame_count;
    uint64_t frames[RH_FRAMES_MOST]; // bytes of the instructions that were running, innermost first
    char text[128];
    char actor[RH_ACTOR_MOST];
    char behaviour[RH_NAME_MOST];
    char message_type[RH_NAME_MOST];
};

// What is known of a worker that can't say anything any more.
struct rh_handling {
    const void *handler;       // code of the behaviour
    char actor[RH_ACTOR_MOST]; // only with a trace: names take time
    char behaviour[RH_NAME_MOST];
    char message_type[RH_NAME_MOST];
    // Where the worker has the texts of `behaviour` and `message_type`, which are copied only if
    // they have changed.
    const char *behaviour_at, *message_type_at;
};

struct rh_shared {
    _Atomic uint64_t heartbeat; // changes with every delivery
    _Atomic uint32_t question;  // what the worker waits to hear from the keeper; 0: nothing
    _Atomic uint64_t steps;     // instructions let through beside a block that was given away
    uint64_t executions;
    uint64_t deliveries;
    struct rh_spent spent;   // before the search started again
    uint32_t starts_again;   // so many times the search has started again
    uint32_t begun;          // decisions of the path up to the last delivery that is counted
    bool unvisited;          // the last delivery is counted, and the state after it not looked at
    int last_word;           // how the worker said that it ends; -1 if something else ended it
    struct rh_states states; // states seen; entries is NULL if states are not compared
    struct rh_trail trail;   // to the present state, where states are compared
    struct rh_state_graph graph; // of all states, once the search has gone round
    uint64_t actors_most;        // in one state
    bool pruned;                 // the execution was given up: what follows is known
    uint64_t pruned_count;
    bool delivering;                 // a handler is running, or an invariant after it
    struct rh_handling handling;     // valid while `delivering`
    uint32_t shortest;               // deliveries of the shortest error so far; UINT32_MAX: none
    bool is_refused;                 // the schedule can't be followed: `status` says why
    const struct rh_hold *idle_hold; // of a replay that came to its end: see rh_holds_find_idle
    bool looked_for_round;   // a way round was looked for, in the first execution that was cut off
    bool done;               // the strategy has no more executions
    enum rh_stop stopped_by; // the bound or finding that ended the search
    bool ignores_comings;    // the test has rh_may_come, and the environment is not open
    uint32_t aims_met;       // see rh_world_options
    bool tokens_shared;      // see rh_world_options
    bool owns_malloc;        // malloc of the program is ours, as the last worker has found out
    bool is_early_full;      // see rh_early_is_full, in a worker
    struct rh_files_told files_told;
    char cannot_undo[64];   // the call because of which executions are run again
    char starts_thread[64]; // the call by which the program starts threads; "" if it starts none
    char suppressed[64]; // a shared variable that a suppression names, in a search that relies on
                         // what deliveries touch
    bool has_stream;     // the test's body has left a stream open: nothing can be undone
    struct rh_status status; // of the tool
    struct rh_crash crash;
    // Of a follower: the write that led to the shared-state it found; without frames: not known.
    struct rh_write write;
    uint32_t lead_count;
    bool has_news;       // there are leads that the keeper has not looked at
    uint64_t leads_lost; // leads of more kinds than there is room for
    uint64_t path_most;  // decisions that `path` has room for
    uint64_t path_top;   // decisions used in `paths`
    struct rh_path path;
    struct rh_decision *paths; // of the findings
    struct rh_census census;
    struct rh_footprints *footprints; // borrowed; trials of a search have those of the search
    // Members that most searches use little of come last: pages are there once they are touched.
    struct rh_commute commute;
    _Alignas(16) char strategy[RH_STRATEGY_MEMORY];
    struct rh_lead leads[RH_LEADS_MOST];
};

// Whether states are compared: what is behind an open stream is part of none.
static inline bool rh_shared_compares(const struct rh_shared *shared)
{
    return shared->states.entries && !shared->has_stream;
}

struct rh_shared *rh_shared_new(void); // NULL if there is no memory
void rh_shared_free(struct rh_shared *shared);
uint64_t rh_shared_key(const struct rh_finding *finding);
bool rh_shared_has_error(const struct rh_shared *shared);

// How a worker ends.
enum rh_worker_exit {
    RH_EXIT_DONE = 0,
    RH_EXIT_RESTART = 10, // the next worker is to go on from the path
    RH_EXIT_CRASHED = 11, // shared->crash says how
    RH_EXIT_STATUS = 12,  // shared->status says why
};

enum rh_worker_mode {
    RH_WORKER_SEARCH, // goes on from the path until the strategy has no more executions
    RH_WORKER_FOLLOW, // follows a path once, for a trace
    RH_WORKER_VERIFY, // follows a path once and compares digests
    RH_WORKER_RECORD, // follows a path once and records digests
    RH_WORKER_LASSO,  // makes a lasso of which the graph knows the states
};

// What a worker is started with.
struct rh_job {
    enum rh_worker_mode mode;
    const struct rh_run_options *options;
    const struct rh_test *test;
    const struct rh_strategy_ops *strategy;
    struct rh_shared *shared;
    struct rh_path follow;  // for the modes that follow a path
    uint32_t lap;           // deliveries after which a lap begins; RH_NONE: there is none
    uint64_t variety;       // of the livelock
    struct rh_lasso *lasso; // for RH_WORKER_LASSO; otherwise NULL
    struct rh_tape *tape;   // where the execution is written down; NULL: nowhere
    // Descriptor of a file for what the program prints, or -1. With it, the worker looks closely:
    // for writes to shared variables, for intruders, for ways round.
    int trace_output;
    int ask_keeper;   // descriptor that wakes the keeper for a question, or -1: nobody answers
    bool by_identity; // `follow` leaves deliveries out: the others are found by their identities
    bool here;        // in a debugger: no signal handlers, no protection, no fork
    // Uses of given blocks are let through, to see how long handlers take without steps.
    bool unguarded;
    bool learns;      // footprints are learned in an execution that does not rely on them
    uint8_t fill;     // see rh_world_options
    uint32_t wanders; // beyond `follow`, up to so many decisions are made, in sending order
    bool lives;       // the worker waits for the next schedule instead of ending: see living.h
};

// A worker's questions.
enum {
    RH_QUESTION_VERIFY = 'v',
    RH_QUESTION_BOUND = 'b',
    RH_QUESTION_NEXT = 'n',
    RH_QUESTION_FOUND = 'f'
};

// Called in the worker's process, and ends it.
_Noreturn void rh_worker_launch(const struct rh_job *job);

// Whether states can be compared in this program, as far as the search has seen.
bool rh_shared_can_compare(const struct rh_shared *shared);

// An execution has ended: prescribes the next; false if the search is over. Called by the worker,
// or by the keeper after a worker's death.
bool rh_shared_advance(struct rh_shared *shared, const struct rh_run_options *options,
                       const struct rh_strategy_ops *strategy);

// The execution is run again from its start. Deliveries that it has begun have been counted; those
// that the path prescribes beyond them have not.
void rh_shared_retry(struct rh_shared *shared);

// Forgets what the search has done: it relied on something that turned out to be wrong. Findings
// stay, with a count of 0 until they are found again.
void rh_shared_start_again(struct rh_shared *shared, const struct rh_strategy_ops *strategy);

// Whether the search leaves out what does not depend on each other, or counts what it does not
// distinguish: it starts again when deliveries turn out to touch more.
static inline bool rh_shared_relies_on_footprints(const struct rh_shared *shared,
                                                  const struct rh_strategy_ops *strategy)
{
    return strategy->reset || shared->census.on;
}

// Adds a finding, or counts it if it is known. Of the paths to a finding the one that needs fewest
// deliveries is kept, and of several such the first; `needs` may be NULL: the path needs all. Gives
// the entry; NULL if there is no room.
struct rh_lead *rh_shared_add(struct rh_shared *shared, const struct rh_finding *finding,
                              const struct rh_path *path, uint32_t length,
                              const struct rh_needs *needs);

// How often each finding was seen; `counts` has room for all. Gives the number of findings.
uint32_t rh_shared_keep_counts(const struct rh_shared *shared, uint64_t *counts);
// Forgets what a worker beside the search has found since, but for findings that only it can find.
void rh_shared_restore(struct rh_shared *shared, const uint64_t *counts, uint32_t count);

// Forgets all errors but the shortest.
void rh_shared_keep_shortest(struct rh_shared *shared);

// A livelock that is not fair is a warning, unless --fail-on names livelocks.
enum rh_severity rh_shared_severity(const struct rh_run_options *options,
                                    const struct rh_finding *finding);

// signals.c: loads the functions that a crash report needs, once for all workers that are forked
// afterwards: not in a signal handler, and not in each worker.
void rh_signals_load(void);
// Catches crashes from now on; reports them in shared->crash and ends the process.
void rh_signals_catch(struct rh_shared *shared);

#endif
