// SPDX-License-Identifier: MIT
// Shared by the strategies that take samples: random, pct, pos, delay, and mixed, which has these
// take turns. Each execution has a stream of random numbers of its own, so that it does not matter
// which process ran earlier executions.
#ifndef REHEARSE_EXPLORE_STRATEGY_SAMPLE_H
#define REHEARSE_EXPLORE_STRATEGY_SAMPLE_H

#include "base/rng.h"
#include "explore/strategy/strategy.h"

// How likely timers are beside messages. On a machine most timers are for what rarely happens, and
// a test in which they are as likely as messages does little else. RARE: a timer goes behind all
// messages but once in RH_TIMER_ONE_IN times. EVEN: like any message. STRICT: all go behind all
// messages, the one that is due first before the others, as under --time strict.
enum rh_sample_timers { RH_TIMERS_RARE, RH_TIMERS_EVEN, RH_TIMERS_STRICT };
enum { RH_TIMER_ONE_IN = 10 };

// The beginning of the memory of each of these strategies.
struct rh_sample {
    struct rh_rng rng;
    uint64_t seed;
    uint32_t reached; // deliveries of the present execution
    uint32_t longest; // deliveries of the longest execution before the present one
    uint32_t depth;   // of pct
    uint32_t delays;  // of delay
    enum rh_sample_timers timers;
};

// What the memory of one of these strategies fits into.
enum { RH_SAMPLE_ROOM = 28 << 10, RH_SAMPLE_SMALL_ROOM = 256 };

void rh_sample_init(struct rh_sample *sample, const struct rh_run_options *options);
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

// Whether and how far the message goes behind others: of two messages the one with the smaller rank
// comes first. 0 for all but timers. `luck` is a random number of this message.
uint64_t rh_sample_rank(const struct rh_sample *sample, const struct rh_message *message,
                        uint64_t luck);

// How much less likely an execution is because a fault has struck, or has not, where one could.
double rh_sample_fault_weight(const struct rh_choice_point *point, struct rh_stretch ways);

#endif
