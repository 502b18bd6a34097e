// SPDX-License-Identifier: MIT
#include "result/result.h"

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

// The seven kinds that are warnings by default are part of the contract.
static void severities_are_as_promised(void)
{
    int warnings = 0;
    for (unsigned i = 0; i < RH_FINDING_KIND_COUNT; i++)
        warnings += rh_finding_kind_severity((enum rh_finding_kind)i) == RH_SEVERITY_WARNING;
    EXPECT(warnings == 7);
    EXPECT(rh_finding_kind_severity(RH_FINDING_UNDELIVERED) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_LEFTOVER) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_LEAK) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_UNSET) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_REACHED) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_BOUND) == RH_SEVERITY_WARNING);
    EXPECT(rh_finding_kind_severity(RH_FINDING_UNSERIAL) == RH_SEVERITY_WARNING);
}

static void results_count_and_free(void)
{
    struct rh_result result = {0};
    EXPECT(rh_result_errors(&result) == 0);
    for (int i = 0; i < 3; i++) {
        struct rh_shown *shown = rh_vector_push(&result.findings);
        shown->finding.severity = i ? RH_SEVERITY_ERROR : RH_SEVERITY_WARNING;
        shown->schedule_path = rh_strdup("overdraw.schedule");
        shown->schedule.test = rh_strdup("overdraw");
        *rh_vector_push(&shown->schedule.programs) = rh_strdup("bank.c");
        rh_vector_push(&shown->execution.events)->actor = rh_strdup("account#1");
        rh_text_add(&shown->output, "printed");
    }
    *rh_vector_push(&result.notes) = rh_strdup("re-executed after fopen");
    EXPECT(rh_result_errors(&result) == 2);
    EXPECT(rh_result_main(&result) == &result.findings.items[1]);
    rh_result_fini(&result);
    EXPECT(result.findings.count == 0 && result.notes.count == 0);
    rh_result_fini(&result);
}

static void verdicts_claim_no_more_than_is_known(void)
{
    struct rh_result result = {.complete = true};
    EXPECT(rh_result_judge(&result) == RH_VERDICT_HOLDS && !rh_result_main(&result));
    rh_vector_push(&result.findings)->finding.severity = RH_SEVERITY_WARNING;
    EXPECT(rh_result_judge(&result) == RH_VERDICT_HOLDS);
    EXPECT(rh_result_main(&result) == &result.findings.items[0]);
    result.complete = false;
    EXPECT(rh_result_judge(&result) == RH_VERDICT_UNKNOWN);
    result.findings.items[0].finding.severity = RH_SEVERITY_ERROR;
    EXPECT(rh_result_judge(&result) == RH_VERDICT_VIOLATED);
    rh_result_fini(&result);
}

static void add_event(struct rh_execution *execution, enum rh_event_kind kind, uint32_t delivery,
                      int64_t number)
{
    rh_execution_add(execution,
                     &(struct rh_event){.kind = kind, .delivery = delivery, .number = number});
}

// Of what leaves no event behind, it depends on the kind whether the last delivery is to blame.
static void findings_know_their_delivery(void)
{
    struct rh_execution execution = {0};
    add_event(&execution, RH_EVENT_DELIVER, 1, 0);
    add_event(&execution, RH_EVENT_FINDING, 1, RH_FINDING_CHECK);
    add_event(&execution, RH_EVENT_DELIVER, 2, 0);
    add_event(&execution, RH_EVENT_FINDING, 2, RH_FINDING_CHECK);
    struct rh_finding finding = {.kind = RH_FINDING_CHECK};
    EXPECT(rh_finding_find_delivery(&finding, &execution) == 1);
    finding.kind = RH_FINDING_CRASH;
    EXPECT(rh_finding_find_delivery(&finding, &execution) == 2);
    finding.kind = RH_FINDING_NONDETERMINISM;
    EXPECT(rh_finding_find_delivery(&finding, &execution) == 0);
    rh_execution_fini(&execution);
}

// What a schedule is saved for is found again in the file, and told from its neighbours.
static void findings_are_told_apart(void)
{
    struct rh_finding finding = {.kind = RH_FINDING_CHECK, .line = 7}, other;
    char lengthy[2 * RH_FILE_MOST];
    memset(lengthy, 'a', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    RH_FINDING_SET(finding.file, lengthy);
    EXPECT(strlen(finding.file) == RH_FILE_MOST - 1);
    RH_FINDING_SET(finding.file, "bank.c");
    RH_FINDING_SET(finding.actor, NULL);
    EXPECT_TEXT(finding.actor, "");
    other = finding;
    RH_FINDING_SET(other.actor, "account#2");
    RH_FINDING_SET(other.message, "in other words");
    EXPECT(rh_finding_is_same(&finding, &other));
    RH_FINDING_SET(other.message_type, "deposit");
    EXPECT(!rh_finding_is_same(&finding, &other));
    struct rh_schedule schedule = {0};
    EXPECT(!rh_finding_is_of(&finding, &schedule));
    rh_finding_head(&finding, &schedule);
    EXPECT(rh_finding_is_of(&finding, &schedule) && schedule.finding_line == 7);
    other.kind = RH_FINDING_CRASH;
    EXPECT(!rh_finding_is_of(&other, &schedule));
    rh_schedule_fini(&schedule);
}

int main(void)
{
    kinds_have_names();
    severities_are_as_promised();
    results_count_and_free();
    verdicts_claim_no_more_than_is_known();
    findings_know_their_delivery();
    findings_are_told_apart();
    return 0;
}
