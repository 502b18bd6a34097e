// SPDX-License-Identifier: MIT
// The verb `coverage`, and the files that it reads.
#ifndef REHEARSE_CLI_COVERAGE_H
#define REHEARSE_CLI_COVERAGE_H

#include "cli/options.h"

// Reads the files that the operands name, and prints what they say. Gives the exit status.
int rh_coverage_run(const struct rh_options *options);

// Adds the part of a test to what will be a coverage file.
void rh_coverage_add(struct rh_text *file, const struct rh_options *options,
                     const struct rh_cover *cover, const struct rh_result *result);

#endif
