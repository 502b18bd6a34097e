// SPDX-License-Identifier: MIT
// Lists of outcomes of rh_choose, each kept once and known by its number: equal lists have equal numbers.
// In memory that outlives the processes that run executions.
#ifndef REHEARSE_EXPLORE_OUTCOMES_H
#define REHEARSE_EXPLORE_OUTCOMES_H

#include <stdbool.h>
#include <stdint.h>

#define RH_NO_OUTCOMES UINT32_MAX

struct rh_outcomes {
    uint32_t *words; // lists: a length and as many values, one after the other
    uint32_t *table; // open addressing: index in words plus 1
    uint32_t top;
    uint32_t count;
};

// false if the memory is not to be had.
bool rh_outcomes_init(struct rh_outcomes *outcomes);
void rh_outcomes_fini(struct rh_outcomes *outcomes);

// The number of a list. RH_NO_OUTCOMES if there is no room for another.
uint32_t rh_outcomes_add(struct rh_outcomes *outcomes, const uint32_t *values, uint32_t count);

// A value of a list; 0 behind its end.
uint32_t rh_outcomes_get(const struct rh_outcomes *outcomes, uint32_t list, uint32_t position);

#endif
