// SPDX-License-Identifier: MIT
// The ways in which the actors of a test work together.
#ifndef REHEARSE_CLI_PATTERNS_H
#define REHEARSE_CLI_PATTERNS_H

#include <rehearse/test.h>

#include "cli/options.h"

// diagram --patterns, for each of the tests; gives the exit status.
int rh_patterns_run(const struct rh_options *options, const struct rh_test *tests, size_t count);

#endif
