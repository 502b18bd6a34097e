// SPDX-License-Identifier: MIT
// The verb `reach`: looks for a way to each place that it is asked for, the cheapest method first,
// and believes none of them before a run has come there.
#include <string.h>

#include "cli/analysis_reach.h"
#include "cli/output.h"
#include "cli/schedules.h"
#include "report/reached.h"

static struct rh_status print(const struct rh_reaching *reaching, bool is_next)
{
    struct rh_text text = {0};
    rh_text_add(&text, is_next ? "\n" : "");
    if (reaching->options->reach.uncovered)
        rh_report_reached_row(&text, &reaching->reached);
    else
        rh_report_reached_text(&text, &reaching->reached);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed ? rh_ok() : rh_failed("the result could not be printed");
}

// Leaves the tests that are asked for.
static struct rh_status choose_tests(const struct rh_options *options, struct rh_reach_tests *tests)
{
    struct rh_text names = {0};
    size_t kept = 0;
    for (size_t i = 0; i < tests->count; i++) {
        rh_text_addf(&names, "%s%s", i ? ", " : "", tests->items[i]);
        if (!options->test || !strcmp(options->test, tests->items[i]))
            tests->items[kept++] = tests->items[i];
    }
    struct rh_status status = rh_ok();
    if (tests->count == 0)
        status = rh_bad_input("%s has no tests: reach begins with what a test sets up",
                              rh_analysis_name(options, 0));
    else if (kept == 0)
        status = rh_bad_input("there is no test '%s'; there are: %s", options->test,
                              rh_text_get(&names));
    tests->count = kept;
    rh_text_fini(&names);
    return status;
}

static struct rh_status check_flags(const struct rh_options *options)
{
    const struct rh_reach_flags *flags = &options->reach;
    if (flags->check + flags->dereference + flags->all_checks > 1)
        return rh_bad_input("--check, --all-checks and --dereference are different things to look "
                            "for: choose one");
    if (options->reach.uncovered && flags->check + flags->dereference + flags->all_checks > 0)
        return rh_bad_input("--uncovered is about lines, not about checks and pointers");
    return options->generate.binary
               ? rh_ok()
               : rh_bad_input("reach runs what it finds: it needs the sources, not bitcode alone");
}

static int status_of(const struct rh_reaching *reaching)
{
    if (reaching->reached.verdict == RH_REACHED_NOT)
        return RH_EXIT_INCONCLUSIVE;
    bool is_bad = rh_reaching_is_reached(reaching) && reaching->asked.goal != RH_REACH_LINE;
    return is_bad ? RH_EXIT_FOUND : RH_EXIT_NOTHING;
}

// The first of these that any place has.
static int worse(int one, int other)
{
    static const int worst_first[] = {RH_EXIT_FOUND, RH_EXIT_INCONCLUSIVE, RH_EXIT_NOTHING};
    for (size_t i = 0; i < sizeof worst_first / sizeof *worst_first; i++)
        if (one == worst_first[i] || other == worst_first[i])
            return worst_first[i];
    return one;
}

// Goes to one place, and tells of it.
static struct rh_status go(struct rh_reaching_places *places, size_t index)
{
    struct rh_reaching *reaching = &places->items.items[index];
    reaching->asked.caller = &places->foreign.caller;
    struct rh_status status = rh_reaching_climb(reaching, &places->tests, &places->coverage);
    if (rh_is_ok(&status) && rh_reaching_is_reached(reaching))
        status = rh_reaching_tell(reaching);
    return rh_is_ok(&status) && !reaching->options->json
               ? print(reaching, index > 0 && !reaching->options->reach.uncovered)
               : status;
}

static struct rh_status print_json(const struct rh_reaching_places *places,
                                   const struct rh_options *options)
{
    struct rh_text text = {0};
    RH_VECTOR(const struct rh_reached *) all = {0};
    for (size_t i = 0; i < places->items.count; i++)
        *rh_vector_push(&all) = &places->items.items[i].reached;
    rh_report_reached_json(&text, all.items, all.count, rh_analysis_name(options, 0));
    bool is_printed = rh_print(&text);
    rh_vector_fini(&all);
    rh_text_fini(&text);
    return is_printed ? rh_ok() : rh_failed("the result could not be printed");
}

static struct rh_status print_sum(const struct rh_reaching_places *places)
{
    uint64_t counts[RH_REACHED_UNREACHABLE + 1] = {0};
    struct rh_text text = {0};
    for (size_t i = 0; i < places->items.count; i++)
        counts[places->items.items[i].reached.verdict]++;
    rh_report_reached_sum(&text, counts, places->left_out);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed ? rh_ok() : rh_failed("the result could not be printed");
}

struct rh_status rh_analysis_reach(const struct rh_options *options,
                                   const struct rh_ir_module *module, int *exit_status)
{
    struct rh_reaching_places places = {0};
    rh_analysis_foreign_init(&places.foreign, options->generate.binary);
    struct rh_status status = check_flags(options);
    if (rh_is_ok(&status))
        status = rh_reaching_places_find(&places, options, module);
    rh_reach_tests_find(module, &places.tests);
    if (rh_is_ok(&status))
        status = choose_tests(options, &places.tests);
    if (rh_is_ok(&status))
        status = rh_schedules_make(options->save);
    *exit_status = RH_EXIT_NOTHING;
    for (size_t i = 0; rh_is_ok(&status) && i < places.items.count; i++) {
        status = go(&places, i);
        *exit_status = worse(*exit_status, status_of(&places.items.items[i]));
    }
    if (rh_is_ok(&status) && options->json)
        status = print_json(&places, options);
    else if (rh_is_ok(&status) && options->reach.uncovered)
        status = print_sum(&places);
    for (size_t i = 0; i < places.items.count; i++)
        rh_reaching_fini(&places.items.items[i]);
    rh_vector_fini(&places.items);
    rh_vector_fini(&places.tests);
    rh_coverage_set_fini(&places.coverage);
    rh_analysis_foreign_fini(&places.foreign);
    return status;
}
