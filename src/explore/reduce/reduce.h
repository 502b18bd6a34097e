// SPDX-License-Identifier: MIT
// Searches that run one execution for each class of equivalent ones, or not many more.
//
// Two deliveries depend on each other if both touch an object, usually the receiver, and not both
// only read it (touched.h). Executions that differ only in the order of deliveries that do not
// depend on each other are of one class: they end in the same state and show the same findings. The
// reductions look at the executions that were run for pairs of deliveries that depend on each other
// and could as well have come in the other order (races), and run executions that begin with the
// other order.
//
// Invariants:
//  1. points[0 .. length) are those of the present execution; point d is the state before its
//     delivery d + 1.
//  2. The sleep set of a point holds deliveries such that everything that begins with one of them
//     there has been run, or is of a class that has been.
//  3. Where faults may come, each point in the end has a delivery asleep that holds no fault and
//     goes on, unless none such can begin there. Faults are few: what a delivery with a fault, or a
//     crash, leaves no room for can't be seen behind it to race with it, but behind a delivery
//     without a fault everything can that could begin here. Such a delivery is never tried in vain:
//     where only faults are asleep, an execution without any is of none of their classes. For the
//     same reason it depends on the faults that are left whether all outcomes of a delivery are
//     asleep.
//  4. All memory is shared and survives the worker that runs the executions.
#ifndef REHEARSE_EXPLORE_REDUCE_REDUCE_H
#define REHEARSE_EXPLORE_REDUCE_REDUCE_H

#include "explore/strategy/strategy.h"

extern const struct rh_strategy_ops rh_strategy_source;
extern const struct rh_strategy_ops rh_strategy_optimal;

#endif
