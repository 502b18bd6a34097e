// SPDX-License-Identifier: MIT
// The verbs `diagram`, which infers what the system of a test does, and `conform`, which compares
// that with a diagram in a file.
#ifndef REHEARSE_CLI_DIAGRAM_H
#define REHEARSE_CLI_DIAGRAM_H

#include <rehearse/test.h>

#include "cli/options.h"
#include "diagram/diagram.h"

// Takes the file of `conform` from the operands, and reads it.
struct rh_status rh_conform_read(struct rh_options *options, struct rh_diagram_file *file);

// Each runs tests and prints what is to be said of them; gives the exit status.
int rh_diagram_run(const struct rh_options *options, const struct rh_test *tests, size_t count);
int rh_conform_run(const struct rh_options *options, const struct rh_diagram_file *file,
                   const struct rh_test *tests, size_t count);
// Makes the sketch of --from tighter for each test.
int rh_tighten_run(const struct rh_options *options, const struct rh_test *tests, size_t count);
// Says whether the execution of a journal keeps to the diagram.
int rh_conform_follow(const struct rh_options *options, const struct rh_diagram_file *file,
                      const struct rh_journal *journal);

#endif
