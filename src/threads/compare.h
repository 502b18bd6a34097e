// SPDX-License-Identifier: MIT
// Compares the execution that was made last: with all orders of whole operations, or, if the
// component says where its operations commit, with the order of these commits.
#ifndef REHEARSE_THREADS_COMPARE_H
#define REHEARSE_THREADS_COMPARE_H

#include "threads/commit_order.h"
#include "threads/engine.h"

// What comparing has shown.
struct rh_compared {
    enum rh_explained explained;      // with all orders
    int order;                        // of these, the one that comes nearest; -1: none
    struct rh_commit_verdict verdict; // with that of commits
    struct rh_view view;              // of the specification
    bool is_undecided;
    bool is_refused;                   // the engine says why
    bool has_finding;                  // the specification itself has failed
    struct rh_threads_finding finding; // how
};

void rh__compare_start(const struct rh_component *component);
// Whether executions are compared in the order of commits.
bool rh__compares_commits(void);
void rh__compare(enum rh_outcome outcome, struct rh_compared *compared);
// The same of operations that commit as the account has it, which lies outside of the history.
void rh__compare_account(const struct rh_account *account, struct rh_compared *compared);
// Whether it shows a violation.
bool rh__compared_is_wrong(const struct rh_compared *compared);
// Whether both show the same.
bool rh__compared_is_same(const struct rh_compared *one, const struct rh_compared *other);

#endif
