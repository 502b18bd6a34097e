// SPDX-License-Identifier: MIT
// The only functions that print. They write with write(2), so that nothing waits in a buffer that a
// forked worker would print a second time.
#ifndef REHEARSE_CLI_OUTPUT_H
#define REHEARSE_CLI_OUTPUT_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"

enum rh_exit {
    RH_EXIT_NOTHING = 0,
    RH_EXIT_FOUND = 1,
    RH_EXIT_BAD_INPUT = 2,
    RH_EXIT_FAILED = 3,
    RH_EXIT_INCONCLUSIVE = 4,
};

// Writes to standard output. A failure (a full disk, a closed pipe) is said on standard error, and the
// exit status becomes RH_EXIT_FAILED: gives false.
bool rh_print(const struct rh_text *text);

// The same, but if whoever read has seen enough it is no failure, nor the end of the process: *has_reader becomes false.
bool rh_print_to_reader(const struct rh_text *text, bool *has_reader);

// Writes to standard error; what fails there has no place to be told.
void rh_print_error_text(const char *text);

// Says "rehearse: TEXT" on standard error; gives the exit status for it.
int rh_print_status(const struct rh_status *status);

// Whether to colour what goes to a descriptor, when the user left it to us.
bool rh_wants_color(int descriptor);

#endif
