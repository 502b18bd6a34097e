// SPDX-License-Identifier: MIT
// Runs one test under a strategy: forks the workers, survives what they do, confirms each finding
// by replaying it in a fresh process, and gives the result as data.
//
// Thread rule: one run at a time in a process. The calling process never runs code of the program
// under test, except in rh_run_here.
#ifndef REHEARSE_EXPLORE_RUN_H
#define REHEARSE_EXPLORE_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <rehearse/adapter.h>
#include <rehearse/test.h>

#include "base/status.h"
#include "debug/debug.h"
#include "result/result.h"
#include "trace/fault.h"
#include "trace/suppression.h"

// Whether a search goes on from a state that it has seen before, and which states are the same.
// exact: every byte is the same, with addresses counting as what they point to. actors: as
// canonical.h says. bitstate: as exact, but only a few bits of a table of fixed size are kept of
// each state, and now and then a new state is taken for one that was seen. depth: as exact, but
// states behind different numbers of deliveries are different, so that in executions of bounded
// length nothing is left out.
enum rh_states_mode {
    RH_STATES_NONE,
    RH_STATES_EXACT,
    RH_STATES_ACTORS,
    RH_STATES_BITSTATE,
    RH_STATES_DEPTH,
};

// Whose messages "dcute" tries first: those of the actor that was created first, of the one created
// last, or of the receiver of the message that was sent first.
enum rh_actor_order { RH_ACTORS_LOW, RH_ACTORS_HIGH, RH_ACTORS_CREATED };

// How much an automatic search tries without comparing states, and how much with comparing them.
enum {
    RH_EXECUTIONS_DEFAULT = 100000,
    RH_DELIVERIES_FIRST = 1000000,
    RH_DELIVERIES_SECOND = 10000000,
};

// How far samples may go from the usual order.
enum { RH_DEPTH_DEFAULT = 3, RH_DEPTH_MOST = 64, RH_DELAYS_DEFAULT = 3, RH_DELAYS_MOST = 1000 };

enum rh_undo { RH_UNDO_ON, RH_UNDO_OFF, RH_UNDO_VERIFY };

struct rh_progress {
    uint64_t executions;
    uint64_t deliveries;
    uint64_t findings;
    uint64_t states; // number of different states; 0 if states are not compared
    double seconds;
    double done; // estimated part of the search that is done, 0 to 1; negative if unknown
    uint64_t goals_covered, goals_known; // of cover; otherwise 0
    // Which finding is being shrunk, from 1, with its trials as `executions`; 0: none.
    uint64_t shrinking;
};

// A handler, or other code of the program, that has been running for some time. Texts are borrowed.
struct rh_suspicion {
    double seconds;
    double more; // seconds that it is given, alone, to come to its end; 0: it is stopped, since the
                 // user has interrupted it or there is no more time
    const char *actor, *message_type; // "" for a test's body and for judges at the end
    const char *file;                 // where it is; NULL: not known
    int line;
    const char *function;
};

struct rh_strategy_ops;
struct rh_traffic_record;
struct rh_lines_record;
struct rh_journal;

struct rh_run_options {
    const char *program;                  // borrowed; for the result
    const char *verb;                     // borrowed; for the result
    const struct rh_adapter_ops *adapter; // borrowed; for the programs of its library
    // "dfs"; "random", "pct", "pos", "delay", "mixed", which take samples; "replay"; the name of
    // own_strategy.
    const char *strategy;
    // The caller's own strategy, borrowed; otherwise NULL.
    const struct rh_strategy_ops *own_strategy;
    // Borrowed; what own_strategy needs besides. Shared by all processes, at one address.
    void *own_memory;
    enum rh_order_rule order_rule;
    enum rh_time time;
    enum rh_environment environment;
    // Faults that an execution may hold; "replay" has those of its schedule.
    struct rh_faults faults;
    uint64_t seed;
    uint64_t random;         // where the random numbers of a program that an adapter runs start
    uint32_t depth;          // only for "pct": 1 to RH_DEPTH_MOST
    uint32_t delays;         // only for "delay": 1 to RH_DELAYS_MOST
    uint64_t max_executions; // stop after so many; 0: no bound. For samples: the number of runs
    uint64_t max_deliveries; // in all executions together; 0: no bound
    uint32_t max_length;     // deliveries in one execution; reaching it is the finding `bound`
    double max_seconds;      // of the search, and of shrinking after it; 0: no bound
    uint64_t max_memory;     // MiB that the search may take; 0: no bound
    bool keep_going;         // go on after a finding
    bool shortest;           // go on for the error with the fewest deliveries
    enum rh_undo undo;
    enum rh_states_mode states; // only for "dfs"
    bool states_full;           // keep whole states, and fail if fingerprints are not enough
    const char *reduction;      // only for "dfs": "none", "source", "optimal" or "dcute"
    // With "optimal": leave out known states if the search finds no end. See rh_run_test.
    bool automatic;
    // With `automatic`: if the search is not over soon, take samples as well. See run/portfolio.h.
    bool portfolio;
    // What the strategy "cover" would do with the test, for the portfolio; NULL: it is left out.
    struct rh_status (*cover)(const struct rh_run_options *options, const struct rh_test *test,
                              struct rh_result *result);
    bool begins; // with `automatic`: a bound on executions or deliveries ends the search
    // The search ends if more than `far` executions are expected; asked after so many, and whenever
    // there are twice as many again. 0: it goes on.
    uint32_t looks_ahead;
    double far;
    enum rh_actor_order actor_order; // only for "dcute"
    bool commuting;                  // leave out orders of deliveries to one actor that commute
    bool unfair;                     // report livelocks that are not fair too
    // Shrink the schedules of errors, or the one that is replayed, to the least that shows the
    // finding.
    bool shrink;
    uint64_t shrink_executions;        // bound on shrinking a finding; 0: no bound
    uint64_t shrink_deliveries;        // bound on shrinking a finding; 0: no bound
    bool lenient;                      // only for "replay": leave out steps that can't be made
    bool census;                       // count distinct final states and classes of executions
    struct rh_traffic_record *traffic; // borrowed; where traffic is written down; may be NULL
    struct rh_lines_record *lines;     // borrowed; where lines and branches are; may be NULL
    struct rh_journal *journal;        // borrowed; where executions are; may be NULL
    bool trace_states;                 // record the state at handler entry and exit
    uint32_t hang_ms;                  // suspect a hang after so long without a delivery
    bool stops_at_hang; // the first suspected hang ends the search: nobody waits for another
    // Steps for "replay"; inputs for every strategy. May be NULL.
    const struct rh_schedule *schedule;
    // The schedule is the order that the test gives: a step that can't be made is a finding.
    bool is_order;
    // A schedule that the program can't follow is no failure: the result says why.
    bool tells_refusal;
    const struct rh_suppressions *suppressions; // may be NULL
    // Names of libraries, separated by commas, of whose data each actor has its own version. May be
    // NULL.
    const char *private_libraries;
    // Code of this line ends its execution, with the finding `reached`. NULL: no line does.
    const char *until_file;
    uint32_t until_line;
    uint32_t fail_on;       // bit 1 << kind: this kind is an error
    uint32_t warn_on;       // bit 1 << kind: this kind is a warning, unless it is in fail_on
    bool output;            // what the program prints goes to our standard error
    bool shared_files;      // executions change files in place, and not in a copy
    struct rh_debug *debug; // borrowed
    const volatile sig_atomic_t *interrupted; // becomes non-zero on Ctrl-C; may be NULL
    // Called a few times a second; may be NULL.
    void (*progress)(void *context, const struct rh_progress *progress);
    void *progress_context;
    // Called when a finding is confirmed, while the search goes on; may be NULL. The finding is
    // borrowed; it may be confirmed again with another path, shrunk, or left out of the result.
    void (*found)(void *context, struct rh_shown *shown);
    void *found_context;
    // Called when a handler is suspected to hang, before it is given more time to be sure, and when
    // one is stopped that has been running for some time; may be NULL.
    void (*suspects)(void *context, const struct rh_suspicion *suspicion);
    void *suspects_context;
};

// Fills in everything with the defaults that the documentation names.
void rh_run_options_init(struct rh_run_options *options);

// Runs the test. An automatic search that has not come to an end after RH_EXECUTIONS_DEFAULT
// executions or RH_DELIVERIES_FIRST deliveries, or that has met an execution longer than
// max_length, begins again with states "exact" and the reduction "source". The findings carry
// schedule, trace and captured output; schedule_path is left to the caller. A status other than
// RH_OK means that the tool failed or that the schedule could not be followed (RH_BAD_INPUT, with
// the schedule's line and what was pending instead). If something was found before the tool failed,
// the result is there nevertheless; otherwise its test is NULL.
struct rh_status rh_run_test(const struct rh_run_options *options, const struct rh_test *test,
                             struct rh_result *result);

// For debuggers: follows options->schedule in this very process, without fork and without catching
// signals, and calls rh_debug_stop_here(number, code address) before each delivery is handed to
// its handler. Ends the process with _exit(1) after a finding, _exit(0) otherwise.
void rh_run_here(const struct rh_run_options *options, const struct rh_test *test);

// A place for breakpoints: delivery `number` is about to run at `entry`, the first instruction of
// the handler, or the one after the rh_ask it waits in.
void rh_debug_stop_here(unsigned number, const void *entry);

// All tests of this program, made by RH_TEST: how many, and in source order. The caller frees the
// array.
size_t rh_test_count(void);
const struct rh_test **rh_test_list(void);

// Whether the debug information has the fields of all messages of this program. Where it has not,
// padding counts.
bool rh_run_knows_types(struct rh_debug *debug, const struct rh_adapter_ops *adapter);

// Whether the program lies at the same addresses in every run.
bool rh_run_has_fixed_addresses(void);

// Start-up check: a sanitizer that can't work here; two tests of one name; orders of tests that
// can't be read; two sources that disagree on the size of a message type.
struct rh_status rh_check_program(void);

#endif
