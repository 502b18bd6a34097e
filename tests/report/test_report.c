// SPDX-License-Identifier: MIT
#include "report/json.h"
#include "report/text.h"
#include "test.h"

static void add_event(struct rh_execution *execution, enum rh_event_kind kind, uint32_t delivery,
                      uint64_t identity, const char *actor, const char *peer)
{
    rh_execution_add(execution, &(struct rh_event){
                                    .kind = kind,
                                    .delivery = delivery,
                                    .identity = identity,
                                    .actor = rh_strdup(actor),
                                    .peer = rh_strdup(peer),
                                    .type = rh_strdup("ping"),
                                    .file = rh_strdup(kind == RH_EVENT_DELIVER ? "" : "game.c"),
                                    .line = 12,
                                    .text = rh_strdup(""),
                                });
}

// A finding in the last of `count` deliveries.
static void make_result(struct rh_result *result, uint32_t count)
{
    *result = (struct rh_result){
        .program = "game.c",
        .test = "play",
        .verb = "explore",
        .strategy = "dfs",
        .reduction = "none",
        .stopped_by = RH_STOP_FINDING,
        .executions = 1,
        .deliveries = count,
        .seconds = 1.5,
    };
    struct rh_shown *shown = rh_vector_push(&result->findings);
    shown->finding = (struct rh_finding){.kind = RH_FINDING_CHECK,
                                         .severity = RH_SEVERITY_ERROR,
                                         .message = "bad \xff byte",
                                         .delivery = count,
                                         .count = 2};
    shown->schedule_path = rh_strdup("play.schedule");
    for (uint32_t i = 1; i <= count; i++) {
        add_event(&shown->execution, RH_EVENT_SEND, i - 1, i, "outside", "ball#1");
        add_event(&shown->execution, RH_EVENT_DELIVER, i, i, "ball#1", "outside");
    }
    add_event(&shown->execution, RH_EVENT_FINDING, count, 0, "ball#1", "");
    shown->execution.events.items[2 * count].number = RH_FINDING_CHECK;
}

static void text(void)
{
    struct rh_result result;
    struct rh_text output = {0};
    const struct rh_report_style style = {.replay_command = "rehearse replay", .times = true};
    make_result(&result, 2);
    rh_report_text(&output, &result, &style);
    EXPECT_TEXT(rh_text_get(&output),
                "game.c: test play: FAILED after 1 execution, 2 deliveries, 1.50 s\n\n"
                "check: bad \xff byte, seen 2 times\n"
                "      1  outside -> ball#1  ping  game.c:12\n"
                " *    2  outside -> ball#1  ping  game.c:12\n"
                "saved:   play.schedule\n"
                "replay:  rehearse replay play.schedule\n"
                "next:    rehearse replay --gdb play.schedule stops in the handler that fails\n");
    rh_text_fini(&output);
    rh_result_fini(&result);
}

// A message that waits is handled by nobody, and its place is where it was sent.
static void waiting_messages_are_not_handled(void)
{
    static const enum rh_finding_kind kinds[] = {RH_FINDING_DEADLOCK, RH_FINDING_LEFTOVER,
                                                 RH_FINDING_UNDELIVERED, RH_FINDING_LEAK,
                                                 RH_FINDING_CHECK};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct rh_result result;
        struct rh_text output = {0};
        make_result(&result, 1);
        struct rh_finding *finding = &result.findings.items[0].finding;
        finding->kind = kinds[i];
        finding->line = 7;
        RH_FINDING_SET(finding->file, "game.c");
        RH_FINDING_SET(finding->actor, "ball#1");
        RH_FINDING_SET(finding->message_type, "ping");
        rh_report_text(&output, &result, &(struct rh_report_style){.replay_command = "replay"});
        EXPECT_PART(rh_text_get(&output), kinds[i] == RH_FINDING_CHECK
                                              ? "byte  at game.c:7 in ball#1 (handling ping), seen"
                                          : kinds[i] == RH_FINDING_LEAK
                                              ? "byte  at game.c:7 in ball#1, seen"
                                              : "byte  (ping sent at game.c:7), seen");
        rh_text_fini(&output);
        rh_result_fini(&result);
    }
}

// Adds a finding of another kind that comes of the same deliveries, or of one more.
static void add_second_finding(struct rh_result *result, enum rh_finding_kind kind, uint32_t count)
{
    struct rh_result other;
    make_result(&other, count);
    *rh_vector_push(&result->findings) = other.findings.items[0];
    result->findings.items[result->findings.count - 1].finding.kind = kind;
    rh_vector_fini(&other.findings);
}

static void equal_deliveries_are_shown_once(void)
{
    struct rh_result result;
    struct rh_text output = {0};
    make_result(&result, 3);
    add_second_finding(&result, RH_FINDING_LIVELOCK, 3);
    add_second_finding(&result, RH_FINDING_UNHANDLED, 4);
    rh_report_text(&output, &result, &(struct rh_report_style){.replay_command = "replay"});
    EXPECT_PART(rh_text_get(&output), "livelock: bad \xff byte, seen 2 times\n"
                                      "         (the same deliveries as for check above)\n"
                                      "saved:");
    EXPECT_PART(rh_text_get(&output), "unhandled: bad \xff byte, seen 2 times\n"
                                      "      1  outside");
    rh_text_fini(&output);
    rh_result_fini(&result);
}

static void set_file(struct rh_execution *execution, size_t event, const char *file)
{
    free(execution->events.items[event].file);
    execution->events.items[event].file = rh_strdup(file);
}

// Long paths go without their folders unless two files of one name take part.
static void long_paths_do_not_wreck_the_table(void)
{
    struct rh_result result;
    struct rh_text output = {0};
    const struct rh_report_style style = {.replay_command = "replay"};
    make_result(&result, 2);
    struct rh_execution *execution = &result.findings.items[0].execution;
    set_file(execution, 0, "/a/long/path/to/the/sources/of/game.c");
    set_file(execution, 2, "/a/long/path/to/the/sources/of/rules.c");
    set_file(execution, 4, "/a/long/path/to/the/sources/of/rules.c");
    rh_report_text(&output, &result, &style);
    EXPECT_PART(rh_text_get(&output), "ball#1  ping  game.c:12\n");
    EXPECT_PART(rh_text_get(&output), "ball#1  ping  rules.c:12\n");
    rh_text_clear(&output);
    set_file(execution, 2, "another/game.c");
    rh_report_text(&output, &result, &style);
    EXPECT_PART(rh_text_get(&output), "ball#1  ping  /a/long/path/to/the/sources/of/game.c:12\n");
    EXPECT_PART(rh_text_get(&output), "ball#1  ping  another/game.c:12\n");
    rh_text_fini(&output);
    rh_result_fini(&result);
}

static void long_traces_are_abridged(void)
{
    struct rh_result result;
    struct rh_text output = {0};
    struct rh_report_style style = {.replay_command = "rehearse replay"};
    make_result(&result, 200);
    rh_report_text(&output, &result, &style);
    EXPECT_PART(rh_text_get(&output), "     20  outside");
    EXPECT_PART(rh_text_get(&output),
                "... 150 deliveries, which replay shows ...\n    171  outside");
    EXPECT_PART(rh_text_get(&output), " *  200  outside");
    EXPECT(!strstr(rh_text_get(&output), "     21  outside"));
    rh_text_clear(&output);
    style.full = true;
    rh_report_text(&output, &result, &style);
    EXPECT_PART(rh_text_get(&output), "     21  outside");
    rh_text_fini(&output);
    rh_result_fini(&result);
}

static void json(void)
{
    struct rh_result result;
    struct rh_text output = {0};
    make_result(&result, 1);
    struct rh_report_run run = {.results = &result, .count = 1};
    rh_report_json(&output, &run, true, false);
    EXPECT_TEXT(rh_text_get(&output),
                "{\n  \"program\": \"game.c\",\n  \"test\": \"play\",\n  \"verb\": \"explore\",\n"
                "  \"strategy\": \"dfs\",\n  \"reduction\": \"none\",\n  \"delivery\": \"fifo\",\n"
                "  \"environment\": \"quiet\",\n"
                "  \"seed\": 0,\n  \"complete\": false,\n  \"stopped_by\": \"finding\",\n"
                "  \"executions\": 1,\n  \"deliveries\": 1,\n  \"states\": 0,\n"
                "  \"findings\": [\n    {\n      \"kind\": \"check\",\n"
                "      \"severity\": \"error\",\n      \"message\": \"bad \xef\xbf\xbd byte\",\n"
                "      \"file\": null,\n      \"line\": null,\n      \"actor\": null,\n"
                "      \"behaviour\": null,\n"
                "      \"schedule\": \"play.schedule\",\n      \"steps\": 0,\n"
                "      \"count\": 2\n    }\n  ],\n  \"coverage\": {},\n  \"notes\": []\n}\n");
    rh_text_clear(&output);
    *rh_vector_push(&result.notes) = rh_strdup("said once");
    static const struct rh_test left[] = {{.name = "second"}, {.name = "third"}};
    rh_report_json(&output, &run, false, true);
    EXPECT_PART(rh_text_get(&output), "\"not_run\": []\n");
    run.not_run = left;
    run.not_run_count = 2;
    rh_report_json(&output, &run, false, true);
    EXPECT_PART(rh_text_get(&output), "\"not_run\": [\n    \"second\",\n    \"third\"\n  ]\n");
    EXPECT_PART(rh_text_get(&output), "\"notes\": [\n        \"said once\"\n");
    EXPECT_PART(rh_text_get(&output), "\"tests\": [");
    EXPECT_PART(rh_text_get(&output), "\"seconds\": 1.5,");
    rh_text_fini(&output);
    rh_result_fini(&result);
}

static void verdicts(void)
{
    struct rh_result results[3] = {{.verdict = RH_VERDICT_HOLDS}, {.verdict = RH_VERDICT_UNKNOWN}};
    make_result(&results[2], 1);
    results[2].verdict = RH_VERDICT_VIOLATED;
    struct rh_text output = {0};
    struct rh_report_run run = {.results = results, .count = 3};
    rh_report_summary(&output, &run, &(struct rh_report_style){0});
    EXPECT_TEXT(rh_text_get(&output), "1 passed, 1 failed, 1 undecided (nothing found, but not "
                                      "every order was tried)\n");
    rh_text_clear(&output);
    run.not_run_count = 2;
    rh_report_summary(&output, &run, &(struct rh_report_style){0});
    EXPECT_PART(rh_text_get(&output), "tried), 2 not run\n");
    rh_text_fini(&output);
    rh_result_fini(&results[2]);
}

static void every_kind_has_advice(void)
{
    for (int kind = 0; kind < RH_FINDING_KIND_COUNT; kind++) {
        struct rh_shown shown = {.finding = {.kind = (enum rh_finding_kind)kind}};
        struct rh_text output = {0};
        rh_report_advice(&output, &shown,
                         &(struct rh_report_style){.replay_command = "rehearse replay"});
        EXPECT(output.length > 20);
        EXPECT(!strchr(rh_text_get(&output), '%'));
        rh_text_fini(&output);
    }
}

int main(void)
{
    text();
    waiting_messages_are_not_handled();
    equal_deliveries_are_shown_once();
    long_paths_do_not_wreck_the_table();
    long_traces_are_abridged();
    json();
    verdicts();
    every_kind_has_advice();
    return 0;
}
