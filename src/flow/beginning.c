// SPDX-License-Identifier: MIT
// What a test overwrites before anything can have read it. The body of a test mostly begins with
// setting variables that its actors read; what these variables held at the start is then found
// nowhere. Only instructions count that run once and in this order, up to the first that may read
// memory of others or let others run.
#include <string.h>

#include "flow/internal.h"

// Calls in the body of a test that are nested deeper are not followed.
enum { DEPTH_MOST = 8 };

// Whether code runs before the test does: that code reads what variables hold at the start.
static bool has_other_code(const struct rh_ir_module *module)
{
    for (size_t i = 0; i < module->globals.count; i++)
        if (rh__flow_runs_at_start(&module->globals.items[i]))
            return true;
    for (size_t i = 0; i < module->constants.count; i++)
        if (module->constants.items[i].kind == RH_IR_EXPRESSION &&
            module->constants.items[i].opcode == RH_IR_CALL)
            return true;
    return rh__flow_main_find(module) != RH_NONE;
}

static void overwrite(struct rh__flow *flow, const struct rh_ir_instruction *store)
{
    struct rh__flow_stretch stretch = {.size = rh_ir_size_of(flow->module, store->accessed)};
    int64_t offset;
    if (!store->operands[1].is_constant ||
        !rh__flow_constant_address(flow->module, store->operands[1].index, &stretch.global,
                                   &offset) ||
        offset < 0)
        return;
    stretch.offset = (uint64_t)offset;
    *rh_vector_push(&flow->overwritten) = stretch;
}

// Whether the address is that of a local variable, or of a part of one.
static bool is_local(const struct rh_ir_function *function, struct rh_ir_ref address)
{
    const struct rh_ir_instruction *each = rh_ir_definition(function, address);
    while (each && each->opcode == RH_IR_ADDRESS)
        each = rh_ir_definition(function, each->operands[0]);
    return each && each->opcode == RH_IR_ALLOCATE;
}

static bool read_function(struct rh__flow *flow, const struct rh_ir_function *function, int depth);

static bool read_call(struct rh__flow *flow, const struct rh_ir_instruction *call, int depth)
{
    const struct rh_ir_function *callee = rh_ir_callee(flow->module, call);
    if (!callee)
        return false;
    if (callee->is_intrinsic)
        return !strncmp(callee->name, "llvm.lifetime.", 14) ||
               !strncmp(callee->name, "llvm.memset.", 12);
    for (uint32_t i = 0; i < callee->parameter_count; i++)
        if (callee->copied[i] != RH_NONE)
            return false;
    return depth < DEPTH_MOST && read_function(flow, callee, depth + 1);
}

// Gives whether what comes after the instruction still counts.
static bool read_instruction(struct rh__flow *flow, const struct rh_ir_function *function,
                             const struct rh_ir_instruction *each, int depth)
{
    switch (each->opcode) {
    case RH_IR_STORE:
        overwrite(flow, each);
        return true;
    case RH_IR_LOAD:
        return is_local(function, each->operands[0]);
    case RH_IR_CALL:
        return read_call(flow, each, depth);
    case RH_IR_EXCHANGE:
    case RH_IR_COMPARE_EXCHANGE:
    case RH_IR_NEXT_ARGUMENT:
    case RH_IR_UNSUPPORTED:
        return false;
    default:
        return true;
    }
}

// Gives whether the function comes to its end in one way only, so that what comes after the call
// still counts.
static bool read_function(struct rh__flow *flow, const struct rh_ir_function *function, int depth)
{
    uint32_t at = 0;
    for (uint32_t steps = 0; steps < function->block_count; steps++) {
        const struct rh_ir_block *block = &function->blocks[at];
        const struct rh_ir_instruction *last =
            &function->instructions[block->first + block->count - 1];
        for (uint32_t i = 0; i < block->count; i++)
            if (!read_instruction(flow, function, &function->instructions[block->first + i], depth))
                return false;
        if (last->opcode != RH_IR_BRANCH || last->block_count != 1)
            return last->opcode == RH_IR_RETURN;
        at = last->blocks[0];
    }
    return false;
}

void rh__flow_beginning_read(struct rh__flow *flow, uint32_t body)
{
    bool is_plain = flow->options->is_baseline || flow->options->ignores_numbers;
    if (!is_plain && !has_other_code(flow->module))
        read_function(flow, &flow->module->functions.items[body], 0);
}

uint64_t rh__flow_overwritten_end(const struct rh__flow *flow, uint32_t global, uint64_t offset)
{
    uint64_t end = offset;
    for (bool has_moved = true; has_moved;) {
        has_moved = false;
        for (size_t i = 0; i < flow->overwritten.count; i++) {
            const struct rh__flow_stretch *each = &flow->overwritten.items[i];
            if (each->global != global || each->offset > end || each->offset + each->size <= end)
                continue;
            end = each->offset + each->size;
            has_moved = true;
        }
    }
    return end;
}

uint64_t rh__flow_overwritten_next(const struct rh__flow *flow, uint32_t global, uint64_t offset,
                                   uint64_t limit)
{
    for (size_t i = 0; i < flow->overwritten.count; i++) {
        const struct rh__flow_stretch *each = &flow->overwritten.items[i];
        if (each->global == global && each->offset >= offset && each->offset < limit)
            limit = each->offset;
    }
    return limit;
}
