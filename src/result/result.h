// SPDX-License-Identifier: MIT
// The result of a run: data that strategies fill in and reports read.
#ifndef REHEARSE_RESULT_RESULT_H
#define REHEARSE_RESULT_RESULT_H

#include "base/text.h"
#include "result/coverage.h"
#include "result/finding.h"
#include "result/location_pairs.h"
#include "result/stop.h"

// A finding with the execution that shows it.
struct rh_shown {
    struct rh_finding finding;
    size_t steps; // deliveries in the schedule, and holds
    struct {
        size_t from; // deliveries in the schedule before shrinking; 0: the finding was not shrunk
        uint64_t executions; // executions that shrinking took
        bool is_done;        // shrinking came to its end: no budget has ended it
        bool is_least;       // a search by length has found nothing smaller
        char *cause;         // owned; one sentence; NULL if the finding was not shrunk
    } shrunk;
    struct rh_schedule schedule;
    char *schedule_path;           // owned; NULL if the schedule was not saved
    struct rh_execution execution; // of the execution that confirmed the finding; empty in a replay
    struct rh_text output; // what the program printed in the confirming replay, the last 64 KB
};

// What was spent on something.
struct rh_spent {
    uint64_t executions, deliveries;
};

// What the parts of a result were spent on, in order. None: there was only one.
enum { RH_PARTS_MOST = 6 };
struct rh_parts {
    uint32_t count;
    struct rh_part {
        const char *name; // "search" or "samples"
        uint64_t executions, deliveries;
    } items[RH_PARTS_MOST];
};

// A digest as text: 32 digits.
enum { RH_DIGEST_SIZE = 33 };

enum rh_verdict { RH_VERDICT_HOLDS, RH_VERDICT_VIOLATED, RH_VERDICT_UNKNOWN };

// What one verb found out about one test.
struct rh_result {
    const char *program; // borrowed
    const char *test;    // borrowed
    const char *verb;
    const char *condition; // borrowed; the option that --thorough has added; NULL: none
    const char
        *strategy; // "dfs", "random", "pct", "pos", "delay", "mixed", "cover", "replay", "order"
    const char *reduction; // "none"
    enum rh_order_rule delivery;
    enum rh_environment environment;
    struct rh_faults faults; // faults that an execution could hold
    uint64_t seed;
    bool complete;    // every execution was tried
    bool is_in_order; // the test gives its order: there was one execution
    bool came_to_end; // nothing has ended the run, or its last execution, early
    enum rh_stop stopped_by;
    // Of the part of the search that gave this result; and of those before it, after which the
    // search started again since it had learned something.
    uint64_t executions;
    uint64_t deliveries;
    struct rh_spent earlier;
    struct rh_parts parts;      // see rh_run_options.portfolio
    double expected_executions; // estimated number of all executions that there are; 0 if unknown
    uint64_t states;
    bool compares_states; // `states` is the number of different states
    bool omits_states;    // some states may have been taken for others
    bool omits_outcomes;  // outcomes of the program's library are left out; a note names them
    struct {
        bool on;
        uint64_t final_states; // number of different ones
        // Classes of executions that differ only in the order of independent deliveries.
        uint64_t classes;
        // Executions that made deliveries of their own and led only to known states or classes.
        uint64_t given_up;
        char digest[RH_DIGEST_SIZE]; // of the set of final states
        // Of the set of final states up to names of actors; "": not known.
        char forms_digest[RH_DIGEST_SIZE];
    } census;
    double seconds;
    enum rh_verdict verdict;             // see rh_result_judge
    struct rh_coverage_figures coverage; // of cover
    RH_VECTOR(struct rh_shown) findings;
    char *refusal; // owned; why the schedule can't be made any more; NULL: that was not asked
    struct rh_execution execution;    // of replay: the one execution
    struct rh_text output;            // of replay: what the program printed
    RH_VECTOR(char *) notes;          // owned; things said once, such as "re-executed after fopen"
    const struct rh_pair_rows *pairs; // of pairs, borrowed; NULL: they were not looked for
};

void rh_shown_fini(struct rh_shown *shown);
// The finding that the schedule was saved for: one of its kind, and if possible at its line, for
// lines move when a program is changed. NULL if there is none.
struct rh_shown *rh_result_find(const struct rh_result *result, const struct rh_schedule *schedule);
// The first error; the first finding if there is none; NULL if nothing was found.
const struct rh_shown *rh_result_main(const struct rh_result *result);
void rh_result_fini(struct rh_result *result);
size_t rh_result_errors(const struct rh_result *result);
// What the result says about the test: unknown unless an error was found, or every order was tried,
// or the one that the test gives.
enum rh_verdict rh_result_judge(const struct rh_result *result);

#endif
