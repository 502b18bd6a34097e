// SPDX-License-Identifier: MIT
// What the keeper makes of the leads that workers leave.
#ifndef REHEARSE_EXPLORE_RUN_FOUND_H
#define REHEARSE_EXPLORE_RUN_FOUND_H

#include "explore/run/run_state.h"

// An execution is over, and the next has not begun: confirms what it has found first, and tells
// whoever asked for the run. A search that nobody waits for in that way confirms everything at its
// end.
void rh_run_take_news(struct rh_run *run);

// The search is over: gives all findings, confirmed and shrunk.
void rh_run_take_findings(struct rh_run *run, struct rh_result *result);

void rh_run_forget_found(struct rh_run *run);

#endif
