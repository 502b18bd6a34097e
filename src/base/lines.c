// SPDX-License-Identifier: MIT
#include "base/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rh_lines_init(struct rh_lines *lines, const char *path, const char *bytes, size_t length)
{
    *lines = (struct rh_lines){.path = path, .at = bytes, .end = bytes + length, .status = rh_ok()};
}

void rh_lines_fini(struct rh_lines *lines)
{
    rh_line_fini(&lines->line);
}

// What is wrong with the present line as such, or NULL if it is fine.
static const char *fault_of(const struct rh_lines *lines)
{
    if (lines->length > RH_LINE_MOST)
        return "the line is longer than 1 MB";
    for (size_t i = 0; i < lines->length; i++) {
        if (rh_line_is_control(lines->bytes[i]))
            return lines->bytes[i] ? "the line holds a control character"
                                   : "the line holds a NUL byte";
    }
    return NULL;
}

bool rh_lines_next(struct rh_lines *lines)
{
    if (lines->at == lines->end)
        return false;
    size_t left = (size_t)(lines->end - lines->at);
    const char *newline = memchr(lines->at, '\n', left);
    lines->bytes = lines->at;
    lines->length = newline ? (size_t)(newline - lines->at) : left;
    lines->at = newline ? newline + 1 : lines->end;
    lines->number++;
    if (lines->length && lines->bytes[lines->length - 1] == '\r')
        lines->length--;
    rh_line_fini(&lines->line);
    rh_line_init(&lines->line, lines->bytes, lines->length);
    lines->line.fault = fault_of(lines);
    return true;
}

const char *rh_lines_word(const struct rh_lines *lines)
{
    return rh_text_get(&lines->line.word);
}

struct rh_excerpt rh_lines_excerpt(const struct rh_lines *lines)
{
    return rh_excerpt_of(rh_lines_word(lines), lines->line.word.length);
}

bool rh_lines_fail(struct rh_lines *lines, const char *format, ...)
{
    char text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lines->status = rh_bad_input("%s:%d: %s", lines->path, lines->number ? lines->number : 1, text);
    return false;
}
