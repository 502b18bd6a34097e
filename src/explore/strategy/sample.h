// SPDX-License-Identifier: MIT
// Shared by the strategies that take samples: random, pct, pos and delay. Each execution has a
// stream of random numbers of its own, so that it does not matter which process ran earlier
// executions.
#ifndef REHEARSE_EXPLORE_STRATEGY_SAMPLE_H
#define REHEARSE_EXPLORE_STRATEGY_SAMPLE_H

#include "base/rng.h"
#include "explore/strategy/strategy.h"

struct rh_sample {
    struct rh_rng rng;
    uint64_t seed;
    uint32_t reached; // deliveries of the present execution
    uint32_t longest; // deliveries of the longest execution before the present one
};

void rh_sample_init(struct rh_sample *sample, uint64_t seed);
// An execution has ended; `executions` have ended by now.
void rh_sample_next(struct rh_sample *sample, struct rh_path *path, uint64_t executions);

// A stretch of the ways that there are at a point.
struct rh_stretch {
    uint32_t first, end;
};

// Decides whether a fault strikes at this point: gives the ways that are left.
struct rh_stretch rh_sample_ways(struct rh_sample *sample, const struct rh_choice_point *point);

// One of the ways, each equally likely.
uint32_t rh_sample_uniform(struct rh_sample *sample, struct rh_stretch ways);

// How many deliveries, which are the first ways, a strategy has to decide between by anything but
// chance. 0 if there are none: then *way is the way to go.
uint32_t rh_sample_deliveries(struct rh_sample *sample, const struct rh_choice_point *point,
                              uint32_t *way);

// How much less likely an execution is because a fault has struck, or has not, where one could.
double rh_sample_fault_weight(const struct rh_choice_point *point, struct rh_stretch ways);

#endif
