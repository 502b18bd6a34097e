// SPDX-License-Identifier: MIT
// How many different ends a search has come to, and in how many really different ways: the distinct final states, and
// the classes of executions that differ only in the order of deliveries that do not depend on each other.
// In memory that outlives the processes that run executions.
#ifndef REHEARSE_EXPLORE_CENSUS_H
#define REHEARSE_EXPLORE_CENSUS_H

#include "explore/footprint.h"
#include "explore/states.h"

struct rh_path;

struct rh_census {
    bool on;
    struct rh_states finals;
    struct rh_states classes;
    rh_hash128 digest; // of the set of final states
};

// false if the memory is not to be had.
bool rh_census_init(struct rh_census *census);
void rh_census_fini(struct rh_census *census);
void rh_census_reset(struct rh_census *census);

// An execution has come to its end. `objects` are what its deliveries touched.
void rh_census_add(struct rh_census *census, struct rh_world *world, const struct rh_path *path,
                   const uint64_t *objects, _Atomic uint64_t *beat);

#endif
