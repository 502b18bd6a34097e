// SPDX-License-Identifier: MIT
// The verb `coverage`, and reading and writing coverage files.
#ifndef REHEARSE_CLI_COVERAGE_H
#define REHEARSE_CLI_COVERAGE_H

#include "cli/options.h"
#include "cover/coverage_file.h"
#include "explore/measure/traffic.h"
#include "lines/record.h"

// Reads the files that the operands name, and prints what they say. Gives the exit status.
int rh_coverage_run(const struct rh_options *options);

// Reads coverage files into a set.
struct rh_status rh_coverage_read_all(struct rh_coverage_set *set, const char *const *paths,
                                      size_t count);

// Opens a record of lines and branches for this program; refuses a program without hooks.
struct rh_status rh_coverage_open_lines(const struct rh_options *options,
                                        struct rh_lines_record **lines);

// Adds what was reached to a file of outcomes, as two lines that begin with the name: numbers of
// lines, and of ways of branches, counted over all sources.
void rh_coverage_add_reached(struct rh_text *text, const struct rh_lines_record *lines,
                             const char *name, int length);

// Adds the part of a test to what will be a coverage file. `cover` is NULL if the search had no
// goals.
void rh_coverage_add(struct rh_text *file, const struct rh_options *options,
                     const struct rh_run_options *run, const struct rh_cover *cover,
                     struct rh_result *result);

#endif
