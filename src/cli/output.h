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

// Writes to standard output. Reports a failure (a full disk, a closed pipe) on standard error and
// gives false; the caller's exit status is then RH_EXIT_FAILED.
bool rh_print(const struct rh_text *text);

// Writes to standard output like rh_print, but a reader who has gone away is no failure, and
// SIGPIPE does not end the process: *has_reader becomes false.
bool rh_print_to_reader(const struct rh_text *text, bool *has_reader);

// Makes standard output standard error, for code that must not print between results. Gives a
// descriptor of what it was, which stays open across exec; -1 if that is not possible.
int rh_output_hide(void);
// Takes the descriptor, and undoes that.
void rh_output_show(int descriptor);

// Writes to standard error; a failure to do so can't be reported anywhere.
void rh_print_error_text(const char *text);

// Prints "rehearse: TEXT" on standard error; gives the exit status for it.
int rh_print_status(const struct rh_status *status);

// Whether to colour what goes to a descriptor, if the user has not said.
bool rh_wants_color(int descriptor);

#endif
