// SPDX-License-Identifier: MIT
// Lines and words of the text files that people write for the tool: words stand between blanks, a
// word in double quotes may hold anything, and a `#` at the start of a word begins a comment (so
// the one in account#1 does not). The bytes need not be text at all: these functions trust none of
// them.
#ifndef REHEARSE_TRACE_WORDS_H
#define REHEARSE_TRACE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

// The most bytes that one line may have; a file with longer lines is of another kind.
#define RH__LINE_LIMIT ((size_t)1 << 20)

// Walks over lines. They end in \n or \r\n, the last one may end without.
struct rh__lines {
    const char *at;
    const char *end;
    int number;       // of the present line; 0 before the first
    const char *line; // the present line, borrowed, without its end
    size_t length;
};

// Goes to the next line; false after the last.
bool rh__lines_next(struct rh__lines *lines);

// What is wrong with the present line as such (it holds bytes that are not text, it is too long),
// or NULL if it is fine.
const char *rh__lines_fault(const struct rh__lines *lines);

// Walks over the words of one line.
struct rh__words {
    const char *at;
    const char *end;
    struct rh_text word; // the present word, without quotes
    bool quoted;         // whether the word stood in quotes
    const char *fault;   // why rh__words_next gave false, NULL if the line simply ended
};

void rh__words_init(struct rh__words *words, const char *line, size_t length);
void rh__words_fini(struct rh__words *words);

// Goes to the next word; false if there is none or, with `fault`, if the word is malformed.
bool rh__words_next(struct rh__words *words);

// Takes the rest of the line up to a comment, blanks trimmed, quotes ('...' too) kept as they
// stand.
bool rh__words_rest(struct rh__words *words);

// Takes `{...}` as it stands, nested braces and quotes included. False without `fault` if the next
// word does not begin with a brace; nothing is taken then.
bool rh__words_braces(struct rh__words *words);

// Adds a word such that rh__words_next gives it back: in quotes if it needs them.
void rh__words_add(struct rh_text *text, const char *word);

// Adds `length` bytes to the present line: what would break the line becomes a blank.
void rh__words_add_line(struct rh_text *text, const char *line, size_t length);

// A short printable excerpt of foreign bytes for a message.
struct rh__excerpt {
    char text[64];
};
struct rh__excerpt rh__excerpt_of(const char *bytes, size_t length);

#endif
