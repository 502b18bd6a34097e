// SPDX-License-Identifier: MIT
// Lists of numbers, such as the outcomes of rh_choose, each kept once and known by a number: equal
// lists have equal numbers. In memory that outlives the processes that run executions.
#ifndef REHEARSE_REDUCE_LISTS_H
#define REHEARSE_REDUCE_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/table.h"

struct rh_lists {
    uint32_t *words; // lists: a length and as many values, one after the other
    uint32_t top;    // how many words are in use
    struct rh_store store;
    struct rh_table table; // in the store: indexes in words
};

// false if there is no memory.
bool rh_lists_init(struct rh_lists *lists);
void rh_lists_fini(struct rh_lists *lists);

// The number of a list. RH_NONE if there is no room for another.
uint32_t rh_lists_add(struct rh_lists *lists, const uint32_t *values, uint32_t count);

static inline uint32_t rh_lists_length(const struct rh_lists *lists, uint32_t list)
{
    return lists->words[list];
}

// A value of a list; 0 behind its end.
uint32_t rh_lists_get(const struct rh_lists *lists, uint32_t list, uint32_t position);

#endif
