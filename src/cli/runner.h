// SPDX-License-Identifier: MIT
// What a test program does: it runs the verbs on its own tests.
#ifndef REHEARSE_CLI_RUNNER_H
#define REHEARSE_CLI_RUNNER_H

#include <rehearse/test.h>

// The program's own main as a test: up to rh_run or rh_start, whose setup is the end of the test's
// body. NULL if the program has no main of its own.
const struct rh_test *rh_main_test(void);

// Serves the request in the environment. `argv` are the program's own arguments. Gives the exit
// status.
int rh__request_main(int argc, char **argv);

// rh_test_main for a program without a main of its own: none of its code has run, so it may be
// executed once more.
int rh__library_main(int argc, char **argv);

#endif
