// SPDX-License-Identifier: MIT
// Ctrl-C: the first one asks the search to stop and to keep what it has found; a second one ends
// the process.
#ifndef REHEARSE_CLI_INTERRUPT_H
#define REHEARSE_CLI_INTERRUPT_H

#include <signal.h>

// From here on SIGINT, SIGTERM and SIGHUP set the flag instead of ending the process.
void rh_interrupt_catch(void);

// The flag: 0, or the number of the signal.
const volatile sig_atomic_t *rh_interrupt_flag(void);

#endif
