// SPDX-License-Identifier: MIT
// Lines of coverage files that are about lines and branches of the program.
#include <stdlib.h>
#include <string.h>

#include "cover/coverage_parser.h"

enum { LIST_LENGTH = 100 };

// Writing.

// Adds the numbers of lines as a list, consecutive ones as "3-5": all, or those that were reached.
// A long list goes on in further lines.
static void add_list(struct rh_text *text, const struct rh_covered_source *source, size_t number,
                     bool all)
{
    size_t start_of_line = 0;
    for (size_t i = 0; i < source->lines.count; i++) {
        size_t start = i;
        while (i < source->lines.count && (all || source->lines.items[i].is_reached) &&
               source->lines.items[i].number == source->lines.items[start].number + (i - start))
            i++;
        if (i == start)
            continue;
        if (!start_of_line || text->length - start_of_line > LIST_LENGTH) {
            rh_text_addf(text, "%s%s %zu:", start_of_line ? "\n" : "", all ? "lines" : "reached",
                         number);
            start_of_line = text->length;
        }
        rh_text_addf(text, i - start > 1 ? " %u-%u" : " %u", source->lines.items[start].number,
                     source->lines.items[i - 1].number);
        i--;
    }
    rh_text_add(text, start_of_line ? "\n" : "");
}

static void add_branches(struct rh_text *text, const struct rh_covered_source *source,
                         size_t number)
{
    for (size_t i = 0; i < source->branches.count; i++) {
        const struct rh_covered_branch *branch = &source->branches.items[i];
        rh_text_addf(text, "branch %u in %zu", branch->line, number);
        for (size_t k = 0; k < branch->ways.count; k++)
            rh_text_addf(text, " %s %u", branch->ways.items[k].is_taken ? "taken" : "never",
                         branch->ways.items[k].to);
        rh_text_add(text, "\n");
    }
}

void rh__coverage_print_reached(struct rh_text *text, const struct rh_line_coverage *reached)
{
    for (size_t i = 0; i < reached->sources.count; i++) {
        const struct rh_covered_source *source = &reached->sources.items[i];
        rh_text_add(text, "source ");
        rh_text_add_word(text, source->file);
        rh_text_add(text, "\n");
        for (size_t k = 0; k < source->functions.count; k++) {
            rh_text_add(text, "function ");
            rh_text_add_word(text, source->functions.items[k].name);
            rh_text_addf(text, " in %zu from %u to %u\n", i, source->functions.items[k].first,
                         source->functions.items[k].last);
        }
        add_list(text, source, i, true);
        add_list(text, source, i, false);
        add_branches(text, source, i);
    }
}

// Reading.

bool rh__parser_source(struct rh__parser *parser)
{
    if (!rh__parser_open_entry(parser) || !rh__parser_need_word(parser, "source FILE"))
        return false;
    if (parser->version < 2)
        return rh_lines_fail(&parser->lines, "files of version 1 have no sources");
    struct rh_covered_source *source = rh_vector_push(&parser->reached.sources);
    source->file = rh_strdup(rh_lines_word(&parser->lines));
    return rh__parser_need_line_end(parser);
}

// NULL after a message.
static struct rh_covered_source *find_source(struct rh__parser *parser, uint64_t number)
{
    if (number < parser->reached.sources.count)
        return &parser->reached.sources.items[number];
    rh_lines_fail(&parser->lines, "there is no source %llu above", (unsigned long long)number);
    return NULL;
}

// NULL after a message.
static struct rh_covered_source *need_source(struct rh__parser *parser, const char *form)
{
    uint64_t number = 0;
    bool is_read = rh__parser_need_keyword(parser, form, "in") &&
                   rh__parser_need_number(parser, form, &number);
    return is_read ? find_source(parser, number) : NULL;
}

static bool need_line(struct rh__parser *parser, const char *form, uint32_t *line)
{
    uint64_t number = 0;
    if (!rh__parser_need_number(parser, form, &number))
        return false;
    *line = (uint32_t)number;
    return number <= INT32_MAX ||
           rh_lines_fail(&parser->lines, "no source has %llu lines", (unsigned long long)number);
}

bool rh__parser_function(struct rh__parser *parser)
{
    static const char form[] = "function NAME in SOURCE from LINE to LINE";
    if (!rh__parser_need_word(parser, form))
        return false;
    struct rh_covered_function function = {.name = rh_strdup(rh_lines_word(&parser->lines))};
    struct rh_covered_source *source = need_source(parser, form);
    bool is_read = source && rh__parser_need_keyword(parser, form, "from") &&
                   need_line(parser, form, &function.first) &&
                   rh__parser_need_keyword(parser, form, "to") &&
                   need_line(parser, form, &function.last) && rh__parser_need_line_end(parser);
    if (is_read)
        *rh_vector_push(&source->functions) = function;
    else
        free(function.name);
    return is_read;
}

static bool add_line(struct rh__parser *parser, int what, uint32_t number, uint32_t line)
{
    struct rh_covered_source *source = find_source(parser, number);
    (void)what;
    if (!source)
        return false;
    if (source->lines.count > 0 && source->lines.items[source->lines.count - 1].number >= line)
        return rh_lines_fail(&parser->lines, "line %u is not above the one before", line);
    *rh_vector_push(&source->lines) = (struct rh_covered_line){.number = line};
    return rh__parser_count_bytes(parser, 2 * sizeof *source->lines.items);
}

static int compare_line(const void *key, const void *line)
{
    uint32_t wanted = *(const uint32_t *)key;
    uint32_t number = ((const struct rh_covered_line *)line)->number;
    return wanted < number ? -1 : wanted > number;
}

static bool reach_line(struct rh__parser *parser, int what, uint32_t number, uint32_t line)
{
    struct rh_covered_source *source = find_source(parser, number);
    (void)what;
    if (!source)
        return false;
    struct rh_covered_line *found = NULL;
    if (source->lines.count > 0)
        found = bsearch(&line, source->lines.items, source->lines.count,
                        sizeof *source->lines.items, compare_line);
    if (!found)
        return rh_lines_fail(&parser->lines, "line %u is none of the lines of source %u", line,
                             number);
    found->is_reached = true;
    return true;
}

bool rh__parser_source_lines(struct rh__parser *parser)
{
    return rh__parser_need_list(parser, &(struct rh__parser_list){.form = "lines SOURCE: LINE...",
                                                                  .item = "source",
                                                                  .count = INT32_MAX,
                                                                  .set = add_line});
}

bool rh__parser_reached(struct rh__parser *parser)
{
    return rh__parser_need_list(parser, &(struct rh__parser_list){.form = "reached SOURCE: LINE...",
                                                                  .item = "source",
                                                                  .count = INT32_MAX,
                                                                  .set = reach_line});
}

static bool parse_way(struct rh__parser *parser, const char *form, struct rh_covered_branch *branch)
{
    struct rh_covered_way *way = rh_vector_push(&branch->ways);
    way->is_taken = strcmp(rh_lines_word(&parser->lines), "taken") == 0;
    if (!way->is_taken && strcmp(rh_lines_word(&parser->lines), "never") != 0)
        return rh_lines_fail(&parser->lines,
                             "`%s` says nothing about a branch; the line should read `%s`",
                             rh_lines_excerpt(&parser->lines).text, form);
    return need_line(parser, form, &way->to);
}

bool rh__parser_branch(struct rh__parser *parser)
{
    static const char form[] = "branch LINE in SOURCE taken LINE never LINE";
    uint32_t line = 0;
    if (!need_line(parser, form, &line))
        return false;
    struct rh_covered_source *source = need_source(parser, form);
    if (!source)
        return false;
    struct rh_covered_branch *branch = rh_vector_push(&source->branches);
    branch->line = line;
    while (rh__parser_next_word(parser))
        if (!parse_way(parser, form, branch))
            return false;
    return rh_is_ok(&parser->lines.status);
}

bool rh__parser_end_reached(struct rh__parser *parser)
{
    struct rh_line_coverage *known = &parser->entry->reached;
    bool is_alike = known->sources.count == 0 || parser->reached.sources.count == 0 ||
                    rh_line_coverage_is_alike(known, &parser->reached);
    if (is_alike && parser->reached.sources.count > 0)
        rh_line_coverage_merge(known, &parser->reached);
    rh_line_coverage_fini(&parser->reached);
    return is_alike ||
           rh_lines_fail(&parser->lines,
                         "the lines and branches of test %s are not those of the part before: the "
                         "sources have changed, or another compiler was used",
                         parser->entry->head.test);
}
