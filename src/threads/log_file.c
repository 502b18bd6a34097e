// SPDX-License-Identifier: MIT
#include "threads/log_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "base/input_file.h"
#include "base/text.h"
#include "threads/commit.h"
#include "threads/kept.h"
#include "threads/log/record.h"
#include "threads/log_replay.h"
#include "threads/specification.h"
#include "trace/finding_kind.h"

enum { THREADS_LIMIT = 1 << 20, NAME_SLOTS = 1 << 12, LOG_LIMIT_GB = 8 };

struct name {
    uint64_t name; // 0: free
    const char *text;
};

// While a file is read.
struct reader {
    struct rh_log *log;
    const char *path;
    struct name *names;
    uint32_t name_count;
    struct rh_log_step *found;    // by number
    struct rh_log_replay *replay; // NULL: actions are not done again
    uint64_t last;                // the largest number
    struct thread {
        int64_t open; // operation; -1: none
        bool has_called;
    } * threads;
};

// --- Records. ---

static struct rh_status damaged(const struct reader *reader, const char *what)
{
    return rh_bad_input("%s: %s: it is no log that REHEARSE_LOG has written, or it is damaged",
                        reader->path, what);
}

static struct name *find_name(struct reader *reader, uint64_t name)
{
    uint64_t slot = (name * UINT64_C(0x9e3779b97f4a7c15)) >> 52;
    while (reader->names[slot].name && reader->names[slot].name != name)
        slot = (slot + 1) % NAME_SLOTS;
    return &reader->names[slot];
}

static struct rh_status take_name(struct reader *reader, const struct rh_log_record *record)
{
    struct name *name = find_name(reader, record->name);
    const char *text = (const char *)record->values;
    if (!record->name || !memchr(text, '\0', record->count * sizeof(int64_t)))
        return damaged(reader, "a name has no end");
    if (!name->name && ++reader->name_count > NAME_SLOTS / 2)
        return damaged(reader, "there are too many names");
    *name = (struct name){record->name, text};
    return rh_ok();
}

static const char *text_of(struct reader *reader, uint64_t name)
{
    const char *text = name ? find_name(reader, name)->text : NULL;
    return text ? text : "?";
}

// Calls `take` for each record of the file.
typedef struct rh_status take_record(struct reader *reader, const struct rh_log_record *record,
                                     uint32_t thread);

static struct rh_status walk(struct reader *reader, take_record *take)
{
    const struct rh_log *log = reader->log;
    struct rh_status status = rh_ok();
    for (size_t at = RH_LOG_HEAD; rh_is_ok(&status) && at + RH_LOG_SEGMENT <= log->size;
         at += RH_LOG_SEGMENT) {
        const struct rh_log_segment *segment = (const void *)(log->bytes + at);
        if (segment->magic == 0)
            continue; // taken by a thread that wrote nothing
        if (segment->magic != RH_LOG_SEGMENT_MAGIC || segment->thread >= THREADS_LIMIT)
            return damaged(reader, "a segment has no beginning");
        size_t used = sizeof *segment;
        while (rh_is_ok(&status) && used + sizeof(struct rh_log_record) <= RH_LOG_SEGMENT) {
            const struct rh_log_record *record = (const void *)(log->bytes + at + used);
            used += sizeof *record + record->count * sizeof(int64_t);
            if (record->number == 0)
                break;
            if (used > RH_LOG_SEGMENT || record->kind < RH_LOG_CALL || record->kind > RH_LOG_NAME)
                return damaged(reader, "a record makes no sense");
            status = take(reader, record, segment->thread);
        }
    }
    return status;
}

static struct rh_status count(struct reader *reader, const struct rh_log_record *record,
                              uint32_t thread)
{
    if (thread >= reader->log->thread_count)
        reader->log->thread_count = thread + 1;
    if (record->kind == RH_LOG_NAME)
        return take_name(reader, record);
    if (record->number > reader->log->size / sizeof *record)
        return damaged(reader, "a record has a number that can't be");
    if (record->number > reader->last)
        reader->last = record->number;
    return rh_ok();
}

static struct rh_status sort_in(struct reader *reader, const struct rh_log_record *record,
                                uint32_t thread)
{
    if (record->kind == RH_LOG_NAME)
        return rh_ok();
    if (reader->found[record->number].record)
        return damaged(reader, "two records have the same number");
    reader->found[record->number] = (struct rh_log_step){record, thread};
    return rh_ok();
}

// --- Operations. ---

static void fail(struct reader *reader, const struct rh_operation *operation, uint32_t thread,
                 const char *file, int line, const char *deed)
{
    struct rh_threads_finding *finding = &reader->log->wrong;
    struct rh_text text = {0};
    if (operation)
        rh__operation_print(operation, &text);
    *finding = (struct rh_threads_finding){
        .kind = RH_FINDING_COMMIT, .thread = (int)thread, .file = file, .line = line};
    rh_text_addf(&text, "%s%s", operation ? " " : "", deed);
    snprintf(finding->text, sizeof finding->text, "%s", rh_text_get(&text));
    rh_text_fini(&text);
    reader->log->has_wrong = true;
}

static void read_view(const struct rh_log_record *record, struct rh_view *view)
{
    *view = (struct rh_view){0};
    for (int i = 0; i + 2 < record->count && view->count < RH_ITEMS_MOST; i += 3)
        view->items[view->count++] = (struct rh_view_item){
            record->values[i] != 0, record->values[i + 1], record->values[i + 2]};
    rh__view_sort(view);
}

static void add_moment(struct reader *reader, enum rh_moment_kind kind, int64_t operation,
                       const struct rh_log_record *record)
{
    struct rh_log *log = reader->log;
    struct rh_moment *moment = &log->moments[log->moment_count];
    *moment = (struct rh_moment){.kind = (uint8_t)kind, .operation = (uint32_t)operation};
    log->records[log->moment_count++] = record;
    bool is_replayed = reader->replay && kind == RH_MOMENT_COMMIT;
    if (!(is_replayed || record->flags & RH_LOG_HAS_VIEW) || rh__engine->has_no_view)
        return;
    struct rh_view view;
    if (is_replayed)
        rh__log_replay_view(&view);
    else
        read_view(record, &view);
    moment->has_view = true;
    moment->view = rh__view_hash(&view);
    log->has_views++;
}

static void take_arguments(struct reader *reader, struct rh_operation *operation,
                           const struct rh_log_record *record)
{
    int count = record->count < RH_ARGUMENTS_MOST ? record->count : RH_ARGUMENTS_MOST;
    operation->name = text_of(reader, record->name);
    operation->argument_count = count;
    memcpy(operation->arguments, record->values, (size_t)count * sizeof(int64_t));
}

static void take_call(struct reader *reader, struct thread *thread, uint32_t number,
                      const struct rh_log_record *record)
{
    struct rh_log *log = reader->log;
    struct rh_operation *operation = &log->operations[log->operation_count];
    *operation = (struct rh_operation){.call = text_of(reader, record->name),
                                       .file = text_of(reader, record->file),
                                       .line = (int)record->line,
                                       .is_text = record->flags & RH_LOG_IS_TEXT,
                                       .thread = (int)number,
                                       .called = 1};
    if (!operation->is_text)
        take_arguments(reader, operation, record);
    log->callers += !thread->has_called;
    thread->has_called = true;
    thread->open = (int64_t)log->operation_count++;
    add_moment(reader, RH_MOMENT_CALL, thread->open, record);
}

static void take_commit(struct reader *reader, struct thread *thread, uint32_t number,
                        const struct rh_log_record *record)
{
    const char *file = text_of(reader, record->file);
    if (thread->open < 0) {
        fail(reader, NULL, number, file, (int)record->line, "commits outside of an operation");
        return;
    }
    struct rh_operation *operation = &reader->log->operations[thread->open];
    if (operation->has_committed) {
        struct rh_text deed = {0};
        rh_text_addf(&deed, "commits a second time: the first was at %s:%d",
                     rh_base_name(operation->commit_file), operation->commit_line);
        fail(reader, operation, number, file, (int)record->line, rh_text_get(&deed));
        rh_text_fini(&deed);
        return;
    }
    operation->has_committed = true;
    operation->commit_file = file;
    operation->commit_line = (int)record->line;
    operation->is_internal = record->flags & RH_LOG_IS_INTERNAL;
    reader->log->commit_count++;
    add_moment(reader, RH_MOMENT_COMMIT, thread->open, record);
}

static void take_return(struct reader *reader, struct thread *thread, uint32_t number,
                        const struct rh_log_record *record)
{
    if (thread->open < 0)
        return;
    struct rh_operation *operation = &reader->log->operations[thread->open];
    operation->has_result = record->flags & RH_LOG_HAS_RESULT;
    operation->is_truth = record->flags & RH_LOG_IS_TRUTH;
    operation->observes = record->flags & RH_LOG_OBSERVES;
    operation->is_internal = record->flags & RH_LOG_IS_INTERNAL;
    operation->result = record->count ? record->values[0] : 0;
    operation->returned = 1;
    bool may_return = operation->has_committed || operation->observes || operation->is_internal;
    if (!may_return && !rh__may_fail(operation))
        fail(reader, operation, number, operation->file, operation->line,
             "returns without having committed");
    else if (operation->has_committed && operation->observes)
        fail(reader, operation, number, operation->commit_file, operation->commit_line,
             "commits, and says that it only observes");
    else
        add_moment(reader, RH_MOMENT_RETURN, thread->open, record);
    thread->open = -1;
}

// The view at the end says something if nothing was under way.
static void take_view(struct reader *reader, uint64_t number)
{
    struct rh_log *log = reader->log;
    bool is_last = number + 1 <= reader->last && reader->found[number + 1].record &&
                   reader->found[number + 1].record->kind == RH_LOG_END;
    for (uint32_t i = 0; i < log->thread_count; i++)
        is_last = is_last && reader->threads[i].open < 0;
    if (!is_last || !log->moment_count || rh__engine->has_no_view)
        return;
    struct rh_moment *moment = &log->moments[log->moment_count - 1];
    struct rh_view view;
    log->records[log->moment_count - 1] = reader->found[number].record;
    read_view(reader->found[number].record, &view);
    moment->has_view = true;
    moment->view = rh__view_hash(&view);
    log->has_views++;
}

// What the program did to the component, done again.
static struct rh_status replay(struct reader *reader, struct rh_log_replay *state, uint64_t number)
{
    const struct rh_log_record *record = reader->found[number].record;
    if (!state || (record->kind != RH_LOG_ACTION && record->kind != RH_LOG_COMMIT))
        return rh_ok();
    return rh__log_replay_take(state, &reader->found[number], text_of(reader, record->name),
                               text_of(reader, record->file));
}

static void take(struct reader *reader, uint64_t number)
{
    const struct rh_log_record *record = reader->found[number].record;
    uint32_t thread_number = reader->found[number].thread;
    struct thread *thread = &reader->threads[thread_number];
    switch (record->kind) {
    case RH_LOG_CALL:
        take_call(reader, thread, thread_number, record);
        break;
    case RH_LOG_ARGUMENTS:
        if (thread->open >= 0)
            take_arguments(reader, &reader->log->operations[thread->open], record);
        break;
    case RH_LOG_COMMIT:
        take_commit(reader, thread, thread_number, record);
        break;
    case RH_LOG_RETURN:
        take_return(reader, thread, thread_number, record);
        break;
    case RH_LOG_VIEW:
        take_view(reader, number);
        break;
    default:
        break;
    }
}

static struct rh_status put_together(struct reader *reader)
{
    struct rh_log *log = reader->log;
    struct rh_status status = rh_ok();
    uint64_t number = 1;
    for (; number <= reader->last && reader->found[number].record && !log->has_wrong; number++) {
        status = replay(reader, reader->replay, number);
        if (!rh_is_ok(&status))
            return status;
        take(reader, number);
    }
    for (; number <= reader->last && !log->has_wrong; number++)
        log->left_out += reader->found[number].record != NULL;
    return status;
}

struct rh_status rh__log_read(struct rh_log *log, const char *path)
{
    struct rh_text text = {0};
    *log = (struct rh_log){0};
    struct reader reader = {.log = log, .path = path};
    struct rh_status status = rh_text_read_file(&text, path, (size_t)LOG_LIMIT_GB << 30);
    if (!rh_is_ok(&status))
        return status;
    log->size = text.length;
    log->bytes = rh_text_take(&text);
    reader.names = rh_alloc(NAME_SLOTS * sizeof *reader.names);
    log->names = reader.names;
    if (log->size < RH_LOG_HEAD || memcmp(log->bytes, RH_LOG_MAGIC, strlen(RH_LOG_MAGIC)) != 0)
        return damaged(&reader, "the beginning is another one");
    status = walk(&reader, count);
    if (!rh_is_ok(&status))
        return status;
    reader.found = rh_alloc((reader.last + 2) * sizeof *reader.found);
    reader.threads = rh_alloc((log->thread_count + 1) * sizeof *reader.threads);
    for (uint32_t i = 0; i < log->thread_count; i++)
        reader.threads[i].open = -1;
    log->operations = rh_alloc((reader.last + 1) * sizeof *log->operations);
    log->moments = rh_alloc((reader.last + 1) * sizeof *log->moments);
    log->records = rh_alloc((reader.last + 1) * sizeof *log->records);
    status = walk(&reader, sort_in);
    if (rh_is_ok(&status) && rh__log_replays())
        reader.replay = rh__log_replay_new(log->thread_count);
    if (rh_is_ok(&status))
        status = put_together(&reader);
    log->is_replayed = reader.replay != NULL;
    log->steps = reader.found;
    rh__log_replay_free(reader.replay);
    free(reader.threads);
    return status;
}

void rh__log_fini(struct rh_log *log)
{
    free((void *)(uintptr_t)log->bytes);
    free(log->operations);
    free(log->moments);
    free(log->records);
    free(log->names);
    free(log->steps);
}

// Actions are done again once more, up to the moment.
static void replay_view(const struct rh_log *log, uint32_t moment, struct rh_view *view)
{
    struct reader reader = {.names = log->names, .found = log->steps};
    struct rh_log_replay *state = rh__log_replay_new(log->thread_count);
    struct rh_status status = rh_ok();
    for (uint64_t i = 1; rh_is_ok(&status) && i <= log->records[moment]->number; i++)
        status = replay(&reader, state, i);
    rh__log_replay_view(view);
    rh__log_replay_free(state);
}

void rh__log_view(const struct rh_log *log, uint32_t moment, struct rh_view *view)
{
    if (log->is_replayed && log->moments[moment].kind == RH_MOMENT_COMMIT)
        replay_view(log, moment, view);
    else
        read_view(log->records[moment], view);
}

void rh__log_check(const struct rh_log *log, struct rh_compared *compared)
{
    struct rh_account account = {.operations = log->operations,
                                 .operation_count = log->operation_count,
                                 .moments = log->moments,
                                 .moment_count = log->moment_count,
                                 .thread_count = log->thread_count};
    *compared = (struct rh_compared){.order = -1};
    enum rh_outcome outcome = rh__specification_check(&account, &compared->verdict);
    compared->is_refused = outcome == RH_OUTCOME_REFUSED;
    compared->has_finding = outcome == RH_OUTCOME_FAILED;
    compared->finding = rh__engine->finding;
    compared->view = *rh__specification_view();
}
