// SPDX-License-Identifier: MIT
// Sets of objects (see footprint.h), each kept once and known by its number; 0 is the empty one. In memory that outlives
// the processes that run executions.
#ifndef REHEARSE_EXPLORE_DEPENDENCE_OBJECTS_H
#define REHEARSE_EXPLORE_DEPENDENCE_OBJECTS_H

#include "explore/dependence/lists.h"

// Lists of two words are objects, and sets are lists of the numbers of those in ascending order.
struct rh_objects {
    struct rh_lists lists;
};

// false if the memory is not to be had.
bool rh_objects_init(struct rh_objects *objects);
void rh_objects_fini(struct rh_objects *objects);

// Sets. RH_NO_LIST if there is no room for another, or one of those given is that.
uint32_t rh_objects_one(struct rh_objects *objects, uint64_t object);
uint32_t rh_objects_union(struct rh_objects *objects, uint32_t first, uint32_t second);

uint32_t rh_objects_count(const struct rh_objects *objects, uint32_t set);
uint64_t rh_objects_get(const struct rh_objects *objects, uint32_t set, uint32_t index);

#endif
