// SPDX-License-Identifier: MIT
// A process for the program under test, beside one that never runs its code: whatever the program
// does to its process, what was found is reported, and other tests go on.
#ifndef REHEARSE_CLI_THREADS_KEEPER_H
#define REHEARSE_CLI_THREADS_KEEPER_H

#include <stdbool.h>

#include "base/status.h"

struct rh_threads_end {
    int status; // that the work has given
    int signal; // that has killed the process; 0: none
};

// Runs the work in a process of its own, on an engine that is empty and that both see. An
// interrupt, by a signal or the terminal, is noted in the engine and lets the work come to its end;
// the second one kills it.
struct rh_status rh_threads_keep(int (*work)(void *context), void *context,
                                 struct rh_threads_end *end);

// Whether the user wants no more.
bool rh_threads_is_interrupted(void);

#endif
