// SPDX-License-Identifier: MIT
#include "threads/commit.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file_name.h"
#include "base/status.h"
#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/look.h"
#include "trace/finding_kind.h"

extern const char __start_rh_marks[] __attribute__((weak));
extern const char __stop_rh_marks[] __attribute__((weak));
extern const struct rh__may_fail __start_rh_may_fail[] __attribute__((weak));
extern const struct rh__may_fail __stop_rh_may_fail[] __attribute__((weak));

enum { PIECE = 16, PIECES_MOST = 256 };

// Bytes that a block has written, as they were before.
struct piece {
    uintptr_t address;
    uint32_t size;
    unsigned char old[PIECE], present[PIECE];
};

// All of it lies outside of what is put back between executions.
static struct memory {
    const struct rh_component *component;
    struct block {
        bool is_open;
        const char *file;
        int line;
        int count;
        struct piece pieces[PIECES_MOST];
    } blocks[RH_THREADS_MOST];
    bool observes[RH_THREADS_MOST][RH_OPERATIONS_MOST]; // ever, the numbered one of a thread
    // What a pure operation of each thread has written, as it was before.
    struct pure {
        bool is_open;
        int count;
        struct piece pieces[PIECES_MOST];
    } pure[RH_THREADS_MOST];
} * memory;

bool rh__has_marks(void)
{
    return &__start_rh_marks[0] < &__stop_rh_marks[0];
}

void rh__commit_start(const struct rh_component *component)
{
    memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    rh_assert(memory != MAP_FAILED);
    memory->component = component;
}

void rh__commit_clear(void)
{
    for (int i = 0; i < RH_THREADS_MOST; i++)
        memory->blocks[i].is_open = memory->pure[i].is_open = false;
}

// --- Events. ---

void rh__commit_mark(struct rh_act *event)
{
    const struct rh_fiber *thread = rh__current();
    bool is_access = event->kind == RH_ACT_READ || event->kind == RH_ACT_WRITE;
    event->is_commit = event->kind == RH_ACT_COMMIT || (thread->is_committing && is_access);
    event->is_viewed = event->kind == RH_ACT_WRITE && rh__is_viewed(event->address, event->size);
    event->is_blocked = is_access && rh__is_blocked(event->address, event->size);
    int index = event->kind == RH_ACT_CALL ? thread->operations : thread->operations - 1;
    if ((event->kind == RH_ACT_CALL || event->kind == RH_ACT_RETURN) && index >= 0 &&
        index < RH_OPERATIONS_MOST)
        event->is_observed = memory->observes[event->thread][index];
}

// --- What is said about operations. ---

static bool is_checked(void)
{
    return rh__has_engine && rh__engine->is_active && !rh__engine->quiet && rh__engine->is_marked &&
           rh__engine->mode != RH_MODE_SERIAL && rh__engine->mode != RH_MODE_ORDER;
}

void rh__call_print(const struct rh_operation *operation, struct rh_text *text)
{
    struct rh_operation called = *operation;
    called.has_result = false;
    rh__operation_print(&called, text);
}

static _Noreturn void misuse_as(enum rh_finding_kind kind, const char *file, int line,
                                const struct rh_operation *operation, const char *deed)
{
    struct rh_text text = {0};
    if (operation)
        rh__operation_print(operation, &text);
    char sentence[RH_TEXT_MOST];
    snprintf(sentence, sizeof sentence, "%s%s%s", rh_text_get(&text), operation ? " " : "", deed);
    rh_text_fini(&text);
    rh__fail_at((int)kind, file, line, "%s", sentence);
}

static _Noreturn void misuse(const char *file, int line, const struct rh_operation *operation,
                             const char *deed)
{
    misuse_as(RH_FINDING_COMMIT, file, line, operation, deed);
}

bool rh__operation_is(const struct rh_operation *operation, const char *name)
{
    size_t length = strlen(name);
    if (operation->name)
        return !strcmp(operation->name, name);
    return !strncmp(operation->call, name, length) && strchr("( ", operation->call[length]);
}

bool rh__may_fail(const struct rh_operation *operation)
{
    const struct rh__may_fail *entry = __start_rh_may_fail;
    for (; entry < __stop_rh_may_fail; entry++)
        if (operation->has_result && entry->value == operation->result &&
            rh__operation_is(operation, entry->operation))
            return true;
    return false;
}

// Whatever a pure operation has written has its old value again, unless others have written there
// since.
static void check_pure(const struct rh_operation *operation)
{
    struct pure *pure = &memory->pure[operation->thread];
    rh__engine->open_blocks--;
    pure->is_open = false;
    for (int i = 0; i < pure->count; i++)
        if (memcmp((const void *)pure->pieces[i].address, pure->pieces[i].old,
                   pure->pieces[i].size) != 0)
            misuse_as(RH_FINDING_MISUSE, operation->file, operation->line, operation,
                      "says that it is pure, but has changed memory that other threads use");
}

void rh__commit_return(const struct rh_operation *operation)
{
    if (operation->is_pure)
        check_pure(operation);
    if (memory->blocks[operation->thread].is_open)
        misuse(memory->blocks[operation->thread].file, memory->blocks[operation->thread].line,
               operation, "returns inside of its commit block");
    bool may_return = operation->has_committed || operation->observes || operation->is_internal;
    if (!may_return && !rh__may_fail(operation))
        misuse(operation->file, operation->line, operation,
               "returns without having committed: it needs RH_COMMIT on this way through it, or "
               "RH_OBSERVES, or RH_MAY_FAIL");
    if (operation->has_committed && operation->observes)
        misuse(operation->commit_file, operation->commit_line, operation,
               "commits, and says that it only observes");
}

void rh__observes(void)
{
    struct rh_fiber *thread = rh__current();
    if (!is_checked())
        return;
    if (thread->operation < 0)
        misuse(NULL, 0, NULL, "RH_OBSERVES stands outside of an operation");
    struct rh_operation *operation = &rh__history->operations[thread->operation];
    operation->observes = true;
    bool *is_known = &memory->observes[rh__engine->current][operation->index];
    if (!*is_known)
        rh__note_grown();
    *is_known = true;
}

void rh__internal(void)
{
    if (!is_checked())
        return;
    if (rh__current()->operation < 0)
        misuse(NULL, 0, NULL, "RH_INTERNAL stands outside of an operation");
    rh__history->operations[rh__current()->operation].is_internal = true;
}

void rh__pure(void)
{
    rh__observes();
    if (!is_checked())
        return;
    struct rh_operation *operation = &rh__history->operations[rh__current()->operation];
    if (operation->is_pure)
        return;
    operation->is_pure = true;
    memory->pure[rh__engine->current].is_open = true;
    memory->pure[rh__engine->current].count = 0;
    rh__engine->open_blocks++;
}

// Is told when the program runs as it is.
void rh__action(const char *action, const char *file, int line, int count, const int64_t *arguments)
{
    (void)action;
    (void)file;
    (void)line;
    (void)count;
    (void)arguments;
}

// --- Operations that run alone. ---

void rh__exclusive_check(void)
{
    const struct rh_history *history = rh__history;
    const struct rh_operation *own = &history->operations[rh__current()->operation];
    for (int i = 0; i < history->count; i++) {
        const struct rh_operation *other = &history->operations[i];
        if (other == own || other->returned || !(own->is_exclusive || other->is_exclusive))
            continue;
        struct rh_text text = {0};
        rh__call_print(own, &text);
        rh_text_add(&text, " runs beside ");
        rh__call_print(other, &text);
        rh_text_add(&text, own->is_exclusive ? ", but must run alone" : ", which must run alone");
        char sentence[RH_TEXT_MOST];
        snprintf(sentence, sizeof sentence, "%s", rh_text_get(&text));
        rh_text_fini(&text);
        rh__fail_at(RH_FINDING_MISUSE, own->file, own->line, "%s", sentence);
    }
}

void rh__exclusive(void)
{
    if (!rh__has_engine || !rh__engine->is_active || rh__engine->quiet ||
        rh__engine->mode == RH_MODE_SERIAL || rh__engine->mode == RH_MODE_ORDER)
        return;
    if (rh__current()->operation < 0)
        misuse(NULL, 0, NULL, "RH_EXCLUSIVE stands outside of an operation");
    rh__history->operations[rh__current()->operation].is_exclusive = true;
    rh__history->has_exclusive = true;
    // Whether operations overlap depends on the order of calls and returns.
    if (!rh__engine->has_order)
        rh__note_grown();
    rh__engine->has_order = true;
    rh__exclusive_check();
}

// --- Commits. ---

static void exchange(struct block *block, bool puts_back)
{
    for (int i = 0; i < block->count; i++) {
        struct piece *piece = &block->pieces[puts_back ? block->count - 1 - i : i];
        if (puts_back)
            memcpy(piece->present, (const void *)piece->address, piece->size);
        memcpy((void *)piece->address, puts_back ? piece->old : piece->present, piece->size);
    }
}

static void exchange_others(bool puts_back)
{
    bool has_changed = false;
    for (int i = 0; rh__engine->open_blocks && i < RH_THREADS_MOST; i++)
        if (memory->blocks[i].is_open && i != rh__engine->current) {
            exchange(&memory->blocks[i], puts_back);
            has_changed = has_changed || memory->blocks[i].count;
        }
    if (has_changed)
        rh__look_forget();
}

static void commit(const char *file, int line)
{
    int number = rh__current()->operation;
    if (number < 0)
        misuse(file, line, NULL,
               "commits outside of an operation: what commits is between RH_OPERATION and its "
               "return, or called with RH_CALL");
    struct rh_operation *operation = &rh__history->operations[number];
    if (operation->has_committed) {
        char deed[RH_TEXT_MOST];
        snprintf(
            deed, sizeof deed,
            "commits a second time: the first was at %s:%d, and an operation takes effect once",
            rh_base_name(operation->commit_file), operation->commit_line);
        misuse(file, line, operation, deed);
    }
    operation->has_committed = true;
    operation->commit_file = file;
    operation->commit_line = line;
    exchange_others(true);
    const struct rh_component *component = memory->component;
    uint64_t hash =
        rh__view_take(component ? component->view : NULL, &rh__history->committed[number]);
    rh__moment_add(RH_MOMENT_COMMIT, number, &hash);
    if (rh__engine->log && rh__engine->log_count)
        rh__engine->log[rh__engine->log_count - 1].commits = true;
    rh__invariant_check(RH_MOMENT_COMMIT, number);
    exchange_others(false);
}

void rh__commit_begin(void)
{
    if (!is_checked())
        return;
    rh__current()->is_committing = true;
    rh__current()->has_commit = false;
}

// Calls in, so that schedules have the same number of calls whatever is an event.
static void call_in(bool is_event, uintptr_t code)
{
    if (is_event) {
        rh__point(RH_ACT_COMMIT, 0, 1, false, code);
        return;
    }
    rh__current()->calls++;
    if (rh__engine->mode == RH_MODE_FOLLOW)
        rh__follow();
}

void rh__commit_end(bool commits, const char *file, int line)
{
    struct rh_fiber *thread = rh__current();
    if (!rh__has_engine || !rh__engine->is_active || rh__engine->quiet)
        return;
    bool is_own = is_checked() && commits && !thread->has_commit;
    thread->is_committing = false;
    if (is_checked() && commits && thread->is_in_block)
        misuse(file, line, NULL, "commits inside of a commit block, which commits at its end");
    // Nothing may come between the access and its commit.
    if (is_checked() && commits && !is_own)
        commit(file, line);
    call_in(is_own, (uintptr_t)__builtin_return_address(0));
    if (is_own)
        commit(file, line);
}

// --- Blocks. ---

struct rh__block rh__block_begin(const char *file, int line)
{
    struct rh_fiber *thread = rh__current();
    if (!is_checked())
        return (struct rh__block){true};
    if (thread->is_in_block)
        misuse(file, line, NULL, "a commit block begins inside of another one");
    struct block *block = &memory->blocks[rh__engine->current];
    block->is_open = thread->is_in_block = true;
    block->file = file;
    block->line = line;
    block->count = 0;
    rh__engine->open_blocks++;
    return (struct rh__block){true};
}

void rh__block_end(struct rh__block *open)
{
    struct rh_fiber *thread = rh__current();
    open->is_open = false;
    if (!rh__has_engine || !rh__engine->is_active || rh__engine->quiet)
        return;
    call_in(is_checked(), (uintptr_t)__builtin_return_address(0));
    if (!is_checked())
        return;
    struct block *block = &memory->blocks[rh__engine->current];
    block->is_open = thread->is_in_block = false;
    rh__engine->open_blocks--;
    commit(block->file, block->line);
}

void rh__block_left(struct rh__block *open)
{
    const struct block *block = &memory->blocks[rh__engine->current];
    if (open->is_open && is_checked())
        misuse(block->file, block->line, NULL,
               "a commit block is left before its end, by break, return or goto: it has not "
               "committed");
}

static void keep(struct block *block, uintptr_t address, size_t size)
{
    rh__note_blocked(address, size);
    for (size_t done = 0; done < size; done += PIECE) {
        if (block->count == PIECES_MOST)
            rh__exceed("writes more than 256 times in a commit block");
        struct piece *piece = &block->pieces[block->count++];
        piece->address = address + done;
        piece->size = (uint32_t)(size - done < PIECE ? size - done : PIECE);
        memcpy(piece->old, (const void *)piece->address, piece->size);
    }
}

// Each byte's first value counts, and what others write is no longer the operation's.
static void keep_pure(struct pure *pure, uintptr_t address, size_t size, bool is_own)
{
    int kept = 0;
    for (int i = 0; i < pure->count; i++) {
        const struct piece *piece = &pure->pieces[i];
        bool is_there = piece->address < address + size && address < piece->address + piece->size;
        if (is_own && is_there && piece->address <= address &&
            address + size <= piece->address + piece->size)
            return;
        if (is_own || !is_there)
            pure->pieces[kept++] = *piece;
    }
    pure->count = kept;
    for (size_t done = 0; is_own && done < size; done += PIECE) {
        if (pure->count == PIECES_MOST)
            rh__exceed("writes more than 256 times in a pure operation");
        struct piece *piece = &pure->pieces[pure->count++];
        piece->address = address + done;
        piece->size = (uint32_t)(size - done < PIECE ? size - done : PIECE);
        memcpy(piece->old, (const void *)piece->address, piece->size);
    }
}

static bool has_written(const struct block *block, uintptr_t address, size_t size)
{
    for (int i = 0; i < block->count; i++)
        if (block->pieces[i].address < address + size &&
            address < block->pieces[i].address + block->pieces[i].size)
            return true;
    return false;
}

void rh__block_access(uintptr_t address, size_t size, bool writes, uintptr_t code)
{
    for (int i = 0; i < rh__engine->thread_count; i++) {
        struct block *block = &memory->blocks[i];
        bool is_own = i == rh__engine->current;
        if (memory->pure[i].is_open && writes && rh__is_shared(address, size, writes))
            keep_pure(&memory->pure[i], address, size, is_own);
        if (!block->is_open)
            continue;
        if (i == rh__engine->current && writes)
            keep(block, address, size);
        else if (i != rh__engine->current && has_written(block, address, size))
            rh__fail(RH_FINDING_COMMIT_BLOCK, code,
                     "%s what thread#%d has written in its commit block, before the block's end at "
                     "%s:%d: its writes are not made together",
                     writes ? "overwrites" : "reads", i, rh_base_name(block->file), block->line);
    }
}
