// SPDX-License-Identifier: MIT
#include "trace/words.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

// Bytes of UTF-8 sequences count as text, and so does any other byte above 0x7f: file names have
// them.
static bool is_control(char c)
{
    unsigned char byte = (unsigned char)c;
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

bool rh__lines_next(struct rh__lines *lines)
{
    if (lines->at == lines->end)
        return false;
    size_t left = (size_t)(lines->end - lines->at);
    const char *newline = memchr(lines->at, '\n', left);
    lines->line = lines->at;
    lines->length = newline ? (size_t)(newline - lines->at) : left;
    lines->at = newline ? newline + 1 : lines->end;
    lines->number++;
    if (lines->length && lines->line[lines->length - 1] == '\r')
        lines->length--;
    return true;
}

const char *rh__lines_fault(const struct rh__lines *lines)
{
    if (lines->length > RH__LINE_LIMIT)
        return "the line is longer than 1 MB";
    for (size_t i = 0; i < lines->length; i++) {
        if (is_control(lines->line[i]))
            return lines->line[i] ? "the line holds a control character"
                                  : "the line holds a NUL byte";
    }
    return NULL;
}

void rh__words_init(struct rh__words *words, const char *line, size_t length)
{
    *words = (struct rh__words){.at = line, .end = line + length};
}

void rh__words_fini(struct rh__words *words)
{
    rh_text_fini(&words->word);
}

static bool skip_blanks(struct rh__words *words)
{
    while (words->at < words->end && is_blank(*words->at))
        words->at++;
    return words->at < words->end && *words->at != '#';
}

static bool fail(struct rh__words *words, const char *fault)
{
    words->fault = fault;
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
static bool add_hex_escape(struct rh__words *words)
{
    int high = words->end - words->at >= 2 ? hex_value(words->at[0]) : -1;
    int low = high >= 0 ? hex_value(words->at[1]) : -1;
    if (low < 0 || high * 16 + low == 0)
        return fail(words, "\\x is followed by two hexadecimal digits other than 00");
    char byte = (char)(high * 16 + low);
    rh_text_add_bytes(&words->word, &byte, 1);
    words->at += 2;
    return true;
}

static bool add_escape(struct rh__words *words)
{
    if (words->at == words->end)
        return fail(words, "a quoted word does not end on its line");
    char kind = *words->at++;
    switch (kind) {
    case '"':
    case '\\':
        rh_text_add_bytes(&words->word, &kind, 1);
        return true;
    case 'x':
        return add_hex_escape(words);
    default:
        return fail(words, "in a quoted word \\ is followed by \", \\ or x and two digits");
    }
}

static bool read_quoted(struct rh__words *words)
{
    words->quoted = true;
    for (words->at++; words->at < words->end;) {
        char c = *words->at++;
        if (c == '"') {
            if (words->at < words->end && !is_blank(*words->at))
                return fail(words, "a quoted word is not followed by a blank");
            return true;
        }
        if (c != '\\')
            rh_text_add_bytes(&words->word, &c, 1);
        else if (!add_escape(words))
            return false;
    }
    return fail(words, "a quoted word does not end on its line");
}

bool rh__words_next(struct rh__words *words)
{
    rh_text_clear(&words->word);
    words->quoted = false;
    if (words->fault || !skip_blanks(words))
        return false;
    if (*words->at == '"')
        return read_quoted(words);
    const char *start = words->at;
    for (; words->at < words->end && !is_blank(*words->at); words->at++) {
        if (*words->at == '"')
            return fail(words, "a quote stands in the middle of a word");
    }
    rh_text_add_bytes(&words->word, start, (size_t)(words->at - start));
    return true;
}

// Goes over '...' or "..." in a value, escapes included; false if the quote does not end on the
// line.
static bool skip_quotes(struct rh__words *words)
{
    char quote = *words->at++;
    for (; words->at < words->end; words->at++) {
        if (*words->at == '\\' && words->at + 1 < words->end)
            words->at++;
        else if (*words->at == quote)
            return true;
    }
    return fail(words, "a quote is opened and not closed on its line");
}

bool rh__words_rest(struct rh__words *words)
{
    rh_text_clear(&words->word);
    if (words->fault || !skip_blanks(words))
        return false;
    const char *start = words->at;
    const char *last = start;
    for (; words->at < words->end; words->at++) {
        if (*words->at == '#' && is_blank(words->at[-1]))
            break;
        if ((*words->at == '"' || *words->at == '\'') && !skip_quotes(words))
            return false;
        if (!is_blank(*words->at))
            last = words->at + 1;
    }
    rh_text_add_bytes(&words->word, start, (size_t)(last - start));
    return true;
}

bool rh__words_braces(struct rh__words *words)
{
    rh_text_clear(&words->word);
    words->quoted = false;
    if (words->fault || !skip_blanks(words) || *words->at != '{')
        return false;
    const char *start = words->at;
    size_t depth = 0;
    for (; words->at < words->end; words->at++) {
        if ((*words->at == '"' || *words->at == '\'') && !skip_quotes(words))
            return false;
        depth += *words->at == '{';
        if (*words->at == '}' && --depth == 0)
            break;
    }
    if (words->at == words->end)
        return fail(words, "a brace is opened and not closed on its line");
    words->at++;
    if (words->at < words->end && !is_blank(*words->at))
        return fail(words, "a closing brace is not followed by a blank");
    rh_text_add_bytes(&words->word, start, (size_t)(words->at - start));
    return true;
}

static bool needs_quotes(const char *word)
{
    if (*word == '\0' || *word == '#' || *word == '@')
        return true;
    for (; *word; word++) {
        if (is_blank(*word) || is_control(*word) || *word == '"')
            return true;
    }
    return false;
}

void rh__words_add(struct rh_text *text, const char *word)
{
    if (!needs_quotes(word)) {
        rh_text_add(text, word);
        return;
    }
    rh_text_add(text, "\"");
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            rh_text_addf(text, "\\%c", *word);
        else if (is_control(*word))
            rh_text_addf(text, "\\x%02x", (unsigned)*word);
        else
            rh_text_add_bytes(text, word, 1);
    }
    rh_text_add(text, "\"");
}

void rh__words_add_line(struct rh_text *text, const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        rh_text_add_bytes(text, is_control(line[i]) ? " " : &line[i], 1);
}

struct rh__excerpt rh__excerpt_of(const char *bytes, size_t length)
{
    struct rh__excerpt excerpt;
    size_t room = sizeof excerpt.text - sizeof "...";
    size_t shown = length < room ? length : room;
    for (size_t i = 0; i < shown; i++)
        excerpt.text[i] = bytes[i] >= 0x20 && bytes[i] < 0x7f ? bytes[i] : '?';
    strcpy(excerpt.text + shown, shown < length ? "..." : "");
    return excerpt;
}
