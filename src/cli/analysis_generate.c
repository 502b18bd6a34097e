// SPDX-License-Identifier: MIT
// The verb `generate`: makes tests, has them run, and tells of them.
#include <stdlib.h>
#include <string.h>

#include "cli/analysis.h"
#include "cli/analysis_foreign.h"
#include "cli/output.h"
#include "cli/schedules.h"
#include "report/generated.h"
#include "symbolic/generate.h"
#include "symbolic/write.h"

struct generation {
    const struct rh_options *options;
    const struct rh_ir_module *module;
    struct rh_generate_options asked;
    struct rh_generate_kept *kept;                // owned; NULL: addresses may be of any behaviour
    RH_VECTOR(struct rh_generate_result) results; // that are printed together at the end
    int exit_status;
};

// Writes all tests into the file, and says how many of them have no words in C.
static struct rh_status write_c(const struct generation *generation, struct rh_text *report)
{
    const struct rh_options *options = generation->options;
    if (!options->generate.file)
        return rh_ok();
    struct rh_text text = {0};
    // A file elsewhere finds the sources by their whole paths.
    bool is_here = !strchr(options->generate.file, '/');
    RH_VECTOR(const char *) sources = {0};
    RH_VECTOR(char *) paths = {0};
    for (size_t i = 0; i < options->names.count; i++) {
        char *path = is_here ? NULL : realpath(options->names.items[i], NULL);
        *rh_vector_push(&paths) = path;
        *rh_vector_push(&sources) = path ? path : options->names.items[i];
    }
    size_t total = 0;
    for (size_t i = 0; i < generation->results.count; i++)
        total += generation->results.items[i].tests.count;
    size_t written = rh_generate_write_c(&text, generation->results.items,
                                         generation->results.count, sources.items, sources.count);
    if (written < total)
        rh_text_addf(report, "not in C: %zu of %zu tests, for which it has no words\n",
                     total - written, total);
    struct rh_status status = rh_text_write_file(&text, options->generate.file);
    for (size_t i = 0; i < paths.count; i++)
        free(paths.items[i]);
    rh_vector_fini(&paths);
    rh_vector_fini(&sources);
    rh_text_fini(&text);
    return status;
}

// Saves the test as a schedule, if it can be one.
static struct rh_status save_one(const struct rh_options *options,
                                 struct rh_generate_result *result, struct rh_generate_test *test)
{
    struct rh_schedule schedule;
    if (!rh_generate_schedule(&schedule, result, test, options->names.items, options->names.count))
        return rh_ok();
    struct rh_text path = {0};
    rh_text_addf(&path, "%s/%s.schedule", options->save, test->name);
    struct rh_status status = rh_schedule_write(&schedule, rh_text_get(&path));
    test->schedule = rh_arena_text(&result->arena, rh_text_get(&path), path.length);
    rh_text_fini(&path);
    rh_schedule_fini(&schedule);
    return status;
}

static struct rh_status save(const struct rh_options *options, struct rh_generate_result *result)
{
    struct rh_status status = rh_ok();
    for (size_t i = 0; rh_is_ok(&status) && i < result->tests.count; i++)
        status = save_one(options, result, &result->tests.items[i]);
    return status;
}

// What begins with a test of the program needs nothing else to begin with, and is no test in C: the
// test is there.
static struct rh_status check_test(const struct rh_options *options)
{
    const struct rh_generate_flags *flags = &options->generate;
    if (!options->test)
        return flags->any_messages
                   ? rh_bad_input("--any-messages is about what a test sends: --test says which")
                   : rh_ok();
    if (flags->behaviour || flags->message || flags->given.count)
        return rh_bad_input("--test begins with that test: leave out --behaviour, --message and "
                            "--given");
    return flags->file
               ? rh_bad_input("--write needs --behaviour and --message; with --test, --save "
                              "keeps schedules of it")
               : rh_ok();
}

static struct rh_status print(struct rh_text *text)
{
    bool is_printed = rh_print(text);
    rh_text_clear(text);
    return is_printed ? rh_ok() : rh_failed("the tests could not be printed");
}

// What the result means for the exit status: a prediction that was wrong, something found, or
// something left out; the first of these that any result has.
static void judge(struct generation *generation, const struct rh_generate_result *result)
{
    int found = RH_EXIT_NOTHING;
    if (generation->options->require_complete && !rh_generate_is_complete(result))
        found = RH_EXIT_INCONCLUSIVE;
    for (size_t i = 0; i < result->tests.count; i++)
        if (result->tests.items[i].broken)
            found = RH_EXIT_FOUND;
    for (size_t i = 0; i < result->tests.count; i++)
        if (result->tests.items[i].run == RH_GENERATE_REFUTED)
            found = RH_EXIT_FAILED;
    static const int worst_first[] = {RH_EXIT_FAILED, RH_EXIT_FOUND, RH_EXIT_INCONCLUSIVE};
    for (size_t i = 0; i < sizeof worst_first / sizeof *worst_first; i++)
        if (found == worst_first[i] || generation->exit_status == worst_first[i]) {
            generation->exit_status = worst_first[i];
            return;
        }
}

// Makes the tests of one pair and has them run.
static struct rh_status make(struct generation *generation, struct rh_generate_result *result)
{
    const struct rh_options *options = generation->options;
    struct rh_status status = rh_generate_tests(generation->module, &generation->asked, result);
    if (rh_is_ok(&status))
        status = rh_analysis_confirm(options, result);
    if (rh_is_ok(&status))
        judge(generation, result);
    if (rh_is_ok(&status) && options->generate.fewest)
        rh_analysis_keep_fewest(result);
    if (rh_is_ok(&status) && options->save)
        status = save(options, result);
    return status;
}

static struct rh_status generate_one(struct generation *generation)
{
    const struct rh_options *options = generation->options;
    struct rh_generate_result *result = rh_vector_push(&generation->results);
    struct rh_status status = make(generation, result);
    struct rh_text text = {0};
    if (rh_is_ok(&status) && !options->json) {
        rh_report_generated_text(&text, result, rh_analysis_name(options, 0));
        status = print(&text);
    }
    rh_text_fini(&text);
    return status;
}

// Writes what was asked for, and says what to do with it.
static struct rh_status end_with_files(const struct generation *generation)
{
    const struct rh_options *options = generation->options;
    struct rh_text text = {0};
    size_t count = 0;
    for (size_t i = 0; i < generation->results.count; i++)
        count += generation->results.items[i].tests.count;
    struct rh_status status = write_c(generation, &text);
    if (options->generate.file)
        rh_text_addf(&text, "next:   rehearse explore %s\n", options->generate.file);
    else if (options->save && count > 0)
        rh_text_addf(&text, "next:   rehearse replay %s\n", options->save);
    if (rh_is_ok(&status) && !options->json)
        status = print(&text);
    rh_text_fini(&text);
    return status;
}

// One line for each behaviour and message that it takes.
static struct rh_status generate_all(struct generation *generation)
{
    const struct rh_options *options = generation->options;
    struct rh_generate_pairs pairs;
    struct rh_status status = rh_generate_pairs_find(
        generation->module, generation->asked.behaviour, generation->asked.message, &pairs);
    struct rh_text text = {0};
    if (rh_is_ok(&status) && !options->json)
        rh_report_generated_head(&text, rh_analysis_name(options, 0));
    for (size_t i = 0; rh_is_ok(&status) && i < pairs.items.count; i++) {
        struct rh_generate_result *result = rh_vector_push(&generation->results);
        generation->asked.behaviour = pairs.items.items[i].behaviour;
        generation->asked.message = pairs.items.items[i].message;
        status = make(generation, result);
        if (rh_is_ok(&status) && !options->json) {
            rh_report_generated_row(&text, result);
            status = print(&text);
        }
    }
    rh_text_fini(&text);
    rh_generate_pairs_fini(&pairs);
    return status;
}

static struct rh_status print_json(const struct generation *generation)
{
    struct rh_text text = {0};
    rh_report_generated_json(&text, generation->results.items, generation->results.count,
                             rh_analysis_name(generation->options, 0));
    struct rh_status status = print(&text);
    rh_text_fini(&text);
    return status;
}

struct rh_status rh_analysis_generate(const struct rh_options *options,
                                      const struct rh_ir_module *module, int *exit_status)
{
    const struct rh_generate_flags *flags = &options->generate;
    struct generation generation = {
        .options = options,
        .module = module,
        .asked =
            {
                .behaviour = flags->behaviour,
                .message = flags->message,
                .test = options->test,
                .loop = flags->loop,
                .deliveries_each = flags->deliveries_each,
                .actors_each = flags->actors_each,
                .wraps = flags->wraps,
                .no_stability = flags->no_stability,
                .no_independence = flags->no_independence,
                .no_aliases = flags->no_aliases,
                .block_aliases = flags->block_aliases,
                .any_messages = flags->any_messages,
                .is_closed = options->test != NULL, // its body creates all actors
                .keeps_order = options->run.order_rule != RH_ORDER_ANY,
                .given = flags->given.items,
                .given_count = flags->given.count,
                .tests_most = flags->tests_most,
                .queries_most = flags->queries_most,
                .solver_limit = flags->solver_limit,
                .queries = flags->queries,
            },
    };
    struct rh_analysis_foreign foreign;
    rh_analysis_foreign_init(&foreign, flags->binary);
    generation.asked.caller = &foreign.caller;
    struct rh_status status = rh_schedules_make(options->save);
    if (rh_is_ok(&status))
        status = check_test(options);
    if (rh_is_ok(&status) && flags->fewest && !flags->binary)
        status = rh_bad_input("--fewest measures what tests reach by running them: it needs all "
                              "of the program as C sources");
    if (rh_is_ok(&status) && !flags->any_behaviour)
        status = rh_generate_kept_find(module, &generation.kept);
    generation.asked.kept = generation.kept;
    if (rh_is_ok(&status))
        status = options->test || (flags->behaviour && flags->message) ? generate_one(&generation)
                                                                       : generate_all(&generation);
    if (rh_is_ok(&status))
        status = end_with_files(&generation);
    if (rh_is_ok(&status) && options->json)
        status = print_json(&generation);
    for (size_t i = 0; i < generation.results.count; i++)
        rh_generate_result_fini(&generation.results.items[i]);
    rh_vector_fini(&generation.results);
    rh_generate_kept_free(generation.kept);
    rh_analysis_foreign_fini(&foreign);
    *exit_status = generation.exit_status;
    return status;
}
