// SPDX-License-Identifier: MIT
#include "result/finding.h"

#include <stdlib.h>
#include <string.h>

void rh_finding_fini(struct rh_finding *finding)
{
    free(finding->message);
    free(finding->file);
    free(finding->actor);
    free(finding->shrunk.cause);
    free(finding->behaviour);
    free(finding->message_type);
    free(finding->schedule_path);
    rh_schedule_fini(&finding->schedule);
    rh_trace_fini(&finding->trace);
    rh_text_fini(&finding->output);
    *finding = (struct rh_finding){0};
}

static bool is_of(const struct rh_finding *finding, const struct rh_schedule *schedule)
{
    const char *file = finding->file ? finding->file : "";
    return schedule->finding_kind &&
           strcmp(rh_finding_kind_name(finding->kind), schedule->finding_kind) == 0 &&
           strcmp(file, schedule->finding_file ? schedule->finding_file : "") == 0;
}

struct rh_finding *rh_result_find(const struct rh_result *result,
                                  const struct rh_schedule *schedule)
{
    struct rh_finding *moved = NULL;
    for (size_t i = 0; i < result->findings.count; i++) {
        struct rh_finding *finding = &result->findings.items[i];
        if (!is_of(finding, schedule))
            continue;
        if (finding->line == schedule->finding_line)
            return finding;
        if (!moved)
            moved = finding;
    }
    return moved;
}

void rh_result_fini(struct rh_result *result)
{
    for (size_t i = 0; i < result->findings.count; i++)
        rh_finding_fini(&result->findings.items[i]);
    for (size_t i = 0; i < result->notes.count; i++)
        free(result->notes.items[i]);
    rh_vector_fini(&result->findings);
    rh_vector_fini(&result->notes);
    rh_trace_fini(&result->trace);
    rh_text_fini(&result->output);
    *result = (struct rh_result){0};
}

size_t rh_result_errors(const struct rh_result *result)
{
    size_t errors = 0;
    for (size_t i = 0; i < result->findings.count; i++)
        errors += result->findings.items[i].severity == RH_SEVERITY_ERROR;
    return errors;
}
