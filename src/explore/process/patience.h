// SPDX-License-Identifier: MIT
// How much of its time a process has used up. While the process computes, the processor's time
// counts, so that nothing looks like a hang on a machine on which others are busy. While all its
// threads wait, which may be for ever, the clock counts.
#ifndef REHEARSE_EXPLORE_PROCESS_PATIENCE_H
#define REHEARSE_EXPLORE_PROCESS_PATIENCE_H

#include <sys/types.h>

struct rh_patience {
    pid_t process;
    double longest; // seconds that may count at one look: whoever looks may have been kept from it
    double clock, computed; // seconds, at the last look
};

void rh_patience_begin(struct rh_patience *patience, pid_t process, double longest);
// The seconds since the last look that count.
double rh_patience_look(struct rh_patience *patience);
// A thread of the process that has a processor, or would have one if others did not: the first one
// that the process has started, its own if that is one. 0 if all threads wait.
pid_t rh_patience_find_running(pid_t process);

#endif
