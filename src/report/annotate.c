// SPDX-License-Identifier: MIT
// Comments for the steps of a schedule, from the trace of the execution that it describes.
#include <string.h>

#include "report/text.h"
#include "report/trace_index.h"

// A comment ends with its line, and a long one hides the step.
static void add_on_one_line(struct rh_text *comment, const char *value)
{
    enum { LONGEST_COMMENT = 100 };
    for (size_t i = 0; value[i]; i++) {
        if (i == LONGEST_COMMENT) {
            rh_text_add(comment, "...");
            return;
        }
        rh_text_add_bytes(comment, value[i] == '\n' || value[i] == '\r' ? " " : &value[i], 1);
    }
}

static void annotate_step(struct rh_step *step, struct rh_trace_index *index)
{
    const struct rh_event *send = rh_trace_find_send(index, step->identity);
    if (!send)
        return;
    struct rh_text value = {0}, comment = {0};
    rh_trace_add_payload(index, &value, send);
    add_on_one_line(&comment, rh_text_get(&value));
    if (*send->file) {
        rh_text_add(&comment, comment.length ? " sent at " : "sent at ");
        rh_report_add_place(&comment, send->file, send->line);
    }
    if (comment.length)
        step->comment = rh_text_take(&comment);
    rh_text_fini(&comment);
    rh_text_fini(&value);
}

void rh_report_annotate(struct rh_finding *finding, struct rh_debug *debug)
{
    struct rh_trace_index index;
    rh_trace_index_init(&index, &finding->trace, debug);
    for (size_t i = 0; i < finding->schedule.steps.count; i++) {
        struct rh_step *step = &finding->schedule.steps.items[i];
        if (step->kind == RH_STEP_DELIVER && step->has_identity && !step->comment)
            annotate_step(step, &index);
    }
    rh_trace_index_fini(&index);
}
