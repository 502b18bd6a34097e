// SPDX-License-Identifier: MIT
// Constructors of the executable of a program under control. They are the program's code, which the
// keeper runs none of: where the tool runs instead of main, they are put off, and run in a worker,
// as the beginning of the test's body, or of main where the program keeps its state itself. So each
// of them may crash, exit, hang, print or change files, as a body may, and time and random numbers
// are the same for all workers. Constructors of libraries have run before anything here can.
//
// Destructors run only where the program keeps its state itself: other executions do not come to
// the end of their process.
#ifndef REHEARSE_ENTRY_CONSTRUCTORS_H
#define REHEARSE_ENTRY_CONSTRUCTORS_H

#include <stdbool.h>

// What libc calls in the place of the constructors, which puts them off. In an executable that has
// this library in it, our own come first, and those with which compilers prepare what they have
// added to watch a program: these run.
void rh_constructors_put_off(int argc, char **argv, char **environment);
// Whether there are some that were put off and have not run yet.
bool rh_constructors_are_due(void);
// Runs them.
void rh_constructors_run(void);

#endif
