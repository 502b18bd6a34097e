// SPDX-License-Identifier: MIT
#include "cli/coverage.h"

#include <string.h>

#include "cli/output.h"
#include "cli/save.h"
#include "cover/coverage_file.h"
#include "cover/review.h"
#include "report/coverage.h"

struct rh_status rh_coverage_open_lines(const struct rh_options *options,
                                        struct rh_lines_record **lines)
{
    struct rh_code *code = rh_code_new(options->run.debug);
    if (!code)
        return rh_bad_input(
            "%s was compiled without hooks for --lines: give its sources to %s, or compile them "
            "with -g -fsanitize-coverage=trace-pc -fno-omit-frame-pointer "
            "-fno-optimize-sibling-calls -fno-jump-tables",
            options->names.items[0], options->tool.name);
    *lines = rh_lines_record_new(code);
    return *lines ? rh_ok() : rh_failed("cannot reserve the address space for lines");
}

static void add_lines_of(struct rh_text *text, const struct rh_line_coverage *coverage)
{
    uint32_t number = 0;
    for (size_t i = 0; i < coverage->sources.count; i++)
        for (size_t k = 0; k < coverage->sources.items[i].lines.count; k++, number++)
            if (coverage->sources.items[i].lines.items[k].is_reached)
                rh_text_addf(text, " %u", number);
}

static void add_ways_of(struct rh_text *text, const struct rh_covered_source *source,
                        uint32_t *number)
{
    for (size_t i = 0; i < source->branches.count; i++)
        for (size_t k = 0; k < source->branches.items[i].ways.count; k++, ++*number)
            if (source->branches.items[i].ways.items[k].is_taken)
                rh_text_addf(text, " %u", *number);
}

void rh_coverage_add_reached(struct rh_text *text, const struct rh_lines_record *lines,
                             const char *name, int length)
{
    struct rh_line_coverage coverage = {0};
    uint32_t number = 0;
    rh_code_coverage(rh_lines_record_code(lines), rh_lines_record_marks(lines), &coverage);
    rh_text_addf(text, "%.*s lines", length, name);
    add_lines_of(text, &coverage);
    rh_text_addf(text, "\n%.*s ways", length, name);
    for (size_t i = 0; i < coverage.sources.count; i++)
        add_ways_of(text, &coverage.sources.items[i], &number);
    rh_text_add(text, "\n");
    rh_line_coverage_fini(&coverage);
}

// A generated test is run from wherever its program was compiled, and knows its sources.
static void add_programs(struct rh_coverage_head *head, const struct rh_options *options,
                         const struct rh_schedule *schedule)
{
    bool is_known = schedule && schedule->is_generated && schedule->programs.count > 0;
    size_t count = is_known ? schedule->programs.count : options->names.count;
    for (size_t i = 0; i < count; i++)
        *rh_vector_push(&head->programs) =
            rh_strdup(is_known ? schedule->programs.items[i] : options->names.items[i]);
}

void rh_coverage_add(struct rh_text *file, const struct rh_options *options,
                     const struct rh_run_options *run, const struct rh_cover *cover,
                     struct rh_result *result)
{
    struct rh_coverage_head head = {.test = rh_strdup(result->test),
                                    .order_rule = run->order_rule,
                                    .time = run->time,
                                    .environment = run->environment};
    add_programs(&head, options, run->schedule);
    if (file->length == 0)
        rh_text_add(file, run->lines ? RH_COVERAGE_FIRST_LINE_REACHED : RH_COVERAGE_FIRST_LINE);
    struct rh_traffic traffic = {0};
    if (!rh_traffic_take(run->traffic, run->debug, &traffic))
        *rh_vector_push(&result->notes) =
            rh_strdup("there was no room for all that was taken: the coverage file lacks some");
    struct rh_line_coverage reached = {0};
    if (run->lines)
        rh_code_coverage(rh_lines_record_code(run->lines), rh_lines_record_marks(run->lines),
                         &reached);
    struct rh_coverage_part part = {
        .head = &head, .executions = result->executions, .traffic = &traffic, .reached = &reached};
    if (cover) {
        part.coverage = rh_cover_coverage(cover);
        part.kept = rh_cover_kept(cover, 0);
        part.kept_count = rh_cover_kept_count(cover);
    }
    rh_coverage_print(file, &part);
    rh_line_coverage_fini(&reached);
    rh_traffic_fini(&traffic);
    rh_coverage_head_fini(&head);
}

// Writes schedules for orders that have not been seen: TEST-missing-1.schedule and so on.
static struct rh_status save_actor(const struct rh_options *options,
                                   const struct rh_test_review *test, struct rh_actor_review *actor,
                                   size_t *number)
{
    struct rh_status status = rh_ok();
    struct rh_pair_list *missing = &actor->pairs[RH_PAIR_MISSING];
    for (size_t i = 0; i < missing->listed.count && rh_is_ok(&status); i++) {
        struct rh_pair_review *pair = &missing->listed.items[i];
        if (!pair->has_schedule)
            continue;
        struct rh_text path = {0};
        rh_text_addf(&path, "%s%s%s-missing-%zu.schedule", options->save,
                     options->save[strlen(options->save) - 1] == '/' ? "" : "/", test->test,
                     ++*number);
        pair->schedule_path = rh_text_take(&path);
        status = rh_schedule_write(&pair->schedule, pair->schedule_path);
    }
    return status;
}

static struct rh_status save_schedules(const struct rh_options *options,
                                       struct rh_coverage_review *review)
{
    struct rh_status status = rh_ok();
    for (size_t i = 0; i < review->tests.count && options->save; i++) {
        struct rh_test_review *test = &review->tests.items[i];
        size_t number = 0;
        for (size_t k = 0; k < test->actors.count && rh_is_ok(&status); k++)
            status = save_actor(options, test, &test->actors.items[k], &number);
    }
    return status;
}

struct rh_status rh_coverage_read_all(struct rh_coverage_set *set, const char *const *paths,
                                      size_t count)
{
    struct rh_status status = rh_ok();
    for (size_t i = 0; i < count && rh_is_ok(&status); i++)
        status = rh_coverage_read(set, paths[i]);
    return status;
}

// A test that only explore or sample have run has no goals that could be shown.
static struct rh_status check_goals(const struct rh_coverage_set *set)
{
    for (size_t i = 0; i < set->entries.count; i++) {
        const struct rh_coverage_entry *entry = set->entries.items[i];
        bool was_covered = entry->coverage.actor_count > 0 || entry->kept.count > 0;
        if (!was_covered && entry->traffic.passages.count > 0 && entry->reached.sources.count == 0)
            return rh_bad_input("about test %s there is only what runs have taken of the message "
                                "flow graph, and neither goals, which cover looks for, nor lines, "
                                "which --lines adds: see rehearse graph --coverage",
                                entry->head.test);
    }
    return rh_ok();
}

static struct rh_status read_files(const struct rh_options *options, struct rh_coverage_set *set)
{
    if (options->operands.count == 0)
        return rh_bad_input("which file? see %s coverage --help", options->tool.name);
    struct rh_status status =
        rh_coverage_read_all(set, options->operands.items, options->operands.count);
    return rh_is_ok(&status) ? check_goals(set) : status;
}

static bool print_review(const struct rh_options *options, const struct rh_coverage_review *review)
{
    struct rh_text text = {0};
    if (options->json)
        rh_report_coverage_json(&text, review, options->fail_under);
    else
        rh_report_coverage(&text, review, options->fail_under);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed;
}

int rh_coverage_run(const struct rh_options *options)
{
    struct rh_coverage_set set = {0};
    struct rh_coverage_review review = {0};
    struct rh_status status = rh_save_check(options);
    if (rh_is_ok(&status))
        status = read_files(options, &set);
    if (rh_is_ok(&status))
        status = rh_coverage_review(&set, options->pairs, &review);
    if (rh_is_ok(&status))
        status = save_schedules(options, &review);
    bool is_printed = rh_is_ok(&status) && print_review(options, &review);
    bool is_enough = rh_coverage_review_percent(&review) >= options->fail_under;
    rh_coverage_review_fini(&review);
    rh_coverage_set_fini(&set);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    if (!is_printed)
        return RH_EXIT_FAILED;
    return is_enough ? RH_EXIT_NOTHING : RH_EXIT_FOUND;
}
