// SPDX-License-Identifier: MIT
// Which findings of a result are shrunk, and how much may be spent on shrinking.
#ifndef REHEARSE_EXPLORE_RUN_SHRINK_RESULTS_H
#define REHEARSE_EXPLORE_RUN_SHRINK_RESULTS_H

#include "explore/shrink/shrink.h"

// Shrinks every error of a search, with options->shrink_executions and shrink_deliveries for each
// error and a few times as much for all together; with options->max_seconds, in what is left of
// them since the search `started`, and at least a tenth of them. Errors for which nothing is left
// remain as they are, with a note.
void rh_shrink_errors(const struct rh_job *job, double started, struct rh_result *result);

// Shrinks one finding of a replay, the only one that stays in the result, since another may need
// other deliveries. It is the finding for which the schedule was saved, otherwise the first error,
// otherwise the first. Time is as for a search.
void rh_shrink_replayed(const struct rh_job *job, double started, struct rh_result *result);

#endif
