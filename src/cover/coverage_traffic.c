// SPDX-License-Identifier: MIT
// Lines of coverage files that are about traffic.
#include <stdlib.h>
#include <string.h>

#include "cover/coverage_parser.h"

enum { LIST_LENGTH = 100 };

// Writing.

static void add_passage(struct rh_text *text, const struct rh_passage *passage)
{
    switch (passage->kind) {
    case RH_FLOW_CREATES:
        rh_text_addf(text, "created %u by %u", passage->to, passage->from);
        break;
    case RH_FLOW_BECOMES:
        rh_text_addf(text, "became %u by %u", passage->to, passage->from);
        break;
    case RH_FLOW_SENDS:
        rh_text_add(text, "sent ");
        rh_text_add_word(text, passage->type);
        rh_text_addf(text, " from %u to %u", passage->from, passage->to);
        break;
    }
    rh__coverage_print_place(text, passage->file, passage->line);
    rh_text_add(text, passage->is_reply ? " reply\n" : "\n");
}

// Adds the passages that `first` has come before, consecutive ones as "3-5". A long list goes on in
// further lines.
static void add_list(struct rh_text *text, const struct rh_traffic *traffic, uint32_t first)
{
    uint32_t count = (uint32_t)traffic->passages.count;
    size_t start_of_line = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t start = i;
        while (i < count && rh_traffic_has_before(traffic, first, i))
            i++;
        if (i == start)
            continue;
        if (!start_of_line || text->length - start_of_line > LIST_LENGTH) {
            rh_text_addf(text, "%sbefore %u:", start_of_line ? "\n" : "", first);
            start_of_line = text->length;
        }
        rh_text_addf(text, i - start > 1 ? " %u-%u" : " %u", start, i - 1);
    }
    rh_text_add(text, start_of_line ? "\n" : "");
}

void rh__coverage_print_traffic(struct rh_text *text, const struct rh_traffic *traffic)
{
    for (size_t i = 0; i < traffic->behaviours.count; i++) {
        const struct rh_traffic_behaviour *behaviour = &traffic->behaviours.items[i];
        rh_text_add(text, "behaviour ");
        rh_text_add_word(text, behaviour->function);
        if (*behaviour->file) {
            rh_text_add(text, " in ");
            rh_text_add_word(text, behaviour->file);
        }
        rh_text_add(text, "\n");
    }
    for (size_t i = 0; i < traffic->passages.count; i++)
        add_passage(text, &traffic->passages.items[i]);
    for (uint32_t i = 0; i < traffic->passages.count; i++)
        add_list(text, traffic, i);
}

// Reading.

bool rh__parser_behaviour(struct rh__parser *parser)
{
    static const char form[] = "behaviour FUNCTION in FILE";
    if (!rh__parser_open_entry(parser) || !rh__parser_need_word(parser, form))
        return false;
    if (parser->behaviours.count == RH_BEHAVIOURS_MOST)
        return rh_lines_fail(&parser->lines, "a part has at most %d behaviours",
                             RH_BEHAVIOURS_MOST);
    char *function = rh_strdup(rh_lines_word(&parser->lines));
    bool has_file = rh__parser_next_word(parser);
    bool is_read = rh_is_ok(&parser->lines.status);
    if (has_file)
        is_read = strcmp(rh_lines_word(&parser->lines), "in") == 0
                      ? rh__parser_need_word(parser, form)
                      : rh_lines_fail(&parser->lines,
                                      "`%s` stands where `in` is expected; the line "
                                      "should read `%s`",
                                      rh_lines_excerpt(&parser->lines).text, form);
    if (is_read)
        *rh_vector_push(&parser->behaviours) = rh_traffic_add_behaviour(
            &parser->entry->traffic, function, has_file ? rh_lines_word(&parser->lines) : "");
    free(function);
    return is_read && rh__parser_need_line_end(parser);
}

static bool need_behaviour(struct rh__parser *parser, const char *form, uint32_t *behaviour)
{
    uint64_t number = 0;
    if (!rh__parser_need_number(parser, form, &number))
        return false;
    if (number > parser->behaviours.count)
        return rh_lines_fail(&parser->lines, "there is no behaviour %llu above",
                             (unsigned long long)number);
    *behaviour = number == 0 ? 0 : parser->behaviours.items[number - 1];
    return true;
}

// Reads what stands behind both ends of a passage.
static bool parse_passage_rest(struct rh__parser *parser, const char *form,
                               struct rh_passage *passage)
{
    struct rh_text file = {0};
    bool is_read = true;
    while (is_read && rh__parser_next_word(parser)) {
        if (strcmp(rh_lines_word(&parser->lines), "at") == 0)
            is_read = rh__parser_need_place(parser, form, &file, &passage->line);
        else if (strcmp(rh_lines_word(&parser->lines), "reply") == 0 &&
                 passage->kind == RH_FLOW_SENDS)
            passage->is_reply = true;
        else
            is_read = rh_lines_fail(&parser->lines,
                                    "`%s` does not belong here; the line should read "
                                    "`%s`",
                                    rh_lines_excerpt(&parser->lines).text, form);
    }
    is_read = is_read && rh_is_ok(&parser->lines.status);
    if (is_read && parser->passages.count == RH_PASSAGES_MOST)
        is_read = rh_lines_fail(&parser->lines, "a part has at most %d passages", RH_PASSAGES_MOST);
    passage->file = (char *)rh_text_get(&file);
    if (is_read)
        *rh_vector_push(&parser->passages) =
            rh_traffic_add_passage(&parser->entry->traffic, passage);
    rh_text_fini(&file);
    return is_read;
}

static bool need_behaviours_above(struct rh__parser *parser)
{
    return parser->behaviours.count > 0 ||
           rh_lines_fail(&parser->lines, "what has passed comes after the behaviours");
}

static bool parse_turn(struct rh__parser *parser, const char *form, enum rh_flow_edge_kind kind)
{
    struct rh_passage passage = {.kind = kind, .type = ""};
    return need_behaviours_above(parser) && need_behaviour(parser, form, &passage.to) &&
           rh__parser_need_keyword(parser, form, "by") &&
           need_behaviour(parser, form, &passage.from) &&
           parse_passage_rest(parser, form, &passage);
}

bool rh__parser_created(struct rh__parser *parser)
{
    return parse_turn(parser, "created BEHAVIOUR by BEHAVIOUR at FILE:LINE", RH_FLOW_CREATES);
}

bool rh__parser_became(struct rh__parser *parser)
{
    return parse_turn(parser, "became BEHAVIOUR by BEHAVIOUR at FILE:LINE", RH_FLOW_BECOMES);
}

bool rh__parser_sent(struct rh__parser *parser)
{
    static const char form[] = "sent TYPE from BEHAVIOUR to BEHAVIOUR at FILE:LINE";
    if (!need_behaviours_above(parser) || !rh__parser_need_word(parser, form))
        return false;
    struct rh_passage passage = {.kind = RH_FLOW_SENDS,
                                 .type = rh_strdup(rh_lines_word(&parser->lines))};
    bool is_read = rh__parser_need_keyword(parser, form, "from") &&
                   need_behaviour(parser, form, &passage.from) &&
                   rh__parser_need_keyword(parser, form, "to") &&
                   need_behaviour(parser, form, &passage.to) &&
                   parse_passage_rest(parser, form, &passage);
    free(passage.type);
    return is_read;
}

static bool set_before(struct rh__parser *parser, int what, uint32_t first, uint32_t second)
{
    struct rh_traffic *traffic = &parser->entry->traffic;
    uint32_t one = parser->passages.items[first], other = parser->passages.items[second];
    const struct rh_passage *passages = traffic->passages.items;
    (void)what;
    if (one == other || passages[one].kind != RH_FLOW_SENDS ||
        passages[other].kind != RH_FLOW_SENDS)
        return rh_lines_fail(
            &parser->lines, "passages %u and %u are no pair: an actor receives two", first, second);
    size_t before = passages[one].earlier.capacity;
    rh_traffic_set_before(traffic, one, other);
    return rh__parser_count_bytes(parser, (passages[one].earlier.capacity - before) *
                                              sizeof *passages[one].earlier.items);
}

bool rh__parser_before(struct rh__parser *parser)
{
    if (!need_behaviours_above(parser))
        return false;
    return rh__parser_need_list(parser,
                                &(struct rh__parser_list){.form = "before PASSAGE: PASSAGE...",
                                                          .item = "passage",
                                                          .count = parser->passages.count,
                                                          .set = set_before});
}
