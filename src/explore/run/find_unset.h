// SPDX-License-Identifier: MIT
// Looks for fields of messages and states that nobody has set, when a search is over: one execution
// is repeated, or made in sending order, with other bytes where nothing was set (world/unset.h).
#ifndef REHEARSE_EXPLORE_RUN_FIND_UNSET_H
#define REHEARSE_EXPLORE_RUN_FIND_UNSET_H

#include "explore/process/shared.h"

// Adds what is found to the leads. If something goes wrong with these bytes that the search has not
// found with others, it is an error, whatever --warn-on says.
struct rh_status rh_find_unset(const struct rh_job *job);

#endif
