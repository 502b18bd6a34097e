// SPDX-License-Identifier: MIT
#include "cli/threads_json.h"

#include <string.h>

#include "base/file_name.h"
#include "report/json.h"
#include "threads/show.h"

static const char *strategy_of(const struct rh_threads_account *account)
{
    if (!strcmp(account->verb, "replay") || !strcmp(account->verb, "shrink"))
        return "replay";
    switch (account->options->mode) {
    case RH_MODE_RANDOM:
        return "random";
    case RH_MODE_PCT:
        return "pct";
    case RH_MODE_MIXED:
        return "mixed";
    default:
        return "dfs";
    }
}

static void set_place(struct rh_finding *finding, const struct rh_threads_finding *from,
                      struct rh_debug *debug)
{
    const char *file = from->file;
    int line = from->line;
    struct rh_text function = {0};
    if (!file && from->code)
        rh_debug_code_at(debug, from->code - 1, &function, &file, &line);
    RH_FINDING_SET(finding->file, file ? rh_base_name(file) : "");
    finding->line = line;
    rh_text_fini(&function);
}

static void add_finding(struct rh_result *result, const struct rh_threads_shown *from,
                        const struct rh_threads_account *account, const char *saved)
{
    struct rh_shown *shown = rh_vector_push(&result->findings);
    struct rh_text text = {0};
    shown->finding.kind = (enum rh_finding_kind)from->finding.kind;
    shown->finding.severity = rh_finding_kind_severity(shown->finding.kind);
    rh_threads_show_sentence(from, account->debug, &text);
    if (from->finding.kind == RH_FINDING_REFINEMENT && from->other_order.count) {
        rh_text_add(&text, "; ");
        rh_threads_show_other_order(&from->history, &from->compared.verdict, &from->other_order,
                                    &text);
    }
    RH_FINDING_SET(shown->finding.message, rh_text_get(&text));
    set_place(&shown->finding, &from->finding, account->debug);
    rh_text_clear(&text);
    rh__thread_print(from->finding.thread, &text);
    RH_FINDING_SET(shown->finding.actor, rh_text_get(&text));
    shown->finding.count = from->count;
    shown->steps = from->turns.count;
    shown->schedule_path = saved ? rh_strdup(saved) : NULL;
    if (from->shrunk.from) {
        shown->shrunk.from = from->shrunk.from;
        shown->shrunk.executions = from->shrunk.executions;
        shown->shrunk.is_done = true;
        shown->shrunk.is_least = from->shrunk.is_least;
        shown->shrunk.cause = rh_strdup(from->shrunk.cause ? from->shrunk.cause : "");
    }
    rh_text_fini(&text);
}

// The lines of the notes for people, without what they begin with.
static void add_notes(struct rh_result *result, const struct rh_threads_result *from)
{
    static const char head[] = "note:    ";
    struct rh_text text = {0};
    rh_threads_show_notes(from, &text);
    char *copy = rh_text_take(&text), *rest = copy, *line;
    while ((line = strsep(&rest, "\n")))
        if (!strncmp(line, head, strlen(head)))
            *rh_vector_push(&result->notes) = rh_strdup(line + strlen(head));
    free(copy);
}

static const char *reduction_of(enum rh_search_mode mode)
{
    return mode == RH_MODE_SOURCE ? "source" : mode == RH_MODE_OPTIMAL ? "optimal" : "none";
}

void rh_threads_add_json(const struct rh_threads_result *from,
                         const struct rh_threads_account *account, struct rh_text *text)
{
    const struct rh_threads_options *options = account->options;
    const char *strategy = strategy_of(account);
    bool is_whole = !strcmp(strategy, "dfs");
    struct rh_result result = {.program = options->program_count ? options->programs[0] : "?",
                               .test = from->test,
                               .verb = account->verb,
                               .strategy = strategy,
                               .reduction = is_whole ? reduction_of(options->mode) : "none",
                               .seed = is_whole || !strcmp(strategy, "replay") ? 0 : options->seed,
                               .complete = from->is_complete,
                               .pairs = account->pairs,
                               .stopped_by = from->stopped_by,
                               .executions = from->executions,
                               .deliveries = from->events,
                               .states = from->states,
                               .seconds = account->seconds};
    for (size_t i = 0; i < from->found.count; i++)
        add_finding(&result, &from->found.items[i], account,
                    account->saved ? account->saved[i] : NULL);
    add_notes(&result, from);
    struct rh_report_run run = {.results = &result, .count = 1};
    rh_report_json(text, &run, true, account->seconds >= 0);
    rh_result_fini(&result);
}

void rh_threads_json_begin(const char *program, const char *verb, struct rh_text *text)
{
    rh_text_add(text, "{\n  \"program\": ");
    rh_report_json_string(text, program);
    rh_text_add(text, ",\n  \"verb\": ");
    rh_report_json_string(text, verb);
    rh_text_add(text, ",\n  \"tests\": [");
}

void rh_threads_json_end(char *const *not_run, size_t count, struct rh_text *text)
{
    rh_text_add(text, "\n  ],\n  \"not_run\": [");
    for (size_t i = 0; i < count; i++) {
        rh_text_add(text, i ? ",\n    " : "\n    ");
        rh_report_json_string(text, not_run[i]);
    }
    rh_text_add(text, count ? "\n  ]\n}\n" : "]\n}\n");
}

void rh_threads_json_indent(struct rh_text *text, size_t start)
{
    char *copy = rh_strdup(rh_text_get(text) + start), *rest = copy, *line;
    rh_text_cut(text, start);
    while ((line = strsep(&rest, "\n")))
        if (*line)
            rh_text_addf(text, "\n    %s", line);
    free(copy);
}
