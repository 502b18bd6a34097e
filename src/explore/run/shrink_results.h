// SPDX-License-Identifier: MIT
// Which findings of a result are shrunk, and how much may be spent on it.
#ifndef REHEARSE_EXPLORE_RUN_SHRINK_RESULTS_H
#define REHEARSE_EXPLORE_RUN_SHRINK_RESULTS_H

#include "explore/shrink/shrink.h"

// Of a search: every error, with options->shrink_executions and shrink_deliveries for each and a few times that for all
// together; with options->max_seconds, in what is left of them since the search `started`, and at least a tenth of them.
// Those for which nothing is left remain as they are, with a note.
void rh_shrink_errors(const struct rh_job *job, double started, struct rh_result *result);

// Of a replay: one finding, which is the only one that is left. Another one may need other deliveries. It is that for
// which the schedule was saved, otherwise the first error, otherwise the first. Time is as for a search.
void rh_shrink_replayed(const struct rh_job *job, double started, struct rh_result *result);

#endif
