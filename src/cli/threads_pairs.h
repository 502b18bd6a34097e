// SPDX-License-Identifier: MIT
// What is said about location pairs, as text.
#ifndef REHEARSE_CLI_THREADS_PAIRS_H
#define REHEARSE_CLI_THREADS_PAIRS_H

#include "debug/debug.h"
#include "result/location_pairs.h"
#include "threads/run.h"

// `saved`: path of each finding's schedule; NULL: it is not saved.
void rh_threads_add_pairs(const struct rh_threads_result *result,
                          const struct rh_threads_options *options, const struct rh_pair_rows *rows,
                          struct rh_debug *debug, char *const *saved, struct rh_text *text);

#endif
