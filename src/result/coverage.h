// SPDX-License-Identifier: MIT
// What cover has reached, and what files of it say together, as data that reports read.
#ifndef REHEARSE_RESULT_COVERAGE_H
#define REHEARSE_RESULT_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/schedule.h"

enum { RH_CRITERIA_MOST = 3 };

struct rh_criterion_figures {
    const char *name;     // "pr", "pbr", "pcr"
    uint64_t covered;     // ordering goals that a run has reached
    uint64_t known;       // and those that could be reached, as far as runs have shown
    uint64_t single_pass; // that were covered when the schedules of the first run had been run
};

struct rh_coverage_figures {
    bool on;
    struct rh_criterion_figures criteria[RH_CRITERIA_MOST]; // in the order of the options
    int count;
    uint64_t sweeps;    // runs that turn as much round as they can, and follow no schedule
    uint64_t schedules; // that were generated and run
    uint64_t single_pass_schedules; // of these, from the first run
    uint64_t infeasible;            // that the program did not follow to the end
    uint64_t useless;               // that it followed, without reaching a new goal
    uint64_t broken_off;            // that an error ended before
};

// Two receives of one actor that have been seen in this order only.
struct rh_pair_review {
    char *first, *second;               // owned; "write from action#1"
    uint32_t first_event, second_event; // their numbers, for who fills this in
    char *reason; // owned; why the other order is impossible; NULL: it is not, or that is not known
    bool has_schedule;           // that leads to the other order
    struct rh_schedule schedule; // owned
    char *schedule_path;         // owned; NULL if it was not saved
};

struct rh_actor_review {
    char *name; // owned
    uint64_t both, one,
        impossible; // pairs of receives: seen in both orders, in one only, of which one must come first
    struct rh_criterion_figures criteria[RH_CRITERIA_MOST];
    RH_VECTOR(struct rh_pair_review) missing;          // the first of those seen in one order only
    RH_VECTOR(struct rh_pair_review) impossible_pairs; // the first of those
};

struct rh_test_review {
    char *program; // owned
    char *test;    // owned
    uint64_t executions;
    struct rh_criterion_figures criteria[RH_CRITERIA_MOST];
    RH_VECTOR(struct rh_actor_review) actors; // those with pairs
};

struct rh_coverage_review {
    RH_VECTOR(struct rh_test_review) tests;
};

void rh_coverage_review_fini(struct rh_coverage_review *review);

// How many of the pr goals of all tests are covered, in percent; 100 if there are none.
double rh_coverage_review_percent(const struct rh_coverage_review *review);

#endif
