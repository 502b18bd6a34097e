// SPDX-License-Identifier: MIT
// Between the files of the executable that looks at bitcode.
#ifndef REHEARSE_CLI_ANALYSIS_H
#define REHEARSE_CLI_ANALYSIS_H

#include "bitcode/module.h"
#include "cli/options.h"
#include "result/generated.h"

// The file's name as the user gave it.
static inline const char *rh_analysis_name(const struct rh_options *options, size_t index)
{
    return index < options->names.count ? options->names.items[index]
                                        : options->operands.items[index];
}

// Does what `generate` was asked for with the program.
struct rh_status rh_analysis_generate(const struct rh_options *options,
                                      const struct rh_ir_module *module, int *exit_status);

// Does what `diagram --abstract` was asked for.
struct rh_status rh_sketch_check_options(const struct rh_options *options);
struct rh_status rh_analysis_sketch(const struct rh_options *options,
                                    const struct rh_ir_module *module);

// Does what `reach` was asked for.
struct rh_status rh_analysis_reach(const struct rh_options *options,
                                   const struct rh_ir_module *module, int *exit_status);

// Runs the tests in the world, all in one process, and notes how each has ended. Does nothing where
// the command has made no program that could be run.
struct rh_status rh_analysis_confirm(const struct rh_options *options,
                                     struct rh_generate_result *result);

// Leaves the fewest tests that reach what all of them have reached when they were run.
void rh_analysis_keep_fewest(struct rh_generate_result *result);

// Runs the command with these words, of which the first is its path, and adds what it prints to
// `output`; its messages are dropped. Gives its exit status; -1: it could not be run.
int rh_analysis_run(const struct rh_words *words, struct rh_text *output);

#endif
