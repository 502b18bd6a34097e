// SPDX-License-Identifier: MIT
// Shrinking: from an execution that shows a finding to the least that does.
//
// If the finding shows in a delivery, the least is a list of deliveries after which the execution
// stops. None of them can be left out, and no two neighbours that are not in sending order can be
// swapped. If the finding shows at the end of an execution, no delivery can be left out: the
// schedule says only what does not happen in sending order, as holds, below the moves up to the
// last outcome, fault or crash that is needed. None of the holds and moves can be left out. In both
// cases every outcome that could be the first is.
#ifndef REHEARSE_EXPLORE_SHRINK_SHRINK_H
#define REHEARSE_EXPLORE_SHRINK_SHRINK_H

#include "explore/shrink/trial.h"

// Nothing is counted in time unless the user has said so: a finding is always shrunk to the same.
struct rh_shrink_budget {
    uint64_t executions; // an execution that hangs counts as rh_hang_cost or more; 0: no bound
    uint64_t deliveries; // 0: no bound
    uint64_t cause;      // executions to look for the cause, beyond `executions`
    double until;        // for shrinking and cause: a time of rh_clock_seconds; 0: no bound
};

// Makes the finding's schedule and trace as small as it can within the budget, and says what the
// cause is. Gives the executions spent, as the budget counts them. A finding that does not show
// when its schedule is run remains as it is. With options->shortest, the execution does not become
// longer. `progress` is shown meanwhile.
uint64_t rh_shrink_finding(const struct rh_job *job, const struct rh_shrink_budget *budget,
                           const struct rh_progress *progress, struct rh_shown *shown);

#endif
