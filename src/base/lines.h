// SPDX-License-Identifier: MIT
// Reads files of lines: schedules, suppressions, coverage. It knows where it is, so that whatever
// is wrong is said with file and line. Lines end in \n or \r\n, the last one may end without.
#ifndef REHEARSE_BASE_LINES_H
#define REHEARSE_BASE_LINES_H

#include "base/line.h"
#include "base/status.h"

// The most bytes that one line may have; a file with longer lines is of another kind.
#define RH_LINE_MOST ((size_t)1 << 20)

struct rh_lines {
    const char *path; // borrowed; the name of the file, for messages
    const char *at;
    const char *end;
    int number;        // of the present line; 0 before the first
    const char *bytes; // the present line, borrowed, without its end
    size_t length;
    struct rh_line line;     // words of the present line
    struct rh_status status; // what rh_lines_fail was told
};

// Borrows the name and the bytes of the file.
void rh_lines_init(struct rh_lines *lines, const char *path, const char *bytes, size_t length);
void rh_lines_fini(struct rh_lines *lines);

// Goes to the next line; false after the last. `fault` of the line says what is wrong with the line
// as such: it holds bytes that are not text, or is too long. Such a line has no words.
bool rh_lines_next(struct rh_lines *lines);

// The present word. Borrows.
const char *rh_lines_word(const struct rh_lines *lines);
struct rh_excerpt rh_lines_excerpt(const struct rh_lines *lines);

// Notes what is wrong at the present line, with the names of file and line in front. Gives false,
// for parsers to return.
bool rh_lines_fail(struct rh_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
