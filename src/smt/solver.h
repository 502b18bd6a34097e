// SPDX-License-Identifier: MIT
// The solver: whether truth values can hold together, and for which values of their variables. It
// asks Z3, and remembers what it has asked. Only z3.c knows Z3.
//
// Invariants:
//  1. "Can't hold" (beside the background) and "can hold" are proved; everything else is "unknown":
//     the query's limit was reached, Z3 gave up or failed. An answer does not depend on time or on
//     earlier queries, but for the values that a model has: same queries in the same order, same
//     models.
//  2. A model makes every condition true: rh_term_value says so of each before the model is given
//     out (a condition that Z3 got wrong is "unknown").
//
// Thread rule: one thread at a time.
#ifndef REHEARSE_SMT_SOLVER_H
#define REHEARSE_SMT_SOLVER_H

#include "smt/term.h"

enum rh_answer {
    RH_CAN_NOT, // no values make all conditions true
    RH_CAN,
    RH_UNKNOWN,
};

struct rh_solver;

struct rh_solver_counts {
    uint64_t queries;  // rh_solver_check
    uint64_t answered; // without Z3: constants, the values at hand, remembered answers
    uint64_t unknown;
    uint64_t work; // of Z3, in its units; what it does without counting is estimated
};

// `limit`: how much work Z3 may spend on one query, in Z3's own units (rlimit); 0: the default.
struct rh_status rh_solver_new(struct rh_terms *terms, uint64_t limit, struct rh_solver **solver);
void rh_solver_free(struct rh_solver *solver);

// Whether all conditions can hold together. `values` are of a model for some of them, or zeros, and
// have room for every variable: on RH_CAN, values of variables that occur in the conditions are
// set such that all hold; others stay. Conditions that share no variables, directly or through
// others, are asked apart.
enum rh_answer rh_solver_check(struct rh_solver *solver, const rh_term *conditions, size_t count,
                               uint64_t *values);
// As rh_solver_check without values; on RH_CAN_NOT `core[i]` says whether condition i is one of
// those that can't hold together.
enum rh_answer rh_solver_core(struct rh_solver *solver, const rh_term *conditions, size_t count,
                              bool *core);

// Conditions that hold beside those of the queries that follow, until others are given: a query is
// refuted if it contradicts them, but values need not make them true. Borrows; none at first.
void rh_solver_background(struct rh_solver *solver, const rh_term *conditions, size_t count);

struct rh_solver_counts rh_solver_counts(const struct rh_solver *solver);
// Writes every query that reaches Z3 as an SMT-LIB file into this directory, with the answer in
// (set-info :status ...): for comparing solvers. NULL: none, as at the beginning. Borrows.
void rh_solver_record(struct rh_solver *solver, const char *directory);

#endif
