// SPDX-License-Identifier: MIT
// What is said while a search goes on: the live line on a terminal (executions, rate, findings, how
// much is left), and what does not come to its end.
#ifndef REHEARSE_CLI_PROGRESS_H
#define REHEARSE_CLI_PROGRESS_H

#include <stdbool.h>

#include "explore/run.h"

struct rh_progress_line {
    const char *test;        // borrowed
    uint64_t max_executions; // 0: no bound
    bool is_shown;           // something stands on the terminal's line
};

// Whether there is a terminal to show progress on.
bool rh_progress_has_terminal(void);

// For rh_run_options.progress; `context` is a struct rh_progress_line.
void rh_progress_show(void *context, const struct rh_progress *progress);

// For rh_run_options.suspects; `context` is a struct rh_progress_line. Says on standard error what
// does not come to its end, or what was stopped.
void rh_progress_suspect(void *context, const struct rh_suspicion *suspicion);

// Empties the terminal's line again.
void rh_progress_clear(struct rh_progress_line *line);

// Adds the words of the line, at most `width` columns.
void rh_progress_add(struct rh_text *text, const struct rh_progress_line *line,
                     const struct rh_progress *progress, int width);

#endif
