// SPDX-License-Identifier: MIT
// How many executions a search is going to have, estimated from the part that is over.
//
// At each point of the present execution some branches are over, one is being searched, and some
// are left. All branches of a point are taken to weigh the same, which gives the part of the whole
// that is over, and with the executions so far the number of all: the weighted backtrack estimator
// of P. Kilby, J. Slaney, S. Thiébaux and T. Walsh ("Estimating Search Tree Size", AAAI 2006).
// After one execution the estimate is the one that D. E. Knuth makes from one path ("Estimating the
// Efficiency of Backtrack Programs", 1975).
#ifndef REHEARSE_EXPLORE_STRATEGY_ESTIMATE_H
#define REHEARSE_EXPLORE_STRATEGY_ESTIMATE_H

#include "explore/strategy/strategy.h"

struct rh_branches {
    uint32_t done;
    double total; // with the branches that are to be expected
};

// The branches at decision number `index` of the path, or at the point that follows the last
// decision. false if there are none. May be called by the keeper while a worker goes on with the
// search.
typedef bool rh_branches_of(const void *memory, const struct rh_path *path, uint32_t index,
                            struct rh_branches *branches);

// For strategies whose branches are just the ways that there are.
rh_branches_of rh_branches_of_decision;

// Larger estimates are not told apart.
#define RH_ESTIMATE_MOST 1e300

// The number of all executions, when so many are over; 0 if nothing is known yet.
double rh_estimate(rh_branches_of *branches_of, const void *memory, const struct rh_path *path,
                   uint64_t executions);

#endif
