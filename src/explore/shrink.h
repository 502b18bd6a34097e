// SPDX-License-Identifier: MIT
// Shrinking: from an execution that shows a finding to the least that does.
//
// If the finding shows in a delivery, that is a list of deliveries after which the execution stops. None of them can be
// left out, and where they are not in sending order that can't be undone for two neighbours. If it shows at the end of
// an execution, nothing can be left out: what is said is only what does not happen in sending order, as holds, below
// the moves up to the last outcome, fault or crash that is needed. None of the holds and moves can be left out. In both
// cases every outcome that could be the first is.
#ifndef REHEARSE_EXPLORE_SHRINK_H
#define REHEARSE_EXPLORE_SHRINK_H

#include "explore/trial.h"

// Makes the finding's schedule and trace as small as it can within the budget of so many executions and deliveries (0:
// no bound), and says what the cause is. A finding that does not show when its schedule is run remains as it is.
void rh_shrink_finding(const struct rh_worker_order *order, uint64_t max_executions,
                       uint64_t max_deliveries, struct rh_finding *finding);

#endif
