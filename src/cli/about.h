// SPDX-License-Identifier: MIT
// `help` and `version`: the same for the command and for a test program.
#ifndef REHEARSE_CLI_ABOUT_H
#define REHEARSE_CLI_ABOUT_H

#include "cli/options.h"

// Whether the user asked for help or for the version. Then it is printed, and `exit_status` set.
bool rh_print_about(const struct rh_options *options, int *exit_status);

#endif
