// SPDX-License-Identifier: MIT
#include "result/result.h"

#include <stdlib.h>

void rh_shown_fini(struct rh_shown *shown)
{
    free(shown->shrunk.cause);
    free(shown->schedule_path);
    rh_schedule_fini(&shown->schedule);
    rh_execution_fini(&shown->execution);
    rh_text_fini(&shown->output);
    *shown = (struct rh_shown){0};
}

struct rh_shown *rh_result_find(const struct rh_result *result, const struct rh_schedule *schedule)
{
    struct rh_shown *moved = NULL;
    for (size_t i = 0; i < result->findings.count; i++) {
        struct rh_shown *shown = &result->findings.items[i];
        if (!rh_finding_is_of(&shown->finding, schedule))
            continue;
        if (shown->finding.line == schedule->finding_line)
            return shown;
        if (!moved)
            moved = shown;
    }
    return moved;
}

static bool is_error(const struct rh_shown *shown)
{
    return shown->finding.severity == RH_SEVERITY_ERROR;
}

const struct rh_shown *rh_result_main(const struct rh_result *result)
{
    for (size_t i = 0; i < result->findings.count; i++)
        if (is_error(&result->findings.items[i]))
            return &result->findings.items[i];
    return result->findings.count > 0 ? &result->findings.items[0] : NULL;
}

void rh_result_fini(struct rh_result *result)
{
    for (size_t i = 0; i < result->findings.count; i++)
        rh_shown_fini(&result->findings.items[i]);
    for (size_t i = 0; i < result->notes.count; i++)
        free(result->notes.items[i]);
    rh_vector_fini(&result->findings);
    rh_vector_fini(&result->notes);
    rh_execution_fini(&result->execution);
    rh_text_fini(&result->output);
    free(result->refusal);
    *result = (struct rh_result){0};
}

size_t rh_result_errors(const struct rh_result *result)
{
    size_t errors = 0;
    for (size_t i = 0; i < result->findings.count; i++)
        errors += is_error(&result->findings.items[i]);
    return errors;
}

enum rh_verdict rh_result_judge(const struct rh_result *result)
{
    if (rh_result_errors(result) > 0)
        return RH_VERDICT_VIOLATED;
    bool is_all = result->complete || (result->is_in_order && result->came_to_end);
    return is_all ? RH_VERDICT_HOLDS : RH_VERDICT_UNKNOWN;
}
