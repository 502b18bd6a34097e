// SPDX-License-Identifier: MIT
// What a search for location pairs ends with: rows, hints that are contradicted, and the pair that
// the user wants to see.
#ifndef REHEARSE_CLI_THREADS_PAIRS_H
#define REHEARSE_CLI_THREADS_PAIRS_H

#include "debug/debug.h"
#include "result/location_pairs.h"
#include "threads/pairs_rows.h"
#include "threads/run.h"

struct rh_threads_pairs {
    const char *hints_path; // NULL: there are no hints
    struct rh_pair_hints hints;
    uint64_t target; // row that is shown; 0: none
    struct rh_pair_rows rows;
    struct rh_threads_shown shown; // of the target
    char *saved;                   // path of the target's schedule; owned
};

// Reads the hints.
struct rh_status rh_threads_pairs_start(struct rh_threads_pairs *pairs);
// Makes the rows of a test, and adds what contradicts hints to the findings.
struct rh_status rh_threads_pairs_finish(struct rh_threads_pairs *pairs,
                                         const struct rh_threads_test *test,
                                         const struct rh_threads_options *options,
                                         struct rh_debug *debug, struct rh_threads_result *result);
// `saved`: path of each finding's schedule; NULL: it is not saved.
void rh_threads_pairs_print(const struct rh_threads_pairs *pairs,
                            const struct rh_threads_result *result,
                            const struct rh_threads_options *options, struct rh_debug *debug,
                            char *const *saved, struct rh_text *text);
// How many there are, as one line.
void rh_threads_pairs_count(const struct rh_threads_pairs *pairs,
                            const struct rh_threads_options *options, struct rh_text *text);
void rh_threads_pairs_fini(struct rh_threads_pairs *pairs);

#endif
