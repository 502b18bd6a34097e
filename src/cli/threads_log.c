// SPDX-License-Identifier: MIT
#include "cli/threads_log.h"

#include <inttypes.h>

#include "base/file_name.h"
#include "threads/commit.h"
#include "threads/log_file.h"
#include "threads/run.h"
#include "threads/show_commit.h"
#include "threads/specification.h"
#include "trace/finding_kind.h"

enum { MOMENTS_SHOWN = 20 };

// With how many calls it shows.
static size_t count_calls(const struct rh_log *log, size_t last)
{
    size_t calls = 0;
    for (size_t i = 0; i <= last && i < log->moment_count; i++)
        calls += log->moments[i].kind == RH_MOMENT_CALL;
    return calls;
}

static void add_head(const struct rh_log *log, const struct rh_compared *compared, const char *path,
                     bool has_failed, struct rh_text *text)
{
    size_t last = compared->verdict.wrong ? compared->verdict.moment : log->moment_count;
    rh_text_addf(text, "%s: %s", path, has_failed ? "FAILED after " : "passed, ");
    if (has_failed)
        rh_text_addf(text, "%zu of ", count_calls(log, last));
    rh_text_addf(text, "%zu operation%s of %" PRIu32 " thread%s, %zu commit%s",
                 log->operation_count, log->operation_count == 1 ? "" : "s", log->callers,
                 log->callers == 1 ? "" : "s", log->commit_count,
                 log->commit_count == 1 ? "" : "s");
    rh_text_addf(text, ", %" PRIu64 " view%s\n", log->has_views, log->has_views == 1 ? "" : "s");
}

// The last moments up to the one with which it shows.
static void add_moments(const struct rh_log *log, size_t last, struct rh_text *text)
{
    size_t first = last + 1 > MOMENTS_SHOWN ? last + 1 - MOMENTS_SHOWN : 0;
    if (first)
        rh_text_addf(text, "       ... %zu more\n", first);
    for (size_t i = first; i <= last; i++) {
        const struct rh_moment *moment = &log->moments[i];
        struct rh_operation operation = log->operations[moment->operation];
        size_t start = text->length;
        rh_text_addf(text, "  %5zu  ", i + 1);
        rh__thread_print(operation.thread, text);
        rh_threads_pad(text, start, 19);
        if (moment->kind == RH_MOMENT_RETURN) {
            rh__operation_print(&operation, text);
            rh_text_add(text, " returns");
        } else {
            rh__call_print(&operation, text);
            rh_text_add(text, moment->kind == RH_MOMENT_CALL ? "" : " commits");
        }
        rh_threads_pad(text, start, RH_TEXT_COLUMN);
        bool is_commit = moment->kind == RH_MOMENT_COMMIT;
        rh_text_addf(text, " %s:%d\n",
                     rh_base_name(is_commit ? operation.commit_file : operation.file),
                     is_commit ? operation.commit_line : operation.line);
    }
}

static void add_place(const char *file, int line, int thread, struct rh_text *text)
{
    rh_text_addf(text, "   %s:%d in ", rh_base_name(file ? file : "?"), line);
    rh__thread_print(thread, text);
    rh_text_add(text, "\n");
}

static void add_refinement(const struct rh_log *log, const struct rh_compared *compared,
                           struct rh_text *text)
{
    const struct rh_commit_verdict *verdict = &compared->verdict;
    const struct rh_operation *operation = &log->operations[verdict->operation];
    bool is_view = verdict->wrong == RH_WRONG_VIEW || verdict->wrong == RH_WRONG_AT_REST;
    rh_text_add(text, "\nrefinement: ");
    rh_threads_show_wrong(log->operations, verdict, text);
    add_place(verdict->wrong == RH_WRONG_VIEW ? operation->commit_file : operation->file,
              verdict->wrong == RH_WRONG_VIEW ? operation->commit_line : operation->line,
              operation->thread, text);
    if (is_view) {
        struct rh_view view;
        rh__log_view(log, verdict->moment, &view);
        rh_threads_show_sides(&view, &compared->view, true, text);
    }
    add_moments(log, verdict->moment, text);
    if (verdict->wrong == RH_WRONG_VIEW && !log->is_replayed)
        rh_text_add(text, "note:    the view was looked at while other threads ran: that counts "
                          "only if what it reads is changed in RH_COMMIT and RH_COMMIT_BLOCK "
                          "alone\n");
}

static void add_log(const struct rh_log *log, const struct rh_compared *compared, const char *path,
                    bool *has_failed, struct rh_text *text)
{
    bool is_wrong = rh__compared_is_wrong(compared);
    *has_failed = is_wrong || compared->has_finding || log->has_wrong;
    add_head(log, compared, path, *has_failed, text);
    if (is_wrong) {
        add_refinement(log, compared, text);
    } else if (compared->has_finding) {
        rh_text_addf(text, "\n%s: the specification: %s\n",
                     rh_finding_kind_name((enum rh_finding_kind)compared->finding.kind),
                     compared->finding.text);
    } else if (log->has_wrong) {
        rh_text_addf(text, "\n%s: %s", rh_finding_kind_name((enum rh_finding_kind)log->wrong.kind),
                     log->wrong.text);
        add_place(log->wrong.file, log->wrong.line, log->wrong.thread, text);
    }
    if (log->left_out)
        rh_text_addf(text,
                     "note:    the program was ended while it wrote: %" PRIu64
                     " records behind the first that is missing were not compared\n",
                     log->left_out);
}

struct rh_status rh_threads_report_log(const char *path, struct rh_text *text, bool *has_failed)
{
    struct rh_log log;
    struct rh_compared compared;
    if (!rh__has_specifications())
        return rh_bad_input(
            "a log is compared with what is written down, and the program has no "
            "RH_SPECIFICATION; RH_SPECIFICATION(insert) { return insert((int)argument[0]); } makes "
            "an operation its own");
    struct rh_status status = rh__log_read(&log, path);
    if (rh_is_ok(&status)) {
        rh__log_check(&log, &compared);
        if (compared.is_refused)
            status = rh_bad_input("%s", rh__engine->refusal);
        else
            add_log(&log, &compared, path, has_failed, text);
    }
    rh__log_fini(&log);
    return status;
}
