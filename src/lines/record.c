// SPDX-License-Identifier: MIT
#include "lines/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapping.h"
#include "base/none.h"
#include "entry/process.h"
#include "entry/stack.h"

// A call of a function that is under way, and the block that it is in.
struct frame {
    uintptr_t address;
    uint32_t block;
};

// How many calls are told apart; what lies deeper shows no ways.
enum { CALLS_MOST = 1 << 18 };

// The largest frame that a function has.
enum { FRAME_MOST = 1 << 26 };

// Calls under way on one stack, the newest last: addresses fall. In memory of its own, since hooks
// are called where the program's malloc may not be.
struct calls {
    struct frame *items; // CALLS_MOST
    uint32_t count;
};

// The calls of a handler that waits since this delivery.
struct waiting {
    uint32_t receiver;
    RH_VECTOR(struct frame) calls;
};

struct rh_lines_record {
    struct rh_code *code; // owned
    uint8_t *marks;       // shared
};

struct recorder {
    struct rh_lines_record *record; // NULL: nothing is written down. The first member: see the hook
    struct calls handlers, others;  // on the handlers' stack, and on any other
    RH_VECTOR(struct waiting) waiting; // by delivery
};

struct recorder rh__lines RH__OWN;

struct rh_lines_record *rh_lines_record_new(struct rh_code *code)
{
    struct rh_lines_record *record = rh_alloc(sizeof *record);
    *record = (struct rh_lines_record){code, rh_map_shared(code->mark_count)};
    if (record->marks)
        return record;
    rh_lines_record_free(record);
    return NULL;
}

void rh_lines_record_free(struct rh_lines_record *record)
{
    if (!record)
        return;
    rh_unmap_shared(record->marks, record->code->mark_count);
    rh_code_free(record->code);
    free(record);
}

void rh_lines_record_clear(struct rh_lines_record *record)
{
    memset(record->marks, 0, record->code->mark_count);
}

const uint8_t *rh_lines_record_marks(const struct rh_lines_record *record)
{
    return record->marks;
}

const struct rh_code *rh_lines_record_code(const struct rh_lines_record *record)
{
    return record->code;
}

void rh_lines_start(struct rh_lines_record *record)
{
    struct frame *memory = record ? rh_map_shared(2 * CALLS_MOST * sizeof *memory) : NULL;
    if (!memory)
        return;
    rh__lines.handlers.items = memory;
    rh__lines.others.items = memory + CALLS_MOST;
    rh__lines.record = record;
}

// All calls of the block up to this one have returned.
static void mark_calls(struct rh_lines_record *record, const struct rh_code_block *block,
                       uint32_t count)
{
    for (uint32_t i = block->first_call; i < block->first_call + count; i++)
        record->marks[record->code->calls.items[i].mark] = 1;
}

// Code runs, or has called, at this address: in this block, as far as it is one of the block's.
static void mark_at(struct rh_lines_record *record, uint32_t number, uintptr_t address)
{
    const struct rh_code_block *block = &record->code->blocks.items[number];
    const struct rh_code_call *calls = record->code->calls.items + block->first_call;
    for (uint32_t i = 0; i < block->call_count; i++) {
        if (calls[i].back == address)
            mark_calls(record, block, i);
        else if (address > calls[i].back && address < calls[i].until)
            mark_calls(record, block, i + 1);
    }
}

// From one block to the next of the same call. If the block before may have been the last of an
// earlier call that had its frame at the same place, nothing follows from it.
static void take_way(struct rh_lines_record *record, uint32_t from, uint32_t to)
{
    const struct rh_code *code = record->code;
    const struct rh_code_block *block = &code->blocks.items[from];
    mark_calls(record, block, block->call_count);
    if (code->blocks.items[to].is_entry && block->returns)
        return;
    for (uint32_t i = block->first_way; i < block->first_way + block->way_count; i++)
        if (code->ways.items[i].to == to)
            record->marks[code->ways.items[i].mark] = 1;
}

static void drop_newest(struct calls *calls, bool has_returned)
{
    const struct frame *frame = &calls->items[--calls->count];
    const struct rh_code_block *block = &rh__lines.record->code->blocks.items[frame->block];
    if (has_returned)
        mark_calls(rh__lines.record, block, block->call_count);
}

// Whether there is a frame at this address: code that was compiled without frame pointers has
// anything in the register.
static bool is_frame(uintptr_t address, uintptr_t stack)
{
    return address > stack && address - stack < FRAME_MOST && address % sizeof address == 0;
}

static void push(struct calls *calls, uintptr_t address, uint32_t block)
{
    if (calls->count > 0 && rh__lines.record->code->blocks.items[block].is_entry)
        mark_at(rh__lines.record, calls->items[calls->count - 1].block,
                ((const uintptr_t *)address)[1]);
    if (calls->count < CALLS_MOST)
        calls->items[calls->count++] = (struct frame){address, block};
}

// Called by the hook: the block whose hook returns to this address begins, in a function with this
// frame; `stack` is the stack pointer.
void rh__lines_note(uintptr_t hook, uintptr_t address, uintptr_t stack);
void rh__lines_note(uintptr_t hook, uintptr_t address, uintptr_t stack)
{
    struct rh_lines_record *record = rh__lines.record;
    uint32_t block = rh_code_find(record->code, hook);
    if (block == RH_NONE)
        return;
    record->marks[record->code->blocks.items[block].mark] = 1;
    if (!is_frame(address, stack))
        return;
    struct calls *calls =
        rh_stack_has((const void *)address) ? &rh__lines.handlers : &rh__lines.others;
    while (calls->count > 0 && calls->items[calls->count - 1].address < address)
        drop_newest(calls, true);
    if (calls->count == 0 || calls->items[calls->count - 1].address != address) {
        push(calls, address, block);
        return;
    }
    take_way(record, calls->items[calls->count - 1].block, block);
    calls->items[calls->count - 1].block = block;
}

// Deliveries.

static struct waiting *waiting_at(uint32_t delivery)
{
    while (rh__lines.waiting.count <= delivery)
        rh_vector_push(&rh__lines.waiting);
    return &rh__lines.waiting.items[delivery];
}

static void keep_waiting(struct waiting *waiting)
{
    for (uint32_t i = 0; i < rh__lines.handlers.count; i++)
        *rh_vector_push(&waiting->calls) = rh__lines.handlers.items[i];
}

// A handler that goes on has waited since the last delivery before this one that its actor had.
static void find_waiting(uint32_t delivery, uint32_t receiver)
{
    const struct waiting *waiting = &rh__lines.waiting.items[delivery];
    while (delivery-- > 0)
        if ((--waiting)->receiver == receiver)
            break;
    if (waiting->receiver != receiver)
        return;
    for (size_t i = 0; i < waiting->calls.count; i++)
        rh__lines.handlers.items[rh__lines.handlers.count++] = waiting->calls.items[i];
}

static void forget(struct calls *calls, bool has_returned)
{
    while (calls->count > 0)
        drop_newest(calls, has_returned);
}

void rh_lines_begin(uint32_t delivery, uint32_t receiver, bool goes_on)
{
    if (!rh__lines.record)
        return;
    struct waiting *waiting = waiting_at(delivery);
    waiting->receiver = receiver;
    waiting->calls.count = 0;
    if (goes_on)
        find_waiting(delivery, receiver);
}

void rh_lines_end(bool has_returned)
{
    if (!rh__lines.record)
        return;
    forget(&rh__lines.handlers, has_returned);
    forget(&rh__lines.others, has_returned);
}

// Marks what the addresses of running code and of its callers tell.
static void mark_stopped(const struct calls *calls, const uint64_t *frames, int count)
{
    for (uint32_t i = 0; i < calls->count; i++)
        for (int k = 0; k < count; k++)
            mark_at(rh__lines.record, calls->items[i].block, frames[k]);
}

void rh_lines_wait(uint32_t delivery, uintptr_t back)
{
    if (!rh__lines.record)
        return;
    mark_stopped(&rh__lines.handlers, &back, 1);
    keep_waiting(waiting_at(delivery));
    rh_lines_end(false);
}

void rh_lines_crash(const uint64_t *frames, int count)
{
    if (!rh__lines.record)
        return;
    mark_stopped(&rh__lines.handlers, frames, count);
    mark_stopped(&rh__lines.others, frames, count);
}
