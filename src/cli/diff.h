// SPDX-License-Identifier: MIT
// `diagram --diff OLD`: what tests do that an earlier diagram does not say, in words, and what they
// no longer do.
#ifndef REHEARSE_CLI_DIFF_H
#define REHEARSE_CLI_DIFF_H

#include <rehearse/test.h>

#include "cli/options.h"

// Prints the differences of all tests; gives the exit status: 1 if there are any.
int rh_diff_run(const struct rh_options *options, const struct rh_test *tests, size_t count);

#endif
