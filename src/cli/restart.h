// SPDX-License-Identifier: MIT
// Running this program again at addresses that are the same in every run. For programs without debug information:
// the padding of their messages holds what was on the stack, addresses among it, and its bytes are shown.
#ifndef REHEARSE_CLI_RESTART_H
#define REHEARSE_CLI_RESTART_H

// Executes this program once more with the same arguments, unless it has fixed addresses already. Returns if that is
// done, or not possible. `request` is what the environment said (see request.h), or NULL.
void rh_restart(char **arguments, const char *request);

// Takes back what rh_restart changed in the environment; called first of all.
void rh_restart_finish(void);

#endif
