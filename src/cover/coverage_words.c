// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cover/coverage_parser.h"

bool rh__parser_fail(struct rh__parser *parser, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int line = parser->lines.number ? parser->lines.number : 1;
    parser->status = rh_bad_input("%s:%d: %s", parser->path, line, text);
    return false;
}

const char *rh__parser_word(const struct rh__parser *parser)
{
    return rh_text_get(&parser->words.word);
}

struct rh__excerpt rh__parser_excerpt(const struct rh__parser *parser)
{
    return rh__excerpt_of(rh__parser_word(parser), parser->words.word.length);
}

bool rh__parser_need_word(struct rh__parser *parser, const char *form)
{
    if (rh__words_next(&parser->words))
        return true;
    if (parser->words.fault)
        return rh__parser_fail(parser, "%s; a line `%s` is expected", parser->words.fault, form);
    return rh__parser_fail(parser, "the line ends too early; it should read `%s`", form);
}

bool rh__parser_need_keyword(struct rh__parser *parser, const char *form, const char *keyword)
{
    if (!rh__parser_need_word(parser, form))
        return false;
    return strcmp(rh__parser_word(parser), keyword) == 0 ||
           rh__parser_fail(parser, "`%s` stands where `%s` is expected; the line should read `%s`",
                           rh__parser_excerpt(parser).text, keyword, form);
}

bool rh__parser_next_word(struct rh__parser *parser)
{
    if (rh__words_next(&parser->words))
        return true;
    if (parser->words.fault)
        rh__parser_fail(parser, "%s", parser->words.fault);
    return false;
}

bool rh__parser_need_line_end(struct rh__parser *parser)
{
    if (rh__parser_next_word(parser))
        return rh__parser_fail(parser, "`%s` is one word too many",
                               rh__parser_excerpt(parser).text);
    return rh_is_ok(&parser->status);
}

static bool parse_digits(const char *text, size_t length, int base, uint64_t *number)
{
    char digits[32];
    const char *allowed = base == 16 ? "0123456789abcdef" : "0123456789";
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    if (digits[strspn(digits, allowed)])
        return false;
    errno = 0;
    *number = strtoull(digits, NULL, base);
    return errno == 0;
}

bool rh__parser_need_number(struct rh__parser *parser, const char *form, uint64_t *number)
{
    if (!rh__parser_need_word(parser, form))
        return false;
    return parse_digits(rh__parser_word(parser), parser->words.word.length, 10, number) ||
           rh__parser_fail(parser, "`%s` is not a number; the line should read `%s`",
                           rh__parser_excerpt(parser).text, form);
}

bool rh__parser_need_identity(struct rh__parser *parser, const char *form, uint64_t *identity)
{
    if (!rh__parser_need_word(parser, form))
        return false;
    const char *word = rh__parser_word(parser);
    return (word[0] == '@' && parser->words.word.length == 17 &&
            parse_digits(word + 1, 16, 16, identity)) ||
           rh__parser_fail(parser,
                           "`%s` is not an identity (@ and 16 hexadecimal digits); the line should "
                           "read `%s`",
                           rh__parser_excerpt(parser).text, form);
}

bool rh__parser_need_place(struct rh__parser *parser, const char *form, struct rh_text *file,
                           int *line)
{
    uint64_t number = 0;
    if (!rh__parser_need_word(parser, form))
        return false;
    const char *word = rh__parser_word(parser), *colon = strrchr(word, ':');
    if (!colon || !parse_digits(colon + 1, strlen(colon + 1), 10, &number) || number > INT_MAX)
        return rh__parser_fail(parser, "`%s` is no place: FILE:LINE",
                               rh__parser_excerpt(parser).text);
    rh_text_add_bytes(file, word, (size_t)(colon - word));
    *line = (int)number;
    return true;
}

// Numbers.

static bool parse_range(struct rh__parser *parser, const struct rh__parser_list *list,
                        uint64_t first)
{
    const char *word = rh__parser_word(parser), *dash = strchr(word, '-');
    size_t length = parser->words.word.length, start = dash ? (size_t)(dash - word) : length;
    uint64_t from = 0, to = 0;
    bool is_read = parse_digits(word, start, 10, &from);
    to = from;
    if (!is_read || (dash && (!parse_digits(dash + 1, length - start - 1, 10, &to) || to < from)))
        return rh__parser_fail(parser, "`%s` is no number or range of %ss",
                               rh__parser_excerpt(parser).text, list->item);
    for (uint64_t second = from; second <= to; second++) {
        if (second >= list->count)
            return rh__parser_fail(parser, "there is no %s %llu above", list->item,
                                   (unsigned long long)second);
        if (!list->set(parser, list->what, (uint32_t)first, (uint32_t)second))
            return false;
    }
    return true;
}

bool rh__parser_need_list(struct rh__parser *parser, const struct rh__parser_list *list)
{
    uint64_t first = 0;
    if (!rh__parser_need_word(parser, list->form))
        return false;
    size_t length = parser->words.word.length;
    const char *word = rh__parser_word(parser);
    if (length < 2 || word[length - 1] != ':' || !parse_digits(word, length - 1, 10, &first) ||
        first >= list->count)
        return rh__parser_fail(parser, "`%s` is no %s and a colon; the line should read `%s`",
                               rh__parser_excerpt(parser).text, list->item, list->form);
    while (rh__parser_next_word(parser))
        if (!parse_range(parser, list, first))
            return false;
    return rh_is_ok(&parser->status);
}
