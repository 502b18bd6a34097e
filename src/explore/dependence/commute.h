// SPDX-License-Identifier: MIT
// Deliveries to one actor that may come in any order without a difference, found out by trying.
//
// A set of messages to one actor commutes in a state if, whichever of them have been delivered
// there and in whatever order, each one does the same: it sends the same and creates the same,
// nothing is found, and the state that follows depends only on which were delivered. Every subset
// is tried once, so a set of n takes n * 2^(n-1) deliveries instead of the n! orders that need not
// be run.
#ifndef REHEARSE_EXPLORE_DEPENDENCE_COMMUTE_H
#define REHEARSE_EXPLORE_DEPENDENCE_COMMUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/store.h"
#include "base/table.h"
#include "world/world.h"

enum { RH_COMMUTING_MOST = 10, RH_COMMUTE_PAIRS = 1024, RH_TRYING_GUARD = 1 };

// In memory that outlives the processes that run executions.
struct rh_commute {
    bool on;
    uint64_t trying;   // key of the pair that is being tried, or RH_TRYING_GUARD; 0: none
    bool failed;       // the trial found something, or can't be taken back
    bool asks_no_more; // a process has died in a guard that was asked about an earlier state
    uint32_t pair_count;
    struct rh_commute_pair {
        uint64_t key; // behaviour and types
        uint32_t failures;
    } pairs[RH_COMMUTE_PAIRS];
    struct rh_table table; // in the store: places in `pairs`
    struct rh_store store;
};

// false if there is no memory.
bool rh_commute_init(struct rh_commute *commute);
void rh_commute_fini(struct rh_commute *commute);

// Of these messages, all deliverable and to one actor, finds some that commute with the first and
// with each other. Gives their number and puts them in front. The world is as before.
uint32_t rh_commute_find(struct rh_commute *commute, struct rh_world *world, uint32_t *messages,
                         uint32_t count);

// The process died in a trial: the pair that was tried is not tried again, or guards are not asked
// again.
void rh_commute_forbid(struct rh_commute *commute);

#endif
