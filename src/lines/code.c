// SPDX-License-Identifier: MIT
// Reads the machine code of the running program, from hook to hook.
#include "lines/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/none.h"
#include "lines/instruction.h"

// The hook, and whether it is the library's own: both NULL if nothing was compiled with hooks.
extern void __sanitizer_cov_trace_pc(void) __attribute__((weak));
extern const char rh__hook_is_own __attribute__((weak));

// Instructions between two hooks, beyond which it is not known where a block leads.
enum { WALK_MOST = 100000 };

struct range {
    uintptr_t start, end;
};

// A way out of the block that is being read, with the lines that lie on it.
struct way {
    uint32_t to;
    RH_VECTOR(struct rh_code_place) lines;
};

struct reader {
    struct rh_debug *debug;
    struct rh_code *code;
    RH_VECTOR(struct range) functions; // with hooks, by address
    // The block that is being read.
    struct rh_code_block *block;
    uint32_t steps;                        // instructions looked at
    RH_VECTOR(struct way) ways;            // found so far
    RH_VECTOR(struct rh_code_place) lines; // since the first branch, up to the present instruction
    RH_VECTOR(uintptr_t) branches;         // on the way to the present instruction
};

// Finding the hooks.

static bool is_hook(const struct rh_instruction *instruction)
{
    return instruction->kind == RH_INSTRUCTION_CALL &&
           instruction->target == (uintptr_t)__sanitizer_cov_trace_pc;
}

static void visit_function(void *context, const struct rh_debug_code *function)
{
    struct reader *reader = context;
    uintptr_t at = function->start, end = at + function->size;
    size_t before = reader->code->blocks.count;
    struct rh_instruction instruction = {.length = 1};
    // Of several names of one function the first counts.
    if (reader->functions.count > 0 &&
        at < reader->functions.items[reader->functions.count - 1].end)
        return;
    for (; at < end && instruction.length > 0; at += instruction.length) {
        instruction = rh_instruction_read((const uint8_t *)at, end - at);
        bool is_first = reader->code->blocks.count == before;
        if (is_hook(&instruction))
            *rh_vector_push(&reader->code->blocks) =
                (struct rh_code_block){.hook = at + instruction.length,
                                       .mark = reader->code->mark_count++,
                                       .is_entry = is_first};
    }
    if (reader->code->blocks.count > before)
        *rh_vector_push(&reader->functions) = (struct range){function->start, end};
}

static void index_blocks(struct rh_code *code)
{
    code->start = code->blocks.items[0].hook;
    code->end = code->blocks.items[code->blocks.count - 1].hook + 1;
    code->by_address = rh_alloc((code->end - code->start) * sizeof *code->by_address);
    for (size_t i = 0; i < code->blocks.count; i++)
        code->by_address[code->blocks.items[i].hook - code->start] = (uint32_t)i + 1;
}

// Places.

// Lines of the system's headers are nobody's to reach.
static bool find_place(struct reader *reader, uintptr_t at, struct rh_code_place *place)
{
    *place = (struct rh_code_place){0};
    return rh_debug_line_at(reader->debug, at, &place->function, &place->file, &place->line) &&
           place->line > 0 && strncmp(place->file, "/usr/", 5) != 0;
}

static bool is_same_place(const struct rh_code_place *one, const struct rh_code_place *other)
{
    return one->line == other->line && strcmp(one->file, other->file) == 0;
}

static void add_line(struct reader *reader, const struct rh_code_place *place, uint32_t mark)
{
    const struct rh_code *code = reader->code;
    const struct rh_code_line *last =
        code->lines.count > 0 ? &code->lines.items[code->lines.count - 1] : NULL;
    if (!last || last->mark != mark || !is_same_place(&last->place, place))
        *rh_vector_push(&reader->code->lines) = (struct rh_code_line){*place, mark};
}

static void add_line_at(struct reader *reader, uintptr_t at, uint32_t mark)
{
    struct rh_code_place place;
    if (find_place(reader, at, &place))
        add_line(reader, &place, mark);
}

// Ways.

static const struct range *find_function(const struct reader *reader, uintptr_t at)
{
    size_t low = 0, high = reader->functions.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reader->functions.items[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_in = low < reader->functions.count && reader->functions.items[low].start <= at;
    return is_in ? &reader->functions.items[low] : NULL;
}

static bool has_line(const struct reader *reader, const struct rh_code_place *place)
{
    for (size_t i = 0; i < reader->lines.count; i++)
        if (is_same_place(&reader->lines.items[i], place))
            return true;
    return false;
}

// Leaves the lines that are on the present way too.
static void keep_common(const struct reader *reader, struct way *way)
{
    size_t kept = 0;
    for (size_t i = 0; i < way->lines.count; i++)
        if (has_line(reader, &way->lines.items[i]))
            way->lines.items[kept++] = way->lines.items[i];
    way->lines.count = kept;
}

static void add_way(struct reader *reader, uintptr_t hook)
{
    uint32_t to = rh_code_find(reader->code, hook);
    for (size_t i = 0; i < reader->ways.count; i++)
        if (reader->ways.items[i].to == to) {
            keep_common(reader, &reader->ways.items[i]);
            return;
        }
    struct way *way = rh_vector_push(&reader->ways);
    way->to = to;
    for (size_t i = 0; i < reader->lines.count; i++)
        *rh_vector_push(&way->lines) = reader->lines.items[i];
}

static bool is_going_round(const struct reader *reader, uintptr_t at)
{
    for (size_t i = 0; i < reader->branches.count; i++)
        if (reader->branches.items[i] == at)
            return true;
    return false;
}

static void walk(struct reader *reader, uintptr_t at);

// Follows both ways of the branch at this address; what is behind it is on one of them only.
static void walk_both(struct reader *reader, uintptr_t at, const struct rh_instruction *branch)
{
    size_t lines = reader->lines.count;
    struct rh_code_place place;
    if (is_going_round(reader, at))
        return;
    if (reader->branches.count == 0 && find_place(reader, at, &place))
        reader->block->branch_line = place.line;
    *rh_vector_push(&reader->branches) = at;
    walk(reader, branch->target);
    reader->lines.count = lines;
    walk(reader, at + branch->length);
    reader->branches.count--;
}

static void note_on_way(struct reader *reader, uintptr_t at)
{
    struct rh_code_place place;
    if (find_place(reader, at, &place) && !has_line(reader, &place))
        *rh_vector_push(&reader->lines) = place;
}

// Where the instruction at this address leads; 0 if nothing follows in this block.
static uintptr_t step(struct reader *reader, uintptr_t at, const struct rh_instruction *read)
{
    switch (read->kind) {
    case RH_INSTRUCTION_OTHER:
    case RH_INSTRUCTION_CALL:
        return at + read->length;
    case RH_INSTRUCTION_JUMP:
        // To a function without hooks: as good as a call before the return.
        reader->block->returns |= !find_function(reader, read->target);
        return read->target;
    case RH_INSTRUCTION_BRANCH:
        walk_both(reader, at, read);
        return 0;
    case RH_INSTRUCTION_RETURN:
        reader->block->returns = true;
        return 0;
    case RH_INSTRUCTION_TRAP:
        return 0;
    case RH_INSTRUCTION_UNKNOWN:
        break;
    }
    reader->block->is_open = true;
    return 0;
}

// Straight code behind the newest call ends before this address.
static void end_call(struct reader *reader, uintptr_t end)
{
    if (reader->block->call_count > 0 && reader->branches.count == 0 &&
        reader->code->calls.items[reader->code->calls.count - 1].until == 0)
        reader->code->calls.items[reader->code->calls.count - 1].until = end;
}

// Gives the mark of what stands behind the call.
static uint32_t add_call(struct reader *reader, uintptr_t back)
{
    uint32_t mark = reader->code->mark_count++;
    *rh_vector_push(&reader->code->calls) = (struct rh_code_call){.back = back, .mark = mark};
    reader->block->call_count++;
    return mark;
}

// Follows the code to the next hooks. Up to the first branch, lines belong to the block: to its
// beginning, or behind one of its calls. Behind a branch calls are not told apart.
static void walk(struct reader *reader, uintptr_t at)
{
    const struct range *function = find_function(reader, at);
    uint32_t mark = reader->block->mark;
    bool is_certain = reader->branches.count == 0;
    while (at && function && at < function->end) {
        struct rh_instruction read = rh_instruction_read((const uint8_t *)at, function->end - at);
        if (read.kind != RH_INSTRUCTION_OTHER && is_certain)
            end_call(reader, at + read.length);
        if (is_hook(&read)) {
            add_way(reader, at + read.length);
            return;
        }
        if (++reader->steps > WALK_MOST)
            read.kind = RH_INSTRUCTION_UNKNOWN;
        if (is_certain)
            add_line_at(reader, at, mark);
        else
            note_on_way(reader, at);
        if (read.kind == RH_INSTRUCTION_CALL && is_certain)
            mark = add_call(reader, at + read.length);
        at = step(reader, at, &read);
        if (at >= function->end || at < function->start)
            function = find_function(reader, at);
    }
}

static int compare_ways(const void *first, const void *second)
{
    const struct way *one = first, *other = second;
    return one->to < other->to ? -1 : one->to > other->to;
}

// Takes over the ways that were found, by address of where they lead.
static void keep_ways(struct reader *reader)
{
    if (reader->ways.count > 0)
        qsort(reader->ways.items, reader->ways.count, sizeof *reader->ways.items, compare_ways);
    reader->block->first_way = (uint32_t)reader->code->ways.count;
    reader->block->way_count = (uint32_t)reader->ways.count;
    for (size_t i = 0; i < reader->ways.count; i++) {
        struct way *way = &reader->ways.items[i];
        uint32_t mark = reader->code->mark_count++;
        *rh_vector_push(&reader->code->ways) = (struct rh_code_way){way->to, mark};
        for (size_t k = 0; k < way->lines.count; k++)
            add_line(reader, &way->lines.items[k], mark);
        rh_vector_fini(&way->lines);
    }
    reader->ways.count = 0;
}

static void read_block(struct reader *reader, uint32_t number)
{
    reader->block = &reader->code->blocks.items[number];
    reader->block->first_call = (uint32_t)reader->code->calls.count;
    reader->steps = 0;
    reader->lines.count = reader->branches.count = 0;
    // The address behind a call may be another line's.
    if (find_place(reader, reader->block->hook - 1, &reader->block->place))
        add_line(reader, &reader->block->place, reader->block->mark);
    else
        reader->block->place.file = NULL;
    reader->block->branch_line = reader->block->place.line;
    walk(reader, reader->block->hook);
    keep_ways(reader);
}

struct rh_code *rh_code_new(struct rh_debug *debug)
{
    if (!debug || !__sanitizer_cov_trace_pc || !&rh__hook_is_own)
        return NULL;
    struct reader reader = {.debug = debug, .code = rh_alloc(sizeof *reader.code)};
    rh_debug_visit_code(debug, visit_function, &reader);
    if (reader.code->blocks.count > 0) {
        index_blocks(reader.code);
        for (uint32_t i = 0; i < reader.code->blocks.count; i++)
            read_block(&reader, i);
    } else {
        rh_code_free(reader.code);
        reader.code = NULL;
    }
    rh_vector_fini(&reader.functions);
    rh_vector_fini(&reader.ways);
    rh_vector_fini(&reader.lines);
    rh_vector_fini(&reader.branches);
    return reader.code;
}

void rh_code_free(struct rh_code *code)
{
    if (!code)
        return;
    rh_vector_fini(&code->blocks);
    rh_vector_fini(&code->ways);
    rh_vector_fini(&code->calls);
    rh_vector_fini(&code->lines);
    free(code->by_address);
    free(code);
}
