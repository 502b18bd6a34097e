// SPDX-License-Identifier: MIT
// The way to a line in words.
#include "report/reached.h"

#include <inttypes.h>

static const char *const goals[] = {
    [RH_GOAL_LINE] = "",
    [RH_GOAL_CHECK] = "the check on ",
    [RH_GOAL_DEREFERENCE] = "a bad pointer or index on ",
};

static void add_notes(struct rh_text *text, const struct rh_reached *reached)
{
    for (size_t i = 0; i < reached->note_count; i++) {
        const struct rh_generate_note *note = &reached->notes[i];
        rh_text_addf(text, "%s%s", i == 0 ? "not followed: " : "              ", note->text);
        if (note->place.file)
            rh_text_addf(text, "  at %s:%u", note->place.file, (unsigned)note->place.line);
        rh_text_add(text, "\n");
    }
}

static void add_place(struct rh_text *text, const char *head, const char *file, uint32_t line)
{
    rh_text_addf(text, "%-8s %s:%u", head, file, (unsigned)line);
}

// How near a search has come: which condition was not met, and why.
static void add_nearest(struct rh_text *text, const struct rh_reached_nearest *nearest)
{
    if (nearest->missing)
        rh_text_addf(text, "missing: %s\n", nearest->missing);
    if (!nearest->file)
        return;
    add_place(text, "nearest:", nearest->file, nearest->line);
    rh_text_addf(text, "%s%s\n", nearest->source ? "  " : "",
                 nearest->source ? nearest->source : "");
    if (nearest->seen_count)
        rh_text_addf(text, "needs:   %s\n", nearest->seen[0]);
    for (uint32_t i = 0; i < nearest->against_count; i++) {
        add_place(text, i ? "" : "but:", nearest->against[i].file, nearest->against[i].line);
        rh_text_addf(text, "  %s\n", nearest->against[i].text);
    }
    for (uint32_t i = 1; i < nearest->seen_count; i++)
        rh_text_addf(text, "or:      %s\n", nearest->seen[i]);
    if (nearest->has_more)
        rh_text_add(text, "or:      ...\n");
}

static void add_way(struct rh_text *text, const struct rh_reached *reached)
{
    static const char *const steps[] = {
        [RH_STEP_COVERAGE] = "in a run of the test as it is, as the coverage file says",
        [RH_STEP_SAMPLE] = "in runs of the test as it is",
        [RH_STEP_FORWARD] = "by a search forward from the test's set-up",
        [RH_STEP_BACKWARD] = "by a search backward from the place",
        [RH_STEP_RANDOM] = "in runs with messages that were drawn",
    };
    static const char *const verbs[] = {
        [RH_GOAL_LINE] = "is reached",
        [RH_GOAL_CHECK] = "fails",
        [RH_GOAL_DEREFERENCE] = "is used",
    };
    rh_text_addf(text, " %s in test %s\n", verbs[reached->goal], reached->test);
    rh_text_add(text, reached->told);
    rh_text_addf(text, "found:   %s\n", steps[reached->step]);
    rh_text_addf(text, "saved:   %s\nreplay:  %s\n", reached->saved, reached->replay);
}

// A check holds, and a pointer or an index is good, where it is unreachable that they do not.
static void add_proof(struct rh_text *text, const struct rh_reached *reached)
{
    static const char *const verbs[] = {
        [RH_GOAL_LINE] = "is unreachable",
        [RH_GOAL_CHECK] = "never fails",
        [RH_GOAL_DEREFERENCE] = "is never used",
    };
    rh_text_addf(text, " %s", verbs[reached->goal]);
    if (reached->is_tried && reached->messages == 0)
        rh_text_add(text, " without messages from outside");
    else if (reached->is_tried)
        rh_text_addf(text, " with at most %" PRIu64 " message%s from outside", reached->messages,
                     reached->messages == 1 ? "" : "s");
    rh_text_addf(text, ": %s\n", reached->reason);
}

void rh_report_reached_text(struct rh_text *text, const struct rh_reached *reached)
{
    rh_text_addf(text, "%s%s:%u", goals[reached->goal], reached->file, (unsigned)reached->line);
    if (reached->verdict == RH_REACHED_YES) {
        add_way(text, reached);
        return;
    }
    if (reached->verdict == RH_REACHED_UNREACHABLE) {
        add_proof(text, reached);
        add_nearest(text, &reached->nearest);
        return;
    }
    rh_text_addf(text, ": not found within %" PRIu64 " queries\n", reached->queries);
    if (reached->is_tried)
        rh_text_addf(text,
                     "tried:   all values and orders with at most %" PRIu64
                     " messages from outside; --messages N for more\n",
                     reached->messages);
    if (reached->refuted)
        rh_text_addf(text, "refuted: %" PRIu64 " ways that were found went elsewhere when run\n",
                     reached->refuted);
    add_nearest(text, &reached->nearest);
    add_notes(text, reached);
}

void rh_report_reached_row(struct rh_text *text, const struct rh_reached *reached)
{
    rh_text_addf(text, "%s:%u", reached->file, (unsigned)reached->line);
    if (reached->verdict == RH_REACHED_YES)
        rh_text_addf(text, " is reached in test %s: %s\n", reached->test, reached->saved);
    else
        rh_text_add(text, reached->verdict == RH_REACHED_UNREACHABLE ? " is unreachable\n"
                                                                     : " was not found\n");
}

void rh_report_reached_sum(struct rh_text *text, const uint64_t *counts, uint64_t left_out)
{
    rh_text_addf(text, "%" PRIu64 " reached, %" PRIu64 " unreachable, %" PRIu64 " not found",
                 counts[RH_REACHED_YES], counts[RH_REACHED_UNREACHABLE], counts[RH_REACHED_NOT]);
    if (left_out)
        rh_text_addf(text, "; %" PRIu64 " left out: no handler comes there", left_out);
    rh_text_add(text, "\n");
}
