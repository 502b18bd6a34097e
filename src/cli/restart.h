// SPDX-License-Identifier: MIT
// Executes this program again at addresses that are the same in every run. For programs without
// debug information: the padding of their messages holds what was on the stack, addresses too, and
// reports show the bytes.
#ifndef REHEARSE_CLI_RESTART_H
#define REHEARSE_CLI_RESTART_H

// Executes this program once more with the same arguments, unless it has fixed addresses already.
// Returns if it has them, or can't have them. `request` is the value of the environment variable of
// request.h, or NULL.
void rh_restart(char **arguments, const char *request);

// Takes back what rh_restart has changed in the environment; to be called before anything else.
void rh_restart_finish(void);

#endif
