// SPDX-License-Identifier: MIT
// Conditions under which a test that has passed was not tried, and --thorough, which tries them.
#ifndef REHEARSE_CLI_THOROUGH_H
#define REHEARSE_CLI_THOROUGH_H

#include "cli/options.h"

enum { RH_CONDITIONS_MOST = 8 };

// The options that would try what was not tried, as a user writes them. Gives how many.
size_t rh_thorough_untried(const struct rh_run_options *run,
                           const char *conditions[RH_CONDITIONS_MOST]);

// Sets what such an option says.
void rh_thorough_set(struct rh_run_options *run, const char *condition);

#endif
