// SPDX-License-Identifier: MIT
// What `diagram` says of single arrows: which executions show them, where and when they are sent.
#ifndef REHEARSE_CLI_WHY_H
#define REHEARSE_CLI_WHY_H

#include "cli/subject.h"
#include "diagram/notes.h"

// --why, for each of the tests; gives the exit status.
int rh_why_run(const struct rh_options *options, const struct rh_test *tests, size_t count);

// --where, as lines of comments.
void rh_notes_print(const struct rh_notes *notes, struct rh_text *text);

#endif
