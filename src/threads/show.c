// SPDX-License-Identifier: MIT
#include "threads/show.h"

#include <inttypes.h>
#include <string.h>

#include "base/file_name.h"
#include "threads/commit.h"
#include "threads/show_commit.h"
#include "trace/finding_kind.h"

enum { LINES_MOST = 200, TEXT_COLUMN = RH_TEXT_COLUMN };

void rh__thread_print(int thread, struct rh_text *text)
{
    if (thread == 0)
        rh_text_add(text, "main");
    else
        rh_text_addf(text, "thread#%d", thread);
}

// --- The head. ---

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static uint64_t first_execution(const struct rh_threads_result *result)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < result->found.count; i++)
        if (result->found.items[i].finding.kind != RH_FINDING_UNSERIAL &&
            result->found.items[i].execution < first)
            first = result->found.items[i].execution;
    return first;
}

void rh_threads_show_head(const struct rh_threads_result *result,
                          const struct rh_threads_options *options, struct rh_text *text)
{
    uint64_t all = result->executions;
    rh_text_addf(text, "%s: test %s: ", options->program_count ? options->programs[0] : "?",
                 result->test);
    if (result->found.count && result->found.items[0].shrunk.from) {
        const struct rh_threads_shown *shown = &result->found.items[0];
        rh_text_addf(text, "FAILED, shrunk from %zu turns to %zu in %" PRIu64 " executions",
                     shown->shrunk.from, shown->turns.count, shown->shrunk.executions);
    } else if (rh_threads_error_count(result)) {
        uint64_t first = first_execution(result);
        rh_text_addf(text, "FAILED after %" PRIu64 " execution%s, %" PRIu64 " in all", first,
                     plural(first), all);
    } else {
        rh_text_addf(text, "passed, %" PRIu64 " execution%s", all, plural(all));
    }
    rh_text_addf(text, "%s\n", result->is_complete ? ", complete" : "");
}

void rh_threads_show_notes(const struct rh_threads_result *result, struct rh_text *text)
{
    if (result->states)
        rh_text_addf(text, "census:  %" PRIu64 " final state%s\n", result->states,
                     plural(result->states));
    if (result->stopped_by && result->stopped_by != RH_STOP_EXECUTIONS)
        rh_text_addf(text, "note:    the search was ended before its time, by %s\n",
                     result->stopped_by == RH_STOP_FINDING   ? "what it has found"
                     : result->stopped_by == RH_STOP_SECONDS ? "--max-seconds"
                                                             : "an interrupt");
    if (result->earlier)
        rh_text_addf(text, "note:    what was found before, %zu finding%s, is saved\n",
                     result->earlier, plural(result->earlier));
    if (result->has_unseen)
        rh_text_add(text, "note:    not complete: object files or libraries of the program were "
                          "not compiled with -fsanitize=thread, and what they access is not "
                          "seen\n");
    if (result->has_strayed)
        rh_text_add(text, "note:    the program decides by something else than its threads: an "
                          "execution could not be repeated\n");
    if (result->has_weak_atomics)
        rh_text_add(text,
                    "note:    atomic operations weaker than seq_cst were taken for seq_cst\n");
    if (result->is_undecided)
        rh_text_addf(text,
                     "note:    undecided: there are more orders of whole operations than the "
                     "%d that are compared\n",
                     RH_SERIAL_MOST);
    if (result->is_uncompared)
        rh_text_add(text, "note:    undecided: some executions could not be compared, since the "
                          "test calls other operations when these run whole, or more than there "
                          "is room for\n");
    if (result->is_serial_ended)
        rh_text_add(text, "note:    undecided: not all orders of whole operations were run\n");
    if (result->serial_blocked && !result->serial)
        rh_text_add(text, "note:    undecided: in every order of whole operations one waits for "
                          "another\n");
    if (result->cut)
        rh_text_addf(text, "note:    %" PRIu64 " execution%s longer than %d events: cut\n",
                     result->cut, result->cut == 1 ? " was" : "s were", RH_EVENTS_MOST - 1);
}

// --- Places and values. ---

void rh_threads_show_place(uintptr_t code, struct rh_debug *debug, struct rh_text *text)
{
    const char *file = NULL;
    int line = 0;
    struct rh_text function = {0};
    // The address is that behind the call.
    if (code && rh_debug_code_at(debug, code - 1, &function, &file, &line) && file)
        rh_text_addf(text, "%s:%d", rh_base_name(file), line);
    rh_text_fini(&function);
}

void rh_threads_show_variable(uintptr_t address, struct rh_debug *debug, struct rh_text *text)
{
    struct rh_text name = {0};
    if (address == (uintptr_t)&rh__engine->sleeping_ns)
        rh_text_add(text, "the clock");
    else if (rh_debug_variable_at(debug, address, &name, NULL, NULL))
        rh_text_add(text, rh_text_get(&name));
    else if (rh__heap_has(address))
        rh_text_addf(text, "heap+%" PRIuPTR, address - RH_HEAP_ADDRESS);
    else
        rh_text_add(text, "memory");
    rh_text_fini(&name);
}

// Numbers are printed as they are most likely meant; addresses would differ from run to run.
static void add_value(const struct rh_log_entry *entry, struct rh_text *text)
{
    uint32_t size = entry->event.size;
    if (size > 8)
        return;
    unsigned shift = 64 - 8 * size;
    int64_t value = (int64_t)(entry->value << shift) >> shift;
    if (size == 8 && (value > INT32_MAX || value < INT32_MIN))
        rh_text_add(text, " = (pointer)");
    else
        rh_text_addf(text, " = %" PRId64, value);
}

void rh_threads_show_deed(const struct rh_threads_shown *shown, const struct rh_log_entry *entry,
                          struct rh_debug *debug, struct rh_text *text)
{
    const struct rh_act *event = &entry->event;
    switch (event->kind) {
    case RH_ACT_READ:
    case RH_ACT_WRITE:
        rh_text_add(text, event->kind == RH_ACT_READ ? " reads  " : " writes ");
        rh_threads_show_variable(event->address, debug, text);
        add_value(entry, text);
        break;
    case RH_ACT_LOCK:
    case RH_ACT_SHARE:
    case RH_ACT_SYNC:
        rh_text_addf(text, " %-6s ",
                     event->deed                   ? event->deed
                     : event->kind == RH_ACT_SHARE ? "shares"
                                                   : "locks");
        rh_threads_show_variable(event->address, debug, text);
        break;
    case RH_ACT_JOIN:
        rh_text_add(text, " joins  ");
        rh__thread_print((int)event->address, text);
        break;
    case RH_ACT_PASS:
        rh_text_add(text, " passes ");
        rh_threads_show_variable(event->address, debug, text);
        break;
    case RH_ACT_COMMIT:
        rh_text_add(text, " commits");
        break;
    case RH_ACT_RETURN:
        rh_text_add(text, " returns ");
        if (entry->operation >= 0 && shown->history.operations[entry->operation].has_result)
            rh__result_print(&shown->history.operations[entry->operation], text);
        break;
    default:
        break;
    }
}

// The operation that a call begins: the next one of its thread.
static const struct rh_operation *operation_of(const struct rh_threads_shown *shown, uint32_t entry)
{
    int index = 0;
    for (uint32_t i = 0; i < entry; i++)
        index += shown->log[i].event.kind == RH_ACT_CALL &&
                 shown->log[i].event.thread == shown->log[entry].event.thread;
    for (int i = 0; i < shown->history.count; i++)
        if (shown->history.operations[i].thread == shown->log[entry].event.thread &&
            shown->history.operations[i].index == index)
            return &shown->history.operations[i];
    return NULL;
}

static void add_line(const struct rh_threads_shown *shown, uint32_t number, struct rh_debug *debug,
                     struct rh_text *text)
{
    const struct rh_log_entry *entry = &shown->log[number];
    size_t start = text->length;
    rh_text_addf(text, "   %4u  ", number + 1);
    rh__thread_print(entry->event.thread, text);
    rh_threads_pad(text, start, 19);
    const struct rh_operation *operation =
        entry->event.kind == RH_ACT_CALL ? operation_of(shown, number) : NULL;
    if (operation) {
        struct rh_operation called = *operation;
        called.has_result = false;
        rh__operation_print(&called, text);
        rh_threads_pad(text, start, TEXT_COLUMN);
        rh_text_addf(text, " %s:%d\n", rh_base_name(operation->file), operation->line);
        return;
    }
    rh_text_add(text, " ");
    rh_threads_show_deed(shown, entry, debug, text);
    if (entry->commits && entry->event.kind != RH_ACT_COMMIT)
        rh_text_add(text, ", commits");
    rh_threads_pad(text, start, TEXT_COLUMN);
    rh_text_add(text, " ");
    rh_threads_show_place(entry->event.code, debug, text);
    rh_text_add(text, "\n");
}

void rh_threads_show_events(const struct rh_threads_shown *shown, struct rh_debug *debug,
                            struct rh_text *text)
{
    for (uint32_t i = 0; i < shown->log_count; i++) {
        // The threads of a test are joined by the tool itself.
        if (rh_debug_code_is_own(debug, shown->log[i].event.code))
            continue;
        if (i == LINES_MOST) {
            rh_text_addf(text, "       ... %u more\n", shown->log_count - LINES_MOST);
            return;
        }
        add_line(shown, i, debug, text);
    }
}

// --- Findings. ---

static void add_results(const struct rh_threads_shown *shown, struct rh_text *text)
{
    const struct rh_history *history = &shown->history;
    for (int i = 0; i < history->count; i++) {
        rh_text_add(text, i ? ", " : "");
        rh__operation_print(&history->operations[i], text);
    }
}

static void add_refinement(const struct rh_threads_shown *shown, struct rh_text *text)
{
    const struct rh_history *history = &shown->history;
    if (shown->compared.verdict.wrong) {
        rh_threads_show_wrong(shown->history.operations, &shown->compared.verdict, text);
    } else if (shown->compared.explained == RH_NO_VIEW) {
        rh_text_add(text, "after ");
        rh__operation_print(&history->operations[history->last_returned], text);
        rh_text_addf(text, " the %s is not what it would be in any order",
                     rh_threads_component_name());
    } else if (shown->compared.explained == RH_NO_TIME) {
        rh_text_add(text, "only an order in which an operation comes before one that had returned "
                          "earlier gives ");
        add_results(shown, text);
    } else {
        rh_text_add(text, "no order of whole operations gives ");
        add_results(shown, text);
    }
}

// The view that the implementation has where the finding shows; NULL: it is not about views.
static const struct rh_view *find_view(const struct rh_threads_shown *shown)
{
    const struct rh_commit_verdict *verdict = &shown->compared.verdict;
    if (verdict->wrong == RH_WRONG_VIEW)
        return &shown->history.committed[verdict->operation];
    // Only the last one of those when no operation was open is kept.
    if (verdict->wrong == RH_WRONG_AT_REST)
        return rh__view_hash(&shown->history.last) == shown->history.moments[verdict->moment].view
                   ? &shown->history.last
                   : NULL;
    return shown->compared.explained == RH_NO_VIEW && shown->compared.order >= 0
               ? &shown->history.last
               : NULL;
}

static void add_sides(const struct rh_threads_shown *shown, struct rh_text *text)
{
    const struct rh_view *view = find_view(shown);
    if (!view)
        return;
    const struct rh_view *right = shown->compared.verdict.wrong
                                      ? &shown->compared.view
                                      : rh__serial_view(shown->compared.order);
    rh_threads_show_sides(view, right, shown->compared.verdict.wrong != RH_WRONG_NOTHING, text);
}

// The operations that had committed by then, in that order.
static void add_commits(const struct rh_threads_shown *shown, struct rh_text *text)
{
    const struct rh_commit_verdict *verdict = &shown->compared.verdict;
    if (!verdict->wrong)
        return;
    rh_text_add(text, "commits: ");
    bool is_first = true;
    for (uint32_t i = 0; i <= verdict->moment && i < shown->history.moment_count; i++) {
        const struct rh_moment *moment = &shown->history.moments[i];
        if (moment->kind != RH_MOMENT_COMMIT)
            continue;
        rh_text_add(text, is_first ? "" : ", ");
        rh__call_print(&shown->history.operations[moment->operation], text);
        is_first = false;
    }
    rh_text_add(text, is_first ? "none\n" : "\n");
}

static void add_io(const struct rh_threads_shown *shown, struct rh_text *text)
{
    if (shown->compared.explained != RH_NO_VIEW)
        return;
    rh_text_add(text, "I/O:     all results are right in the order ");
    for (int i = 0; i < shown->history.count; i++) {
        int number = rh__serial_operation_of(&shown->history, shown->compared.order, i);
        struct rh_operation operation = shown->history.operations[number];
        operation.has_result = false;
        rh_text_add(text, i ? ", " : "");
        rh__operation_print(&operation, text);
    }
    rh_text_add(text, ": only the view shows it\n");
}

static void add_other_order(const struct rh_threads_shown *shown, struct rh_text *text)
{
    struct rh_text order = {0};
    rh_threads_show_other_order(&shown->history, &shown->compared.verdict, &shown->other_order,
                                &order);
    if (order.length)
        rh_text_addf(text, "hint:    %s\n", rh_text_get(&order));
    rh_text_fini(&order);
}

static void add_race(const struct rh_threads_shown *shown, struct rh_debug *debug,
                     struct rh_text *text)
{
    rh__thread_print(shown->finding.thread, text);
    rh_text_add(text, " at ");
    rh_threads_show_place(shown->finding.code, debug, text);
    rh_text_add(text, " and ");
    rh__thread_print(shown->finding.other_thread, text);
    rh_text_add(text, " at ");
    rh_threads_show_place(shown->finding.other_code, debug, text);
    rh_text_add(text, " access the same memory, one of them writes, and nothing orders them");
}

static void add_unserial(const struct rh_threads_shown *shown, struct rh_debug *debug,
                         struct rh_text *text)
{
    rh_text_add(text, "all results are right, but ");
    rh_threads_show_variable(shown->finding.address, debug, text);
    rh_text_add(text, " ends as after no order of whole operations; a view would say whether that "
                      "means something");
}

static void add_shrunk(const struct rh_threads_shown *shown, struct rh_text *text)
{
    if (!shown->shrunk.from)
        return;
    rh_text_addf(text, "shrunk:  %s\n",
                 shown->shrunk.is_least ? "the least: no execution with fewer turns shows it"
                                        : "not proved least");
    if (shown->shrunk.cause)
        rh_text_addf(text, "cause:   %s\n", shown->shrunk.cause);
}

void rh_threads_show_sentence(const struct rh_threads_shown *shown, struct rh_debug *debug,
                              struct rh_text *text)
{
    if (shown->finding.kind == RH_FINDING_RACE)
        add_race(shown, debug, text);
    else if (shown->finding.kind == RH_FINDING_UNSERIAL)
        add_unserial(shown, debug, text);
    else if (shown->finding.kind == RH_FINDING_REFINEMENT)
        add_refinement(shown, text);
    else
        rh_text_add(text, shown->finding.text);
}

void rh_threads_show_finding(const struct rh_threads_shown *shown, struct rh_debug *debug,
                             struct rh_text *text)
{
    const struct rh_threads_finding *finding = &shown->finding;
    rh_text_addf(text, "\n%s: ", rh_finding_kind_name((enum rh_finding_kind)finding->kind));
    rh_threads_show_sentence(shown, debug, text);
    if (finding->kind == RH_FINDING_RACE || finding->kind == RH_FINDING_UNSERIAL) {
        rh_text_add(text, "\n");
        rh_threads_show_events(shown, debug, text);
        add_shrunk(shown, text);
        return;
    }
    rh_text_add(text, "   ");
    if (finding->file)
        rh_text_addf(text, "%s:%d", rh_base_name(finding->file), finding->line);
    else
        rh_threads_show_place(finding->code, debug, text);
    rh_text_add(text, " in ");
    rh__thread_print(finding->thread, text);
    rh_text_add(text, "\n");
    if (finding->kind == RH_FINDING_REFINEMENT)
        add_sides(shown, text);
    rh_threads_show_events(shown, debug, text);
    if (finding->kind == RH_FINDING_REFINEMENT) {
        add_commits(shown, text);
        add_io(shown, text);
        add_other_order(shown, text);
    }
    add_shrunk(shown, text);
}
