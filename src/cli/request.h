// SPDX-License-Identifier: MIT
// How the command tells a test program what to do: the words of a command line in an inherited file
// without a name, whose descriptor is the value of an environment variable. The program's own
// arguments are left alone.
//
// What constructors print must not come between the results. So until the program obeys, standard
// output is standard error, and the variable has, behind a comma, the descriptor of what it was.
//
// The file starts with `?`, the version and a newline; then each word ends in a NUL. The program
// turns the `?` into `!` once it is about to obey, and into its exit status, a digit, once it has
// obeyed. So the command can tell a program that died before or meanwhile, and knows the status
// whatever the program's destructors do.
#ifndef REHEARSE_CLI_REQUEST_H
#define REHEARSE_CLI_REQUEST_H

#include <stdbool.h>

#include "base/status.h"
#include "cli/words.h"
#include "entry/request_variable.h"

// Makes a request; gives its descriptor, which the caller closes and which stays open across exec.
struct rh_status rh_request_make(const struct rh_words *words, int *descriptor);

// Reads the request in `variable`, the value of the environment variable, checks that it is of this
// version, and marks it as answered.
struct rh_status rh_request_read(const char *variable, struct rh_words *words);

bool rh_request_is_answered(int descriptor);

// Leaves the exit status in the request, which `variable` names as above.
void rh_request_finish(const char *variable, int status);

// The exit status that the program has left; -1: none.
int rh_request_status(int descriptor);

// Puts the request into the environment of this process, and so of programs that it executes. With
// `hides_output`, standard output is kept for the results.
void rh_request_export(int descriptor, bool hides_output);
// Standard output is what it was before rh_request_export, or rh_output_hide.
void rh_request_take_output(const char *variable);

#endif
