// SPDX-License-Identifier: MIT
// When a search is over that has gone round: livelocks in its graph become findings like those of
// the search.
#ifndef REHEARSE_EXPLORE_RUN_FIND_LIVELOCKS_H
#define REHEARSE_EXPLORE_RUN_FIND_LIVELOCKS_H

#include "explore/process/shared.h"

// Leaves a finding for each kind of livelock in job->shared; none if the search has not gone
// round, or has ended for an error. Called in the keeper.
struct rh_status rh_find_livelocks(const struct rh_job *job);

#endif
