// SPDX-License-Identifier: MIT
// What explore does if it is not told: a search that is over soon is all; a longer one is joined by
// samples, since what a search of all orders comes to late, samples often come to at once.
#ifndef REHEARSE_EXPLORE_RUN_PORTFOLIO_H
#define REHEARSE_EXPLORE_RUN_PORTFOLIO_H

#include "explore/run.h"

// Like rh_run_test, with options->portfolio: the beginning of the search; if that has no end,
// samples; the search as it would be without them; and if that gives up, more samples.
struct rh_status rh_portfolio_run(const struct rh_run_options *options, const struct rh_test *test,
                                  struct rh_result *result);

#endif
