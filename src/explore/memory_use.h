// SPDX-License-Identifier: MIT
// How much memory a search takes, for --max-memory: what the process that runs executions has to itself, and what it
// shares with the others, which holds all that the search remembers.
#ifndef REHEARSE_EXPLORE_MEMORY_USE_H
#define REHEARSE_EXPLORE_MEMORY_USE_H

#include <stdbool.h>
#include <stdint.h>

struct rh_memory_use {
    uint64_t own;    // bytes that are really there
    uint64_t shared; // likewise, of those that this process has used
};

// false if the system does not say.
bool rh_memory_use(struct rh_memory_use *use);

#endif
