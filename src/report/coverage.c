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

void rh_report_coverage(struct rh_text *text, const struct rh_coverage_review *review,
                        double demanded)
{
    for (size_t i = 0; i < review->tests.count; i++) {
        const struct rh_test_review *test = &review->tests.items[i];
        rh_text_addf(text, "%s: test %s: %llu execution%s, goals: ", test->program, test->test,
                     (unsigned long long)test->executions, test->executions == 1 ? "" : "s");
        add_criteria(text, test->criteria);
        rh_text_add(text, "\n");
        for (size_t k = 0; k < test->actors.count; k++)
            add_actor(text, &test->actors.items[k]);
    }
    double percent = rh_coverage_review_percent(review);
    rh_text_addf(text, "%.1f%% of the pr goals are covered", percent);
    if (demanded >= 0)
        rh_text_addf(text,
                     percent < demanded ? ", less than the %g%% of --fail-under"
                                        : ", at least the %g%% of --fail-under",
                     demanded);
    rh_text_add(text, "\n");
}
