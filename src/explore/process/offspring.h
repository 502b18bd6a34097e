// SPDX-License-Identifier: MIT
// Workers as process groups. A worker is a group of its own: what its program does to its group
// stays there, and the terminal's signals come to the keeper alone, which stops workers when it is
// stopped (Ctrl-Z) and lets them go on with it. Processes that a worker has started and that
// outlive it end with it: those of its group, and those that have left the group, which become
// children of the keeper.
//
// Thread rule: only the keeper calls these, and a process has one.
#ifndef REHEARSE_EXPLORE_PROCESS_OFFSPRING_H
#define REHEARSE_EXPLORE_PROCESS_OFFSPRING_H

#include <sys/types.h>

// Forks a worker, as fork does.
pid_t rh_offspring_fork(void);
// The worker has ended: ends what it has left.
void rh_offspring_end(pid_t worker);

#endif
