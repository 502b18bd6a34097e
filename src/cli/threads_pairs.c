// SPDX-License-Identifier: MIT
#include "cli/threads_pairs.h"

#include <inttypes.h>

#include "base/shell_word.h"
#include "threads/pairs_rows.h"
#include "threads/show.h"
#include "trace/finding_kind.h"

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

static void add_found(const struct rh_threads_shown *shown, struct rh_debug *debug,
                      const char *saved, struct rh_text *text)
{
    rh_text_addf(text, "\n%s: ", rh_finding_kind_name((enum rh_finding_kind)shown->finding.kind));
    rh_threads_show_sentence(shown, debug, text);
    rh_text_add(text, "\n");
    if (!saved)
        return;
    rh_text_addf(text, "saved:   %s\nreplay:  rehearse replay", saved);
    rh_text_add_argument(text, saved);
    rh_text_add(text, "\n");
}

void rh_threads_add_pairs(const struct rh_threads_result *result,
                          const struct rh_threads_options *options, const struct rh_pair_rows *rows,
                          struct rh_debug *debug, char *const *saved, struct rh_text *text)
{
    add_head(result, options, rows, text);
    rh_pair_rows_print(rows, text);
    for (size_t i = 0; i < result->found.count; i++)
        add_found(&result->found.items[i], debug, saved[i], text);
    rh_threads_show_notes(result, text);
    rh_text_add(text, "note:    this says what was tried, and is no measure of when to stop\n");
}
