// SPDX-License-Identifier: MIT
// --shortest: which deliveries of an execution an error needs.
//
// A delivery depends on the one that sent its message, and on earlier ones by what both touch
// (touched.h). Deliveries that it does not depend on can be left out: the others, in the same
// order, are an execution of their own, and end in the same delivery with the same outcome. So a
// reduced search, which runs one order of each class, knows the shortest way to each delivery that
// fails although it may have taken a longer one.
#ifndef REHEARSE_EXPLORE_REDUCE_SHORTEST_H
#define REHEARSE_EXPLORE_REDUCE_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/touched.h"

struct rh_decision;

// What an error is known to need of the first `length` decisions of a path.
struct rh_needs {
    bool all;                         // every delivery
    bool is_unknown;                  // nobody knows whether all deliveries are needed
    uint32_t sent_at, also_sent_at;   // these deliveries besides the last one; 0: none
    const struct rh_touched *touched; // all deliveries that depend on this set
};

// Marks the decisions that are needed: those of needed deliveries with their choices, and the test
// body's. Gives how many of them are deliveries.
uint32_t rh_shortest_mark(struct rh_decision *decisions, uint32_t length,
                          const struct rh_needs *needs);

// Moves the needed decisions to `to`, which has room for all. Gives their number.
uint32_t rh_shortest_take(const struct rh_decision *decisions, uint32_t length,
                          struct rh_decision *to);

#endif
