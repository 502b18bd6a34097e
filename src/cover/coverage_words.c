// SPDX-License-Identifier: MIT
#include <limits.h>
#include <string.h>

#include "cover/coverage_parser.h"

bool rh__parser_need_word(struct rh__parser *parser, const char *form)
{
    if (rh_line_next(&parser->lines.line))
        return true;
    if (parser->lines.line.fault)
        return rh_lines_fail(&parser->lines, "%s; a line `%s` is expected",
                             parser->lines.line.fault, form);
    return rh_lines_fail(&parser->lines, "the line ends too early; it should read `%s`", form);
}

bool rh__parser_need_keyword(struct rh__parser *parser, const char *form, const char *keyword)
{
    if (!rh__parser_need_word(parser, form))
        return false;
    return strcmp(rh_lines_word(&parser->lines), keyword) == 0 ||
           rh_lines_fail(&parser->lines,
                         "`%s` stands where `%s` is expected; the line should read `%s`",
                         rh_lines_excerpt(&parser->lines).text, keyword, form);
}

bool rh__parser_next_word(struct rh__parser *parser)
{
    if (rh_line_next(&parser->lines.line))
        return true;
    if (parser->lines.line.fault)
        rh_lines_fail(&parser->lines, "%s", parser->lines.line.fault);
    return false;
}

bool rh__parser_need_line_end(struct rh__parser *parser)
{
    if (rh__parser_next_word(parser))
        return rh_lines_fail(&parser->lines, "`%s` is one word too many",
                             rh_lines_excerpt(&parser->lines).text);
    return rh_is_ok(&parser->lines.status);
}

bool rh__parser_need_number(struct rh__parser *parser, const char *form, uint64_t *number)
{
    if (!rh__parser_need_word(parser, form))
        return false;
    return rh_line_number_of(rh_lines_word(&parser->lines), parser->lines.line.word.length, 10,
                             number) ||
           rh_lines_fail(&parser->lines, "`%s` is not a number; the line should read `%s`",
                         rh_lines_excerpt(&parser->lines).text, form);
}

bool rh__parser_need_identity(struct rh__parser *parser, const char *form, uint64_t *identity)
{
    if (!rh__parser_need_word(parser, form))
        return false;
    return rh_line_identity_of(rh_lines_word(&parser->lines), identity) ||
           rh_lines_fail(&parser->lines,
                         "`%s` is not an identity (@ and 16 hexadecimal digits); the line should "
                         "read `%s`",
                         rh_lines_excerpt(&parser->lines).text, form);
}

bool rh__parser_need_place(struct rh__parser *parser, const char *form, struct rh_text *file,
                           int *line)
{
    uint64_t number = 0;
    if (!rh__parser_need_word(parser, form))
        return false;
    const char *word = rh_lines_word(&parser->lines), *colon = strrchr(word, ':');
    if (!colon || !rh_line_number_of(colon + 1, strlen(colon + 1), 10, &number) || number > INT_MAX)
        return rh_lines_fail(&parser->lines, "`%s` is no place: FILE:LINE",
                             rh_lines_excerpt(&parser->lines).text);
    rh_text_add_bytes(file, word, (size_t)(colon - word));
    *line = (int)number;
    return true;
}

// Numbers.

static bool parse_range(struct rh__parser *parser, const struct rh__parser_list *list,
                        uint64_t first)
{
    const char *word = rh_lines_word(&parser->lines), *dash = strchr(word, '-');
    size_t length = parser->lines.line.word.length, start = dash ? (size_t)(dash - word) : length;
    uint64_t from = 0, to = 0;
    bool is_read = rh_line_number_of(word, start, 10, &from);
    to = from;
    if (!is_read ||
        (dash && (!rh_line_number_of(dash + 1, length - start - 1, 10, &to) || to < from)))
        return rh_lines_fail(&parser->lines, "`%s` is no number or range of %ss",
                             rh_lines_excerpt(&parser->lines).text, list->item);
    for (uint64_t second = from; second <= to; second++) {
        if (second >= list->count)
            return rh_lines_fail(&parser->lines, "there is no %s %llu above", list->item,
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
    size_t length = parser->lines.line.word.length;
    const char *word = rh_lines_word(&parser->lines);
    if (length < 2 || word[length - 1] != ':' || !rh_line_number_of(word, length - 1, 10, &first) ||
        first >= list->count)
        return rh_lines_fail(&parser->lines, "`%s` is no %s and a colon; the line should read `%s`",
                             rh_lines_excerpt(&parser->lines).text, list->item, list->form);
    while (rh__parser_next_word(parser))
        if (!parse_range(parser, list, first))
            return false;
    return rh_is_ok(&parser->lines.status);
}
