// SPDX-License-Identifier: MIT
// Generated tests for people, and as a file of C.
#ifndef REHEARSE_SYMBOLIC_SHOW_H
#define REHEARSE_SYMBOLIC_SHOW_H

#include "base/text.h"
#include "symbolic/generate.h"

// A table of the tests, what was cut and what could not be followed. `program`: what it is called.
void rh_generate_show(struct rh_text *text, const struct rh_generate_result *result,
                      const struct rh_generate_options *options, const char *program);
// One line about a pair of many, below a head.
void rh_generate_show_head(struct rh_text *text, const char *program);
void rh_generate_show_row(struct rh_text *text, const struct rh_generate_result *result);
// A C file that includes `sources` and has a test for each of the result's that C can express.
// Gives how many that are.
size_t rh_generate_write_c(struct rh_text *text, const struct rh_generate_result *result,
                           const struct rh_generate_options *options, const char *const *sources,
                           size_t source_count);

#endif
