// SPDX-License-Identifier: MIT
// The component itself as the specification: its test is run with whole operations, in one order.
// What that gives is kept in a tree, so that each order is run once, and executions whose
// operations commit in the same order cost no run.
#ifndef REHEARSE_THREADS_SERIAL_TREE_H
#define REHEARSE_THREADS_SERIAL_TREE_H

#include "threads/commit_order.h"

struct rh_threads_test;

extern const struct rh_specification rh__serial_tree;

void rh__serial_tree_start(const struct rh_component *component);
// Forgets all orders; they are of this test from now on.
void rh__serial_tree_use(const struct rh_threads_test *test);
// The view behind the steps that were made, and which steps these were.
void rh__serial_tree_view(struct rh_view *view);

#endif
