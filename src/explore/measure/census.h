// SPDX-License-Identifier: MIT
// How many different ends a search has come to, and in how many really different ways: the distinct
// final states, the final states up to the names of actors, and the classes of executions that
// differ only in the order of deliveries that do not depend on each other.
//
// A search that compares states may leave out a final state in which only names differ from
// another: where one of two messages that are alike lets its receiver create an actor, that actor
// is named after the message.
//
// A census is in memory that outlives the processes that run executions.
#ifndef REHEARSE_EXPLORE_MEASURE_CENSUS_H
#define REHEARSE_EXPLORE_MEASURE_CENSUS_H

#include "explore/dependence/footprint.h"
#include "explore/states/states.h"

struct rh_path;

struct rh_census {
    bool on;
    bool has_forms; // false where names count: an actor that is restarted begins under its name
    struct rh_states finals;
    struct rh_states forms; // final states up to names, addresses and times that nobody looks at
    struct rh_states classes;
    rh_hash128 digest;       // of the set of final states
    rh_hash128 forms_digest; // of the set of forms
};

// false if there is no memory.
bool rh_census_init(struct rh_census *census, bool has_forms);
void rh_census_fini(struct rh_census *census);
void rh_census_reset(struct rh_census *census);

// An execution has come to its end. `touched` says what each of its deliveries has touched.
void rh_census_add(struct rh_census *census, struct rh_world *world, const struct rh_path *path,
                   const struct rh_touched *const *touched, _Atomic uint64_t *beat);

#endif
