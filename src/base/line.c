// SPDX-License-Identifier: MIT
#include "base/line.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void rh_line_init(struct rh_line *line, const char *bytes, size_t length)
{
    *line = (struct rh_line){.at = bytes, .end = bytes + length};
}

void rh_line_fini(struct rh_line *line)
{
    rh_text_fini(&line->word);
}

static bool skip_blanks(struct rh_line *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    return line->at < line->end && *line->at != '#';
}

static bool fail(struct rh_line *line, const char *fault)
{
    line->fault = fault;
    return false;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Reads \xHH after the x. A NUL can't be part of a word.
static bool add_hex_escape(struct rh_line *line)
{
    int high = line->end - line->at >= 2 ? hex_value(line->at[0]) : -1;
    int low = high >= 0 ? hex_value(line->at[1]) : -1;
    if (low < 0 || high * 16 + low == 0)
        return fail(line, "\\x is followed by two hexadecimal digits other than 00");
    char byte = (char)(high * 16 + low);
    rh_text_add_bytes(&line->word, &byte, 1);
    line->at += 2;
    return true;
}

static bool add_escape(struct rh_line *line)
{
    if (line->at == line->end)
        return fail(line, "a quoted word does not end on its line");
    char kind = *line->at++;
    switch (kind) {
    case '"':
    case '\\':
        rh_text_add_bytes(&line->word, &kind, 1);
        return true;
    case 'x':
        return add_hex_escape(line);
    default:
        return fail(line, "in a quoted word \\ is followed by \", \\ or x and two digits");
    }
}

static bool read_quoted(struct rh_line *line)
{
    line->quoted = true;
    for (line->at++; line->at < line->end;) {
        char c = *line->at++;
        if (c == '"') {
            if (line->at < line->end && !is_blank(*line->at))
                return fail(line, "a quoted word is not followed by a blank");
            return true;
        }
        if (c != '\\')
            rh_text_add_bytes(&line->word, &c, 1);
        else if (!add_escape(line))
            return false;
    }
    return fail(line, "a quoted word does not end on its line");
}

bool rh_line_next(struct rh_line *line)
{
    rh_text_clear(&line->word);
    line->quoted = false;
    if (line->fault || !skip_blanks(line))
        return false;
    if (*line->at == '"')
        return read_quoted(line);
    const char *start = line->at;
    for (; line->at < line->end && !is_blank(*line->at); line->at++) {
        if (*line->at == '"')
            return fail(line, "a quote stands in the middle of a word");
    }
    rh_text_add_bytes(&line->word, start, (size_t)(line->at - start));
    return true;
}

// Goes over '...' or "..." in a value, escapes included; false if the quote does not end on the
// line.
static bool skip_quotes(struct rh_line *line)
{
    char quote = *line->at++;
    for (; line->at < line->end; line->at++) {
        if (*line->at == '\\' && line->at + 1 < line->end)
            line->at++;
        else if (*line->at == quote)
            return true;
    }
    return fail(line, "a quote is opened and not closed on its line");
}

bool rh_line_rest(struct rh_line *line)
{
    rh_text_clear(&line->word);
    if (line->fault || !skip_blanks(line))
        return false;
    const char *start = line->at;
    const char *last = start;
    for (; line->at < line->end; line->at++) {
        if (*line->at == '#' && is_blank(line->at[-1]))
            break;
        if ((*line->at == '"' || *line->at == '\'') && !skip_quotes(line))
            return false;
        if (!is_blank(*line->at))
            last = line->at + 1;
    }
    rh_text_add_bytes(&line->word, start, (size_t)(last - start));
    return true;
}

bool rh_line_braces(struct rh_line *line)
{
    rh_text_clear(&line->word);
    line->quoted = false;
    if (line->fault || !skip_blanks(line) || *line->at != '{')
        return false;
    const char *start = line->at;
    size_t depth = 0;
    for (; line->at < line->end; line->at++) {
        if ((*line->at == '"' || *line->at == '\'') && !skip_quotes(line))
            return false;
        depth += *line->at == '{';
        if (*line->at == '}' && --depth == 0)
            break;
    }
    if (line->at == line->end)
        return fail(line, "a brace is opened and not closed on its line");
    line->at++;
    if (line->at < line->end && !is_blank(*line->at))
        return fail(line, "a closing brace is not followed by a blank");
    rh_text_add_bytes(&line->word, start, (size_t)(line->at - start));
    return true;
}

static bool needs_quotes(const char *word)
{
    if (*word == '\0' || *word == '#' || *word == '@')
        return true;
    for (; *word; word++) {
        if (is_blank(*word) || rh_line_is_control(*word) || *word == '"')
            return true;
    }
    return false;
}

void rh_text_add_word(struct rh_text *text, const char *word)
{
    if (!needs_quotes(word)) {
        rh_text_add(text, word);
        return;
    }
    rh_text_add(text, "\"");
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            rh_text_addf(text, "\\%c", *word);
        else if (rh_line_is_control(*word))
            rh_text_addf(text, "\\x%02x", (unsigned)*word);
        else
            rh_text_add_bytes(text, word, 1);
    }
    rh_text_add(text, "\"");
}

void rh_text_add_line(struct rh_text *text, const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        rh_text_add_bytes(text, rh_line_is_control(line[i]) ? " " : &line[i], 1);
}

static int digit_of(char c, int base)
{
    int digit = hex_value(c);
    return digit < base ? digit : -1;
}

bool rh_line_number_of(const char *bytes, size_t length, int base, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        int digit = digit_of(bytes[i], base);
        if (digit < 0 || *number > (UINT64_MAX - (unsigned)digit) / (unsigned)base)
            return false;
        *number = *number * (unsigned)base + (unsigned)digit;
    }
    return length > 0;
}

bool rh_line_identity_of(const char *word, uint64_t *identity)
{
    return word[0] == '@' && strlen(word) == 17 && rh_line_number_of(word + 1, 16, 16, identity);
}

struct rh_excerpt rh_excerpt_of(const char *bytes, size_t length)
{
    struct rh_excerpt excerpt;
    size_t room = sizeof excerpt.text - sizeof "...";
    size_t shown = length < room ? length : room;
    for (size_t i = 0; i < shown; i++)
        excerpt.text[i] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? bytes[i] : '?';
    strcpy(excerpt.text + shown, shown < length ? "..." : "");
    return excerpt;
}
