// SPDX-License-Identifier: MIT
// One line of the text files that people write for the tool: words stand between blanks, a word in
// double quotes may hold anything, and a `#` at the start of a word begins a comment (so the one in
// account#1 does not). The bytes need not be text at all: these functions trust none of them.
#ifndef REHEARSE_BASE_LINE_H
#define REHEARSE_BASE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

// Walks over the words of a line.
struct rh_line {
    const char *at;
    const char *end;
    struct rh_text word; // the present word, without quotes
    bool quoted;         // whether the word stood in quotes
    const char *fault;   // why rh_line_next gave false, NULL if the line simply ended
};

// Borrows the bytes.
void rh_line_init(struct rh_line *line, const char *bytes, size_t length);
void rh_line_fini(struct rh_line *line);

// Goes to the next word; false if there is none or, with `fault`, if the word is malformed.
bool rh_line_next(struct rh_line *line);

// Takes the rest of the line up to a comment, blanks trimmed, quotes ('...' too) kept as they
// stand.
bool rh_line_rest(struct rh_line *line);

// Takes `{...}` as it stands, nested braces and quotes included. False without `fault` if the next
// word does not begin with a brace; nothing is taken then.
bool rh_line_braces(struct rh_line *line);

// Whether the bytes are a number in digits of this base, 10 or 16, that 64 bits can hold.
bool rh_line_number_of(const char *bytes, size_t length, int base, uint64_t *number);

// Whether the word is an identity: @ and 16 hexadecimal digits.
bool rh_line_identity_of(const char *word, uint64_t *identity);

// Adds a word such that rh_line_next gives it back: in quotes if it needs them.
void rh_text_add_word(struct rh_text *text, const char *word);

// Adds `length` bytes to the present line: what would break the line becomes a blank.
void rh_text_add_line(struct rh_text *text, const char *line, size_t length);

// A short printable excerpt of foreign bytes for a message.
struct rh_excerpt {
    char text[64];
};
struct rh_excerpt rh_excerpt_of(const char *bytes, size_t length);

// Whether the byte would break a line. Bytes of UTF-8 sequences count as text, and so does any
// other byte above 0x7f: file names have them.
static inline bool rh_line_is_control(char c)
{
    unsigned char byte = (unsigned char)c;
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

#endif
