// SPDX-License-Identifier: MIT
// The parts of which a written value is made: words, numbers, characters, strings. The first
// mistake in the text sets the status, with the column and what stands there.
#ifndef REHEARSE_DEBUG_SCAN_H
#define REHEARSE_DEBUG_SCAN_H

#include "debug/internal.h"

struct rh__scan {
    const char *text;
    const char *at;
    struct rh_status status;
    const struct rh_debug_addresses *addresses; // NULL: names of actors are refused
};

// A word; borrows from the text.
struct rh__word {
    const char *start;
    size_t length;
};

struct rh__whole {
    rh__uint128 magnitude;
    bool is_negative;
};

// Says in the status what is wrong; a second refusal does not replace the first. Always gives
// false, for callers to return.
bool rh__scan_refuse(struct rh__scan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void rh__scan_skip_space(struct rh__scan *scan);
char rh__scan_peek(struct rh__scan *scan);
// Skips space and takes the symbol if it stands there.
bool rh__scan_take(struct rh__scan *scan, const char *symbol);
bool rh__scan_take_word(struct rh__scan *scan, const char *word);
bool rh__scan_is_word(struct rh__scan *scan);
struct rh__word rh__scan_word(struct rh__scan *scan);
bool rh__word_is(struct rh__word word, const char *text);

// A whole number as C writes it (-3, 0x1f, 0b101, 017) or a character ('x').
bool rh__scan_whole(struct rh__scan *scan, struct rh__whole *whole);
bool rh__scan_float(struct rh__scan *scan, long double *value);
// A text in quotes: adds what is between the quotes, with its escapes resolved.
bool rh__scan_string(struct rh__scan *scan, struct rh_text *text);
// The name of an actor, which may be in quotes. Adds nothing if there is no name.
bool rh__scan_name(struct rh__scan *scan, struct rh_text *text);

#endif
