// SPDX-License-Identifier: MIT
#include "result/finding.h"

#include "test.h"

static void kinds_have_names(void)
{
    for (unsigned i = 0; i < RH_FINDING_KIND_COUNT; i++) {
        enum rh_finding_kind kind = RH_FINDING_KIND_COUNT;
        EXPECT(rh_finding_kind_parse(rh_finding_kind_name((enum rh_finding_kind)i), &kind));
        EXPECT(kind == (enum rh_finding_kind)i);
    }
    enum rh_finding_kind kind = RH_FINDING_HANG;
    EXPECT(!rh_finding_kind_parse("", &kind) && !rh_finding_kind_parse("Check", &kind));
    EXPECT(!rh_finding_kind_parse("shared_state", &kind) && kind == RH_FINDING_HANG);
    EXPECT_TEXT(rh_finding_kind_name(RH_FINDING_SHARED_STATE), "shared-state");
}

// The four kinds that are warnings by default are part of the contract.
static void severities_are_as_promised(void)
{
    int warnings = 0;
    for (unsigned i = 0; i < RH_FINDING_KIND_COUNT; i++)
        warnings += rh_finding_kind_severity((enum rh_finding_kind)i) == RH_SEVERITY_WARNING;
    EXPECT(warnings == 4);
    EXPECT(rh_finding_kind_severity(RH_FINDING_UNDELIVERED) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_LEFTOVER) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_LEAK) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_BOUND) == RH_SEVERITY_WARNING);
}

static void results_count_and_free(void)
{
    struct rh_result result = {0};
    EXPECT(rh_result_errors(&result) == 0);
    for (int i = 0; i < 3; i++) {
        struct rh_finding *finding = rh_vector_push(&result.findings);
        finding->severity = i ? RH_SEVERITY_ERROR : RH_SEVERITY_WARNING;
        finding->message = rh_strdup("something is wrong");
        finding->file = rh_strdup("bank.c");
        finding->actor = rh_strdup("account#1");
        finding->schedule.test = rh_strdup("overdraw");
        *rh_vector_push(&finding->schedule.programs) = rh_strdup("bank.c");
        rh_vector_push(&finding->trace.events)->actor = rh_strdup("account#1");
        rh_text_add(&finding->output, "printed");
    }
    *rh_vector_push(&result.notes) = rh_strdup("re-executed after fopen");
    EXPECT(rh_result_errors(&result) == 2);
    rh_result_fini(&result);
    EXPECT(result.findings.count == 0 && result.notes.count == 0);
    rh_result_fini(&result);
}

int main(void)
{
    kinds_have_names();
    severities_are_as_promised();
    results_count_and_free();
    return 0;
}
