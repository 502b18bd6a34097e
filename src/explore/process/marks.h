// SPDX-License-Identifier: MIT
// Lines that end the execution that comes to them: a breakpoint stands at each address where code
// of such a line begins, in workers alone. So that a line was reached is what the processor says,
// and not what anybody has concluded.
#ifndef REHEARSE_EXPLORE_PROCESS_MARKS_H
#define REHEARSE_EXPLORE_PROCESS_MARKS_H

#include "explore/run.h"

// Puts breakpoints where options->until_file and until_line say; with no file, nowhere.
void rh_marks_set(const struct rh_run_options *options);

// For the handler of SIGTRAP: whether one of these breakpoints has raised the signal. If so, what
// runs when the handler returns reports the line and abandons the program's code.
bool rh_marks_take(void *context);

#endif
