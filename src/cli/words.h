// SPDX-License-Identifier: MIT
// Words on a command line: splitting a string as a shell would, and guessing what was meant.
#ifndef REHEARSE_CLI_WORDS_H
#define REHEARSE_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vector.h"

struct rh_words {
    char **items; // owned strings
    size_t count;
    size_t capacity;
};

// Adds the words of `text`: split at blanks; quotes and backslashes as in a shell, nothing
// expanded. Gives false if a quote is not closed.
bool rh_words_split(struct rh_words *words, const char *text);
void rh_words_add(struct rh_words *words, const char *word);
void rh_words_addf(struct rh_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void rh_words_fini(struct rh_words *words);

// The words as exec wants them, with NULL at the end. The caller frees the array, which borrows the
// strings.
char **rh_words_arguments(const struct rh_words *words);

// The candidate most like `word`, or NULL if none is near enough to be meant. Borrows.
const char *rh_words_nearest(const char *word, const char *const *candidates, size_t count);

#endif
