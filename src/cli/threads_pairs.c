// SPDX-License-Identifier: MIT
#include "cli/threads_pairs.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/shell_word.h"
#include "threads/show.h"
#include "trace/finding_kind.h"

// --- After the search. ---

struct rh_status rh_threads_pairs_start(struct rh_threads_pairs *pairs)
{
    return pairs->hints_path ? rh_pair_hints_read(&pairs->hints, pairs->hints_path) : rh_ok();
}

// A pair that can't be, says a hint, was run.
static void contradict(const struct rh_threads_pairs *pairs, const struct rh_pair_row *row,
                       const struct rh_threads_test *test, const struct rh_threads_options *options,
                       struct rh_threads_result *result)
{
    struct rh_threads_shown *shown = rh_vector_push(&result->found);
    struct rh_text text = {0};
    rh_text_addf(&text, "%s:%d says that it can't be: ", pairs->hints_path, row->hint);
    rh_pair_line_print(&row->first, &text);
    rh_text_add(&text, ", then ");
    rh_pair_line_print(&row->second, &text);
    *shown = (struct rh_threads_shown){
        .finding = {
            .kind = RH_FINDING_RULED_OUT,
            .code =
                options->pairs->places.items[options->pairs->pairs.items[row->pair].second].code,
            .other_thread = -1}};
    snprintf(shown->finding.text, sizeof shown->finding.text, "%s", rh_text_get(&text));
    rh_threads_show_pair(test, options, &options->pairs->pairs.items[row->pair], shown);
    rh_text_fini(&text);
}

struct rh_status rh_threads_pairs_finish(struct rh_threads_pairs *pairs,
                                         const struct rh_threads_test *test,
                                         const struct rh_threads_options *options,
                                         struct rh_debug *debug, struct rh_threads_result *result)
{
    rh_pair_rows_init(&pairs->rows, options->pairs, debug, &pairs->hints);
    for (size_t i = 0; i < pairs->rows.rows.count; i++) {
        const struct rh_pair_row *row = &pairs->rows.rows.items[i];
        if (row->hint && row->state == RH_PAIR_COVERED)
            contradict(pairs, row, test, options, result);
    }
    if (!pairs->target)
        return rh_ok();
    if (pairs->target > pairs->rows.rows.count)
        return rh_bad_input("test %s has %zu pairs, and none with the number %" PRIu64, test->name,
                            pairs->rows.rows.count, pairs->target);
    const struct rh_pair_row *row = &pairs->rows.rows.items[pairs->target - 1];
    if (row->state != RH_PAIR_COVERED)
        return rh_ok();
    pairs->shown = (struct rh_threads_shown){.finding.kind = RH_FINDING_KIND_COUNT};
    rh_threads_show_pair(test, options, &options->pairs->pairs.items[row->pair], &pairs->shown);
    return rh_ok();
}

void rh_threads_pairs_fini(struct rh_threads_pairs *pairs)
{
    rh_vector_fini(&pairs->shown.turns);
    rh_vector_fini(&pairs->shown.choices);
    free(pairs->shown.log);
    free(pairs->saved);
    pairs->shown = (struct rh_threads_shown){0};
    pairs->saved = NULL;
    rh_pair_rows_fini(&pairs->rows);
}

// --- Text. ---

static void add_head(const struct rh_threads_result *result,
                     const struct rh_threads_options *options, const struct rh_pair_rows *rows,
                     struct rh_text *text)
{
    size_t covered = rows->counts[RH_PAIR_COVERED], open = rows->counts[RH_PAIR_OPEN];
    rh_text_addf(text,
                 "%s: test %s: %zu of %zu pair%s covered, %zu ruled out, in %" PRIu64
                 " execution%s, %" PRIu64 " of them for pairs%s\n",
                 options->program_count ? options->programs[0] : "?", result->test, covered,
                 covered + open, covered + open == 1 ? "" : "s", rows->counts[RH_PAIR_RULED_OUT],
                 result->executions, result->executions == 1 ? "" : "s", options->pairs->followed,
                 options->pairs->is_complete ? ", complete" : "");
}

void rh_threads_pairs_count(const struct rh_threads_pairs *pairs,
                            const struct rh_threads_options *options, struct rh_text *text)
{
    size_t covered = pairs->rows.counts[RH_PAIR_COVERED];
    rh_text_addf(text,
                 "pairs:   %zu of %zu covered, the last in execution %" PRIu64 ", with %" PRIu64
                 " executions made for pairs; rehearse pairs lists them, and says which can't be\n",
                 covered, covered + pairs->rows.counts[RH_PAIR_OPEN], options->pairs->last_news,
                 options->pairs->followed);
}

static void add_saved(const char *saved, struct rh_text *text)
{
    if (!saved)
        return;
    rh_text_addf(text, "saved:   %s\nreplay:  rehearse replay", saved);
    rh_text_add_argument(text, saved);
    rh_text_add(text, "\n");
}

static void add_found(const struct rh_threads_shown *shown, struct rh_debug *debug,
                      const char *saved, struct rh_text *text)
{
    rh_text_addf(text, "\n%s: ", rh_finding_kind_name((enum rh_finding_kind)shown->finding.kind));
    rh_threads_show_sentence(shown, debug, text);
    rh_text_add(text, "\n");
    if (shown->finding.kind == RH_FINDING_RULED_OUT)
        rh_threads_show_events(shown, debug, text);
    add_saved(saved, text);
}

static void add_target(const struct rh_threads_pairs *pairs, struct rh_debug *debug,
                       struct rh_text *text)
{
    const struct rh_pair_row *row = &pairs->rows.rows.items[pairs->target - 1];
    rh_text_addf(text, "\npair %" PRIu64 ": ", pairs->target);
    rh_pair_line_print(&row->first, text);
    rh_text_add(text, ", then ");
    rh_pair_line_print(&row->second, text);
    if (row->state != RH_PAIR_COVERED) {
        rh_text_addf(text, ": %s, no execution shows it\n", rh_pair_state_name(row->state));
        return;
    }
    rh_text_add(text, "\n");
    rh_threads_show_events(&pairs->shown, debug, text);
    add_saved(pairs->saved, text);
}

static void add_hint_notes(const struct rh_threads_pairs *pairs, struct rh_text *text)
{
    for (size_t i = 0; i < pairs->hints.items.count; i++)
        if (!pairs->hints.items.items[i].is_used)
            rh_text_addf(text, "note:    %s:%d is no pair of this test\n", pairs->hints_path,
                         pairs->hints.items.items[i].line);
}

void rh_threads_pairs_print(const struct rh_threads_pairs *pairs,
                            const struct rh_threads_result *result,
                            const struct rh_threads_options *options, struct rh_debug *debug,
                            char *const *saved, struct rh_text *text)
{
    add_head(result, options, &pairs->rows, text);
    rh_pair_rows_print(&pairs->rows, text);
    for (size_t i = 0; i < result->found.count; i++)
        add_found(&result->found.items[i], debug, saved[i], text);
    if (pairs->target)
        add_target(pairs, debug, text);
    rh_threads_show_notes(result, text);
    add_hint_notes(pairs, text);
    rh_text_add(text, "note:    this says what was tried, and is no measure of when to stop\n");
}
