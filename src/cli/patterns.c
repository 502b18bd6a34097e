// SPDX-License-Identifier: MIT
// diagram --patterns: the ways in which actors work together that executions show.
#include "cli/patterns.h"

#include "cli/output.h"
#include "cli/subject.h"
#include "diagram/patterns.h"

enum { TEXT_WIDTH = 60 };

static void add_patterns(const struct rh_subject *subject, const struct rh_patterns *patterns,
                         struct rh_text *text)
{
    size_t count = patterns->items.count;
    rh_subject_add_name(subject->options, subject->test, text);
    rh_text_addf(text, ": %zu pattern%s in %zu execution%s%s\n", count, count == 1 ? "" : "s",
                 patterns->executions, patterns->executions == 1 ? "" : "s",
                 subject->is_whole ? "" : " that were tried");
    for (size_t i = 0; i < count; i++) {
        const struct rh_pattern *pattern = &patterns->items.items[i];
        rh_text_addf(text, "  %-13s  %-*s  ", pattern->name, TEXT_WIDTH, pattern->text);
        if (pattern->executions == patterns->executions)
            rh_text_add(text, "always\n");
        else
            rh_text_addf(text, "in %zu\n", pattern->executions);
    }
}

static int show(const struct rh_options *options, const struct rh_test *test)
{
    struct rh_subject subject;
    struct rh_patterns patterns = {0};
    struct rh_text text = {0};
    struct rh_status status = rh_subject_init(&subject, options, test, NULL, 0);
    if (rh_is_ok(&status))
        status = rh_subject_run_classes(&subject);
    if (rh_is_ok(&status)) {
        rh_patterns_init(&patterns, &subject.automaton, subject.classes);
        add_patterns(&subject, &patterns, &text);
        if (!rh_print(&text))
            status = rh_failed("standard output");
    }
    bool fails = subject.failure.length > 0, is_whole = subject.is_whole;
    rh_patterns_fini(&patterns);
    rh_text_fini(&text);
    rh_subject_fini(&subject);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    return fails ? RH_EXIT_FOUND : is_whole ? RH_EXIT_NOTHING : RH_EXIT_INCONCLUSIVE;
}

int rh_patterns_run(const struct rh_options *options, const struct rh_test *tests, size_t count)
{
    int result = RH_EXIT_NOTHING;
    for (size_t i = 0; i < count && !*options->run.interrupted; i++)
        result = rh_exit_worse(show(options, &tests[i]), result);
    return *options->run.interrupted ? rh_exit_worse(RH_EXIT_INCONCLUSIVE, result) : result;
}
