// SPDX-License-Identifier: MIT
// Test programs are executed at addresses that are the same in every run, with all symbols bound:
// what a program has not set, such as padding or a field that it forgot, is what was on the stack
// or in a register, and that is addresses as often as not.
#ifndef REHEARSE_CLI_RESTART_H
#define REHEARSE_CLI_RESTART_H

// Changes this process such that a program that it executes has fixed addresses. Does nothing where
// the system does not allow it.
void rh_restart_prepare(void);

// Executes this program once more with the same arguments, unless it has fixed addresses already.
// Returns if it has them, with the environment as it was before rh_restart_prepare, or can't have
// them.
void rh_restart(char **arguments);

#endif
