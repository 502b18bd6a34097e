// SPDX-License-Identifier: MIT
// Bounds on a search that are looked at before each new delivery.
//
// Memory counts as far as it is really there, of the process that runs executions: its own, and the
// memory that it shares with the others, which holds all that the search remembers. The tables of
// states count in full, also the part that an earlier process has filled and this one has not used
// yet.
#ifndef REHEARSE_EXPLORE_PROCESS_BUDGET_H
#define REHEARSE_EXPLORE_PROCESS_BUDGET_H

#include <stdbool.h>

#include "explore/process/shared.h"

// Says why the search stops. Gives true.
bool rh_budget_stop(struct rh_shared *shared, enum rh_stop reason);

// Whether there may be no further delivery; then says why.
bool rh__budget_is_reached(struct rh_shared *shared, const struct rh_run_options *options);
static inline bool rh_budget_is_reached(struct rh_shared *shared,
                                        const struct rh_run_options *options)
{
    return (options->max_deliveries > 0 || options->max_memory > 0) &&
           rh__budget_is_reached(shared, options);
}

#endif
