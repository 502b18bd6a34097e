// SPDX-License-Identifier: MIT
// Words of commands that people are shown, for them to be run as they stand.
#ifndef REHEARSE_BASE_SHELL_WORD_H
#define REHEARSE_BASE_SHELL_WORD_H

#include "base/text.h"

// Adds the word so that a shell reads it back as it is.
void rh_text_add_shell_word(struct rh_text *text, const char *word);
// Adds a blank and the word as an argument of a command: one that begins with a dash is a file, and
// gets a directory in front.
void rh_text_add_argument(struct rh_text *text, const char *word);

#endif
