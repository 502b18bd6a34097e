// SPDX-License-Identifier: MIT
#include "threads/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "threads/commit.h"
#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/look.h"

struct serial {
    int count;
    uint8_t thread[RH_OPERATIONS_MOST], index[RH_OPERATIONS_MOST];
    uint64_t signatures[RH_OPERATIONS_MOST];
    uint64_t views[RH_OPERATIONS_MOST + 1];
    struct rh_view last;
};

enum { KNOWN_SLOTS = 1 << 16 };

// All of it lies outside of what is put back between executions.
static struct memory {
    struct rh_history history;
    const struct rh_component *component;
    uint32_t serial_count;
    struct known {
        uint64_t hash; // 0: free
        enum rh_explained explained;
        int order;
    } known[KNOWN_SLOTS];
    struct serial serial[RH_SERIAL_MOST];
} * memory;

struct rh_history *rh__history;

void rh__history_start(const struct rh_component *component)
{
    memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    rh_assert(memory != MAP_FAILED);
    memory->component = component;
    rh__history = &memory->history;
}

void rh__history_clear(void)
{
    struct rh_history *history = &memory->history;
    history->count = history->open = 0;
    history->moment = 0;
    history->is_cut = history->has_exclusive = false;
    history->moment_count = 0;
    history->last_returned = -1;
    history->last.count = 0;
    memset(history->has_view, 0, sizeof history->has_view);
}

// --- Hashes. ---

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

uint64_t rh__operation_call_hash(const struct rh_operation *operation)
{
    uint64_t hash = hash_text(operation->call);
    for (int i = 0; i < operation->argument_count; i++)
        hash = rh__mix(hash, (uint64_t)operation->arguments[i]);
    return hash;
}

uint64_t rh__operation_signature(const struct rh_operation *operation)
{
    uint64_t hash = rh__operation_call_hash(operation);
    hash = rh__mix(hash, operation->returned != 0);
    hash = rh__mix(hash, operation->has_result);
    return rh__mix(hash, (uint64_t)operation->result);
}

// --- Views. ---

static void take_view(void)
{
    struct rh_history *history = &memory->history;
    const struct rh_component *component = memory->component;
    history->views[history->count] =
        rh__view_take(component ? component->view : NULL, &history->last);
    history->has_view[history->count] = true;
}

// --- Operations. ---

void rh__moment_add(enum rh_moment_kind kind, int operation, const uint64_t *view)
{
    struct rh_history *history = &memory->history;
    rh_assert(history->moment_count < 3 * RH_OPERATIONS_MOST);
    history->moments[history->moment_count++] =
        (struct rh_moment){(uint8_t)kind, view != NULL, (uint32_t)operation, view ? *view : 0};
}

static bool is_watched(void)
{
    return rh__has_engine && rh__engine->is_active && !rh__engine->quiet;
}

// An operation that the test calls with RH_CALL says its arguments with RH_OPERATION.
static void take_arguments(struct rh_operation *operation, const char *name, int count,
                           const int64_t *arguments)
{
    if (count < 0 || operation->name)
        return;
    operation->name = name;
    operation->argument_count = count < RH_ARGUMENTS_MOST ? count : RH_ARGUMENTS_MOST;
    for (int i = 0; i < operation->argument_count; i++)
        operation->arguments[i] = arguments[i];
}

struct rh__operation rh__operation_begin(const char *call, const char *file, int line, int count,
                                         const int64_t *arguments)
{
    struct rh_history *history = rh__history;
    if (!is_watched())
        return (struct rh__operation){false};
    if (rh__current()->depth++ > 0) {
        if (rh__current()->depth == 2 && rh__current()->operation >= 0)
            take_arguments(&history->operations[rh__current()->operation], call, count, arguments);
        return (struct rh__operation){false};
    }
    rh__point(RH_ACT_CALL, 0, 1, false, (uintptr_t)__builtin_return_address(0));
    struct rh_fiber *thread = rh__current();
    if (history->count == RH_OPERATIONS_MOST) {
        history->is_cut = true;
        thread->depth--;
        return (struct rh__operation){false};
    }
    struct rh_operation *operation = &history->operations[history->count];
    *operation = (struct rh_operation){.call = call,
                                       .file = file,
                                       .line = line,
                                       .is_text = count < 0,
                                       .thread = rh__engine->current,
                                       .index = thread->operations++,
                                       .called = ++history->moment};
    take_arguments(operation, call, count, arguments);
    thread->operation = history->count++;
    history->open++;
    rh__moment_add(RH_MOMENT_CALL, thread->operation, NULL);
    if (rh__engine->mode == RH_MODE_ORDER)
        rh__order_begin();
    if (history->has_exclusive)
        rh__exclusive_check();
    return (struct rh__operation){true};
}

bool rh__operation_result(int64_t result, bool is_truth)
{
    if (!is_watched() || rh__current()->operation < 0)
        return false;
    struct rh_operation *operation = &rh__history->operations[rh__current()->operation];
    operation->has_result = true;
    operation->is_truth = is_truth;
    operation->result = result;
    bool fails =
        rh__engine->mode == RH_MODE_ORDER && rh__engine->order.skipped && rh__current()->depth == 1;
    if (fails)
        operation->result = rh__engine->order.skipped->value;
    return fails;
}

int64_t rh__operation_other_result(void)
{
    return rh__engine->order.skipped->value;
}

void rh__operation_end(struct rh__operation *open)
{
    struct rh_history *history = rh__history;
    if (!is_watched())
        return;
    if (!open->is_open) {
        rh__current()->depth -= rh__current()->depth > 0;
        return;
    }
    rh__point(RH_ACT_RETURN, 0, 1, false, (uintptr_t)__builtin_return_address(0));
    struct rh_fiber *thread = rh__current();
    int number = thread->operation;
    if (rh__engine->mode == RH_MODE_ORDER)
        rh__order_end();
    else if (rh__engine->is_marked)
        rh__commit_return(&history->operations[number]);
    history->operations[number].returned = ++history->moment;
    history->last_returned = number;
    thread->operation = -1;
    thread->depth = 0;
    if (--history->open == 0)
        take_view();
    rh__moment_add(RH_MOMENT_RETURN, number,
                   history->open ? NULL : &history->views[history->count]);
    if (!history->open)
        rh__invariant_check(RH_MOMENT_RETURN, number);
    if (rh__engine->mode == RH_MODE_ORDER && rh__engine->order.next == rh__engine->order.count)
        rh__leave(RH_OUTCOME_COMPLETE);
}

// --- Serial runs. ---

void rh__serial_forget(void)
{
    memory->serial_count = 0;
    memset(memory->known, 0, sizeof memory->known);
}

uint32_t rh__serial_count(void)
{
    return memory->serial_count;
}

void rh__serial_add(void)
{
    const struct rh_history *history = &memory->history;
    if (memory->serial_count == RH_SERIAL_MOST)
        return;
    struct serial *serial = &memory->serial[memory->serial_count++];
    serial->count = history->count;
    serial->last = history->last;
    for (int i = 0; i < history->count; i++) {
        serial->thread[i] = (uint8_t)history->operations[i].thread;
        serial->index[i] = (uint8_t)history->operations[i].index;
        serial->signatures[i] = rh__operation_signature(&history->operations[i]);
        serial->views[i + 1] = history->views[i + 1];
    }
}

static int place_of(const struct serial *serial, const struct rh_operation *operation)
{
    for (int i = 0; i < serial->count; i++)
        if (serial->thread[i] == operation->thread && serial->index[i] == operation->index)
            return i;
    return -1;
}

// How far the serial run explains the history.
static enum rh_explained compare(const struct serial *serial, const uint64_t *signatures)
{
    const struct rh_history *history = &memory->history;
    int places[RH_OPERATIONS_MOST];
    if (serial->count != history->count)
        return RH_NO_RESULTS;
    for (int i = 0; i < history->count; i++) {
        places[i] = place_of(serial, &history->operations[i]);
        if (places[i] < 0 || serial->signatures[places[i]] != signatures[i])
            return RH_NO_RESULTS;
    }
    for (int i = 0; i < history->count; i++)
        for (int k = 0; k < history->count; k++)
            if (history->operations[i].returned < history->operations[k].called &&
                places[i] > places[k])
                return RH_NO_TIME;
    for (int i = 1; i <= history->count; i++)
        if (history->has_view[i] && history->views[i] != serial->views[i])
            return RH_NO_VIEW;
    return RH_EXPLAINED;
}

static enum rh_explained explain(const uint64_t *signatures, int *order)
{
    enum rh_explained best = RH_NO_RESULTS;
    *order = -1;
    for (uint32_t i = 0; i < memory->serial_count; i++) {
        enum rh_explained explained = compare(&memory->serial[i], signatures);
        if (explained == RH_EXPLAINED) {
            *order = (int)i;
            return explained;
        }
        if (explained > best) {
            best = explained;
            *order = (int)i;
        }
    }
    return best;
}

// What `compare` looks at.
static uint64_t hash_history(const uint64_t *signatures)
{
    const struct rh_history *history = &memory->history;
    uint64_t hash = (uint64_t)history->count + 1;
    for (int i = 0; i < history->count; i++) {
        const struct rh_operation *operation = &history->operations[i];
        uint64_t own =
            rh__mix((uint64_t)operation->thread * 64 + (uint64_t)operation->index, signatures[i]);
        hash = rh__mix(hash, own);
        for (int k = 0; k < i; k++)
            hash = rh__mix(hash, history->operations[k].returned < operation->called);
        hash = rh__mix(hash, history->has_view[i + 1] ? history->views[i + 1] : 0);
    }
    return hash | 1;
}

enum rh_explained rh__history_explain(int *order)
{
    const struct rh_history *history = &memory->history;
    uint64_t signatures[RH_OPERATIONS_MOST] = {0};
    for (int i = 0; i < history->count; i++)
        signatures[i] = rh__operation_signature(&history->operations[i]);
    uint64_t hash = hash_history(signatures);
    uint64_t slot = hash >> 32 & (KNOWN_SLOTS - 1);
    struct known *known = &memory->known[slot];
    if (known->hash != hash) {
        known->explained = explain(signatures, &known->order);
        known->hash = hash;
    }
    *order = known->order;
    return known->explained;
}

static uint64_t hash_moments(void)
{
    const struct rh_history *history = &memory->history;
    uint64_t hash = 1;
    for (uint32_t i = 0; i < history->moment_count; i++) {
        const struct rh_moment *moment = &history->moments[i];
        const struct rh_operation *operation = &history->operations[moment->operation];
        hash = rh__mix(hash, moment->kind);
        hash = rh__mix(hash, (uint64_t)operation->thread * 64 + (uint64_t)operation->index);
        hash = rh__mix(hash, moment->has_view ? moment->view : 0);
        if (moment->kind == RH_MOMENT_RETURN)
            hash = rh__mix(hash, rh__operation_signature(operation) + operation->observes);
    }
    return hash | 1;
}

bool rh__history_is_known(void)
{
    uint64_t hash = hash_moments();
    return memory->known[hash >> 32 & (KNOWN_SLOTS - 1)].hash == hash;
}

void rh__history_note_known(void)
{
    uint64_t hash = hash_moments();
    memory->known[hash >> 32 & (KNOWN_SLOTS - 1)].hash = hash;
}

const struct rh_view *rh__serial_view(int order)
{
    return &memory->serial[order].last;
}

int rh__serial_operation_of(const struct rh_history *history, int order, int place)
{
    const struct serial *serial = &memory->serial[order];
    for (int i = 0; i < history->count; i++) {
        const struct rh_operation *operation = &history->operations[i];
        if (operation->thread == serial->thread[place] && operation->index == serial->index[place])
            return i;
    }
    return -1;
}

// --- Texts. ---

void rh__result_print(const struct rh_operation *operation, struct rh_text *text)
{
    if (operation->is_truth)
        rh_text_add(text, operation->result ? "true" : "false");
    else
        rh_text_addf(text, "%" PRId64, operation->result);
}

void rh__operation_print(const struct rh_operation *operation, struct rh_text *text)
{
    rh_text_add(text, operation->call);
    if (!operation->is_text) {
        for (int i = 0; i < operation->argument_count; i++)
            rh_text_addf(text, "%s%" PRId64, i ? ", " : "(", operation->arguments[i]);
        rh_text_add(text, operation->argument_count ? ")" : "()");
    }
    if (operation->has_result) {
        rh_text_add(text, " = ");
        rh__result_print(operation, text);
    }
}
