// SPDX-License-Identifier: MIT
// Figures of what cover has reached, and of what its files say together, as data that reports read.
#ifndef REHEARSE_RESULT_COVERAGE_H
#define REHEARSE_RESULT_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "result/line_coverage.h"
#include "trace/schedule.h"

enum { RH_CRITERIA_MOST = 3 };

struct rh_criterion_figures {
    const char *name; // "pr", "pbr", "pcr"
    uint64_t covered; // ordering goals that a run has reached
    uint64_t known;   // ordering goals that could be reached, as far as runs have shown
    // Goals that were covered once the schedules of the first run had been run.
    uint64_t single_pass;
};

struct rh_coverage_figures {
    bool on;
    struct rh_criterion_figures criteria[RH_CRITERIA_MOST]; // in the order of the options
    int count;
    struct rh_criterion_figures outcomes, faults; // goals that are no orders; without names
    uint64_t sweeps;    // runs that turn as much round as they can, and follow no schedule
    uint64_t schedules; // schedules that were generated and run
    uint64_t single_pass_schedules; // schedules that were generated from the first run
    uint64_t infeasible;            // schedules that the program did not follow to the end
    uint64_t useless;    // schedules that the program followed without reaching a new goal
    uint64_t broken_off; // schedules that an error ended early
};

// Two receives that have been seen in this order only.
struct rh_pair_review {
    char *first, *second; // owned; "write from action#1", or "write from action#1 at writer#2"
    // Numbers of the two receives, for the one who fills in this struct.
    uint32_t first_event, second_event;
    // Owned; why the other order is impossible, or may be; NULL if no execution shows why.
    char *reason;
    bool has_schedule;           // whether `schedule` leads to the other order
    struct rh_schedule schedule; // owned
    char *schedule_path;         // owned; NULL if the schedule was not saved
};

// Pairs of receives that were seen in one order only, by what is known of the other one.
enum rh_pair_kind {
    RH_PAIR_MISSING, // in some execution neither of both had to come first
    RH_PAIR_FIRST,   // one of both comes first in every execution that has both
    RH_PAIR_UNKNOWN, // one of both had to come first, but perhaps only in executions like those
    RH_PAIR_KINDS
};

struct rh_pair_list {
    uint64_t count;                          // of all pairs
    RH_VECTOR(struct rh_pair_review) listed; // the first of them
};

// Pairs of receives of one actor, or pairs of receives of different actors that touch one object
// besides.
struct rh_actor_review {
    bool is_object;
    char *name;    // owned; "writer#1", or "the invariant one_writer"
    uint64_t both; // pairs that were seen in both orders
    struct rh_pair_list pairs[RH_PAIR_KINDS];
    struct rh_criterion_figures criteria[RH_CRITERIA_MOST];
};

struct rh_test_review {
    char *program; // owned
    char *test;    // owned
    uint64_t executions;
    bool has_goals; // somebody has looked for goals: otherwise there are no figures
    struct rh_criterion_figures criteria[RH_CRITERIA_MOST];
    RH_VECTOR(struct rh_actor_review) actors; // actors that have pairs, and then such objects
};

// What all tests of a program together have reached of its lines and branches.
struct rh_program_review {
    char *program; // owned
    struct rh_line_coverage reached;
};

struct rh_coverage_review {
    RH_VECTOR(struct rh_test_review) tests;
    RH_VECTOR(struct rh_program_review) programs; // of which lines are known
};

void rh_coverage_review_fini(struct rh_coverage_review *review);

// How many of the pr goals of all tests are covered, in percent; 100 if there are none.
double rh_coverage_review_percent(const struct rh_coverage_review *review);

#endif
