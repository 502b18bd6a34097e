// SPDX-License-Identifier: MIT
// What a test program does: the verbs, run on its own tests.
#ifndef REHEARSE_CLI_RUNNER_H
#define REHEARSE_CLI_RUNNER_H

// Runs the request in the environment. `argv` are the program's own arguments. Gives the exit status.
int rh__request_main(int argc, char **argv);

#endif
