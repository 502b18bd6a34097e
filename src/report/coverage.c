// SPDX-License-Identifier: MIT
#include "report/coverage.h"

static void add_pairs(struct rh_text *text, uint64_t count, const char *what)
{
    rh_text_addf(text, "%llu pair%s %s", (unsigned long long)count, count == 1 ? "" : "s", what);
}

static void add_rest(struct rh_text *text, const struct rh_pair_list *list)
{
    if (list->count > list->listed.count)
        rh_text_addf(text, "    and %llu more\n",
                     (unsigned long long)(list->count - list->listed.count));
}

static void add_missing(struct rh_text *text, const struct rh_pair_list *list)
{
    if (list->count == 0)
        return;
    rh_text_add(text, "  ");
    add_pairs(text, list->count, "in one order only\n");
    for (size_t i = 0; i < list->listed.count; i++) {
        const struct rh_pair_review *pair = &list->listed.items[i];
        rh_text_addf(text, "    never %s before %s\n", pair->second, pair->first);
        if (pair->schedule_path)
            rh_text_addf(text, "      try %s\n", pair->schedule_path);
    }
    add_rest(text, list);
}

static void add_explained(struct rh_text *text, const struct rh_pair_list *list, const char *what)
{
    if (list->count == 0)
        return;
    rh_text_add(text, "  ");
    add_pairs(text, list->count, what);
    for (size_t i = 0; i < list->listed.count; i++) {
        const struct rh_pair_review *pair = &list->listed.items[i];
        rh_text_addf(text, "    %s before %s%s%s\n", pair->first, pair->second,
                     pair->reason ? ": " : "", pair->reason ? pair->reason : "");
    }
    add_rest(text, list);
}

static void add_criteria(struct rh_text *text, const struct rh_criterion_figures *criteria)
{
    for (int i = 0; i < RH_CRITERIA_MOST; i++)
        rh_text_addf(text, "%s%s %llu of %llu", i ? ", " : "", criteria[i].name,
                     (unsigned long long)criteria[i].covered,
                     (unsigned long long)criteria[i].known);
}

static void add_actor(struct rh_text *text, const struct rh_actor_review *actor)
{
    rh_text_addf(text, "%s: ", actor->name);
    add_criteria(text, actor->criteria);
    rh_text_add(text, "\n");
    if (actor->both > 0) {
        rh_text_add(text, "  ");
        add_pairs(text, actor->both, "in both orders\n");
    }
    add_missing(text, &actor->pairs[RH_PAIR_MISSING]);
    add_explained(text, &actor->pairs[RH_PAIR_FIRST], "of which one must come first\n");
    add_explained(text, &actor->pairs[RH_PAIR_UNKNOWN], "of which one may have to come first\n");
}

// Lines and branches.

static bool is_reached(const struct rh_covered_source *source, uint32_t line)
{
    for (size_t i = 0; i < source->lines.count; i++)
        if (source->lines.items[i].number == line)
            return source->lines.items[i].is_reached;
    return true;
}

static void add_line_of(struct rh_text *text, const struct rh_covered_source *source, uint32_t line)
{
    const char *function = rh_line_coverage_function_of(source, line);
    rh_text_addf(text, "%u", line);
    if (function)
        rh_text_addf(text, " in %s", function);
}

// Lines with code that follow each other are one range, whatever stands between them.
static void add_missed_lines(struct rh_text *text, const struct rh_covered_source *source)
{
    for (size_t i = 0; i < source->lines.count; i++) {
        size_t last = i;
        if (source->lines.items[i].is_reached)
            continue;
        const char *function = rh_line_coverage_function_of(source, source->lines.items[i].number);
        while (last + 1 < source->lines.count && !source->lines.items[last + 1].is_reached &&
               rh_line_coverage_function_of(source, source->lines.items[last + 1].number) ==
                   function)
            last++;
        rh_text_addf(text, "  never line%s ", last > i ? "s" : "");
        if (last > i)
            rh_text_addf(text, "%u to ", source->lines.items[i].number);
        add_line_of(text, source, source->lines.items[last].number);
        rh_text_add(text, "\n");
        i = last;
    }
}

// Where the branch and what it leads to were reached, but never one from the other. What was not
// reached at all stands above.
static void add_missed_ways(struct rh_text *text, const struct rh_covered_source *source)
{
    for (size_t i = 0; i < source->branches.count; i++) {
        const struct rh_covered_branch *branch = &source->branches.items[i];
        for (size_t k = 0; k < branch->ways.count; k++) {
            const struct rh_covered_way *way = &branch->ways.items[k];
            if (way->is_taken || !is_reached(source, branch->line) || !is_reached(source, way->to))
                continue;
            rh_text_add(text, "  never from line ");
            add_line_of(text, source, branch->line);
            if (way->to > 0)
                rh_text_addf(text, " to line %u", way->to);
            rh_text_add(text, way->to > 0 ? "\n" : " to another file\n");
        }
    }
}

static void add_source(struct rh_text *text, const struct rh_covered_source *source)
{
    struct rh_covered_figures figures = {0};
    rh_line_coverage_count(source, &figures);
    rh_text_addf(text, "%s: %llu of %llu lines, %llu of %llu ways of branches\n", source->file,
                 (unsigned long long)figures.reached, (unsigned long long)figures.lines,
                 (unsigned long long)figures.taken, (unsigned long long)figures.ways);
    add_missed_lines(text, source);
    add_missed_ways(text, source);
}

static void add_test(struct rh_text *text, const struct rh_test_review *test)
{
    rh_text_addf(text, "%s: test %s: %llu execution%s", test->program, test->test,
                 (unsigned long long)test->executions, test->executions == 1 ? "" : "s");
    rh_text_add(text, test->has_goals ? ", goals: " : "");
    if (test->has_goals)
        add_criteria(text, test->criteria);
    rh_text_add(text, "\n");
    for (size_t i = 0; i < test->actors.count; i++)
        add_actor(text, &test->actors.items[i]);
}

static bool has_goals(const struct rh_coverage_review *review)
{
    for (size_t i = 0; i < review->tests.count; i++)
        if (review->tests.items[i].has_goals)
            return true;
    return review->programs.count == 0;
}

void rh_report_coverage(struct rh_text *text, const struct rh_coverage_review *review,
                        double demanded)
{
    for (size_t i = 0; i < review->tests.count; i++)
        add_test(text, &review->tests.items[i]);
    for (size_t i = 0; i < review->programs.count; i++)
        for (size_t k = 0; k < review->programs.items[i].reached.sources.count; k++)
            add_source(text, &review->programs.items[i].reached.sources.items[k]);
    if (!has_goals(review) && demanded < 0)
        return;
    double percent = rh_coverage_review_percent(review);
    rh_text_addf(text, "%.1f%% of the pr goals are covered", percent);
    if (demanded >= 0)
        rh_text_addf(text,
                     percent < demanded ? ", less than the %g%% of --fail-under"
                                        : ", at least the %g%% of --fail-under",
                     demanded);
    rh_text_add(text, "\n");
}
