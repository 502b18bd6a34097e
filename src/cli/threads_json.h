// SPDX-License-Identifier: MIT
// What a search of threads found, as JSON: the same object as that of other searches.
#ifndef REHEARSE_CLI_THREADS_JSON_H
#define REHEARSE_CLI_THREADS_JSON_H

#include "debug/debug.h"
#include "threads/run.h"

struct rh_threads_account {
    const char *verb;
    const struct rh_threads_options *options;
    struct rh_debug *debug;
    double seconds;                   // negative: not told
    char *const *saved;               // path of each finding's schedule; NULL: it is not saved
    const struct rh_pair_rows *pairs; // NULL: they were not looked for
};

// Adds one object and a newline.
void rh_threads_add_json(const struct rh_threads_result *result,
                         const struct rh_threads_account *account, struct rh_text *text);

// What stands around the objects of several tests, which are separated by commas.
void rh_threads_json_begin(const char *program, const char *verb, struct rh_text *text);
void rh_threads_json_end(char *const *not_run, size_t count, struct rh_text *text);
// Puts what was added since `start` further in.
void rh_threads_json_indent(struct rh_text *text, size_t start);

#endif
