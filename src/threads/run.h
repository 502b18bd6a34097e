// SPDX-License-Identifier: MIT
// Tests of components under threads, from beginning to end: searches, what they find as data, and
// schedules. Prints nothing.
#ifndef REHEARSE_THREADS_RUN_H
#define REHEARSE_THREADS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "base/vector.h"
#include "result/stop.h"
#include "threads/compare.h"
#include "threads/engine.h"
#include "threads/history.h"
#include "threads/other_order.h"
#include "threads/pairs.h"
#include "trace/schedule.h"

struct rh_threads_shown;

struct rh_threads_options {
    enum rh_search_mode mode;
    bool compares;    // results and views with serial runs
    bool has_no_view; // results alone
    uint64_t max_executions;
    uint64_t seed;
    int depth;                   // of pct
    bool census;                 // final states are counted
    const char *const *programs; // as the user gave them; borrowed
    size_t program_count;
    char *const *arguments; // of the program's main, without its name; borrowed
    size_t argument_count;
    double max_seconds; // 0: no bound
    uint32_t hang_ms;
    bool volatile_is_atomic, has_spurious;
    struct rh_pairs *pairs; // that are looked for; NULL: none; borrowed
    bool steers;            // executions are made for pairs, and no search
    // Called as soon as an execution has shown a finding that was not known; may be NULL.
    void (*found)(void *context, const struct rh_threads_test *test,
                  const struct rh_threads_shown *shown, size_t number);
    void *context;
};

// A finding with the execution that shows it.
struct rh_threads_shown {
    struct rh_threads_finding finding; // of kind RH_FINDING_KIND_COUNT: there is none
    uint64_t count;                    // executions that show it
    uint64_t execution;                // the first of them, from 1
    RH_VECTOR(struct rh_turn) turns;
    RH_VECTOR(int) choices;
    struct rh_compared compared; // of a refinement
    // As it was repeated for people:
    struct rh_log_entry *log; // owned
    uint32_t log_count;
    struct rh_history history;
    struct rh_threads_finding refinement; // that this shows, if it is one
    struct rh_other_order other_order;    // that explains it
    struct rh_threads_finding unserial;   // the same
    bool is_unserial;
    bool is_repeated;
    struct {
        size_t from;         // turns before; 0: it was not shrunk
        uint64_t executions; // that it took
        bool is_least;       // all executions with fewer turns were made
        char *cause;         // owned; one sentence; NULL: not known
    } shrunk;
};

struct rh_threads_result {
    const char *test;
    uint64_t executions, asleep, cut, events;
    uint64_t states; // different final ones, if they are counted
    uint32_t serial, serial_blocked;
    bool is_exhausted;    // every class was tried
    bool is_complete;     // and nothing is left to be decided
    bool is_uncompared;   // executions whose order of commits the test can't be run in
    bool is_undecided;    // there were more serial orders than were compared
    bool has_unseen;      // object files were not compiled with -fsanitize=thread
    bool is_serial_ended; // not all orders were run
    bool has_weak_atomics;
    bool has_failed; // executions ended early: what others would have done then is not known
    bool has_strayed;
    bool is_refused; // the program calls what is not served
    enum rh_stop stopped_by;
    int killed_by;  // a signal that has ended the process; 0: none
    size_t earlier; // findings that were told before that
    RH_VECTOR(struct rh_threads_shown) found;
    RH_VECTOR(uint64_t) hashes; // of final states
};

// The program's own tests, from its sections; and one of its main, if it has one.
size_t rh_threads_test_count(void);
const struct rh_threads_test *rh_threads_test_at(size_t number);
const struct rh__component_entry *rh_threads_component(void);

// Makes everything ready, and runs the component's setup. The engine is mapped already. With 0
// milliseconds nobody looks for hangs.
struct rh_status rh_threads_start(uint32_t hang_ms);

// The test that is the program's main.
typedef int rh_main_function(int argc, char **argv, char **environment);
const struct rh_threads_test *rh_threads_main(rh_main_function *function, int argc, char **argv,
                                              char **environment);

void rh_threads_run(const struct rh_threads_test *test, const struct rh_threads_options *options,
                    struct rh_threads_result *result);
// Follows a schedule. The finding that it shows, if any, is the result's only one.
struct rh_status rh_threads_replay(const struct rh_threads_test *test,
                                   const struct rh_threads_options *options,
                                   const struct rh_schedule *schedule,
                                   struct rh_threads_result *result);
// Follows a schedule as above, and looks for the execution with the fewest turns of threads that
// shows the same, and for two events whose order is the cause. `debug` names places.
struct rh_debug;
struct rh_status rh_threads_shrink(const struct rh_threads_test *test,
                                   const struct rh_threads_options *options,
                                   const struct rh_schedule *schedule, struct rh_debug *debug,
                                   struct rh_threads_result *result);
// Makes the execution of a finding once more with threads of the system, for a debugger: it stops
// at rh__stop_here where the finding shows, or before the numbered event of its list. Fails if the
// events are not the same.
struct rh_status rh_threads_debug(const struct rh_threads_test *test,
                                  const struct rh_threads_options *options,
                                  struct rh_threads_shown *shown, uint64_t number);

// What an execution shows in which the process was killed: tells it from what the engine knows, and
// runs nothing.
void rh_threads_killed(const struct rh_threads_test *test, int number,
                       struct rh_threads_result *result);
// Findings that are errors.
size_t rh_threads_error_count(const struct rh_threads_result *result);
// Makes the execution that has covered a pair once more, and shows it: as a finding of the kind and
// sentence of `shown`, if it has one.
void rh_threads_show_pair(const struct rh_threads_test *test,
                          const struct rh_threads_options *options, const struct rh_pair *pair,
                          struct rh_threads_shown *shown);
void rh_threads_result_fini(struct rh_threads_result *result);

// Makes the schedule of a finding.
void rh_threads_schedule(const struct rh_threads_test *test,
                         const struct rh_threads_options *options,
                         const struct rh_threads_shown *shown, struct rh_schedule *schedule);

#endif
