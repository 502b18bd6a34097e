// SPDX-License-Identifier: MIT
// What a test program does: the verbs, run on its own tests.
#ifndef REHEARSE_CLI_RUNNER_H
#define REHEARSE_CLI_RUNNER_H

// Runs the request in the environment. `argv` are the program's own arguments. Gives the exit status.
int rh__request_main(int argc, char **argv);

// rh_test_main for a program without a main of its own: nothing of the program has run, so it may be executed once more.
int rh__library_main(int argc, char **argv);

#endif
