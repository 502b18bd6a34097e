// SPDX-License-Identifier: MIT
// `help` and `version`: the same for the command and for a test program.
#ifndef REHEARSE_CLI_ABOUT_H
#define REHEARSE_CLI_ABOUT_H

#include "cli/options.h"

// Whether the user asked for help or for the version. If so, prints it and sets `exit_status`.
bool rh_print_about(const struct rh_options *options, int *exit_status);

#endif
