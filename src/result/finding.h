// SPDX-License-Identifier: MIT
// Findings, and the result of a run: data that strategies fill in and reports read.
#ifndef REHEARSE_RESULT_FINDING_H
#define REHEARSE_RESULT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "result/coverage.h"
#include "result/event.h"
#include "trace/finding_kind.h"
#include "trace/schedule.h"

struct rh_finding {
    enum rh_finding_kind kind;
    enum rh_severity severity; // after --fail-on
    char *message;             // owned; one sentence
    char *file;                // owned; NULL if unknown
    int line;
    char *actor;        // owned; short name; NULL if it concerns no single actor
    char *behaviour;    // owned; NULL likewise
    char *message_type; // owned; NULL likewise
    uint64_t count;     // how many times this kind showed at this place
    struct {
        uint32_t start;  // deliveries before the state that comes back
        uint32_t length; // deliveries from there to where it does; 0: this is no livelock
        bool unfair;     // a message could be delivered all the way round, and is not
    } lap;
    size_t steps; // deliveries in the schedule, and holds
    struct {
        size_t from;         // deliveries in the schedule before it was shrunk; 0: it was not
        uint64_t executions; // that this took
        bool is_least;       // no budget has ended it
        char *cause;         // owned; one sentence; NULL if it was not shrunk
    } shrunk;
    struct rh_schedule schedule;
    char *schedule_path;   // owned; NULL if it was not saved
    struct rh_trace trace; // of the confirming replay
    struct rh_text output; // what the program printed in it, the last 64 KB
};

// A digest as text: 32 digits.
enum { RH_DIGEST_SIZE = 33 };

enum rh_verdict { RH_VERDICT_HOLDS, RH_VERDICT_VIOLATED, RH_VERDICT_UNKNOWN };

// What one verb found out about one test.
struct rh_result {
    const char *program; // borrowed
    const char *test;    // borrowed
    const char *verb;
    const char *strategy;  // "dfs", "random", "pct", "pos", "delay", "cover", "replay"
    const char *reduction; // "none"
    enum rh_order_rule delivery;
    enum rh_environment environment;
    struct rh_faults faults; // that an execution could hold
    uint64_t seed;
    bool complete;          // every execution was tried
    const char *stopped_by; // "", "finding", "executions", "seconds", "interrupt", ...
    uint64_t executions;
    uint64_t deliveries;
    double expected_executions; // of all that there are, about; 0 if that is not known
    uint64_t states;
    bool compares_states; // states is the number of different ones
    bool omits_states;    // some may have been taken for others
    bool omits_outcomes;  // of the program's library, which a note names
    struct {
        bool on;
        uint64_t final_states; // different ones
        uint64_t classes;      // of executions that differ only in the order of what is independent
        uint64_t
            given_up; // executions that made deliveries of their own and led only to what was known
        char digest[RH_DIGEST_SIZE];       // of the set of final states
        char forms_digest[RH_DIGEST_SIZE]; // the same, up to the names of actors; "": not known
    } census;
    double seconds;
    struct rh_coverage_figures coverage; // of cover
    RH_VECTOR(struct rh_finding) findings;
    struct rh_trace trace;   // replay: of the one execution
    struct rh_text output;   // replay: what the program printed
    RH_VECTOR(char *) notes; // owned; things said once, such as "re-executed after fopen"
};

void rh_finding_fini(struct rh_finding *finding);
// What the schedule was saved for: of its kind, and at its line if there is one, for lines move when a program is changed.
// NULL if there is none.
struct rh_finding *rh_result_find(const struct rh_result *result,
                                  const struct rh_schedule *schedule);
void rh_result_fini(struct rh_result *result);
size_t rh_result_errors(const struct rh_result *result);

#endif
