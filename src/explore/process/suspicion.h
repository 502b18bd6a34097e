// SPDX-License-Identifier: MIT
// What a worker does that has come no further for a while, as the worker tells when it is asked.
#ifndef REHEARSE_EXPLORE_PROCESS_SUSPICION_H
#define REHEARSE_EXPLORE_PROCESS_SUSPICION_H

#include "explore/process/shared.h"

// Tells the user, if anybody listens, what the worker was doing whose last words are in the shared
// memory, for so many seconds; see rh_suspicion. Says nothing of a worker that was not running the
// program's code.
void rh_suspicion_tell(const struct rh_run_options *options, const struct rh_shared *shared,
                       double seconds, double more);

#endif
