// SPDX-License-Identifier: MIT
// Calls of functions, and the way back.
#include <stdlib.h>
#include <string.h>

#include "symbolic/interpret.h"

static void release_stack(struct rh__sym_situation *situation, uint32_t first)
{
    for (size_t i = first; i < situation->objects.count; i++) {
        struct rh__sym_object **slot = &situation->objects.items[i];
        if (*slot && (*slot)->is_stack) {
            rh__sym_object_release(*slot);
            *slot = NULL;
        }
    }
    while (situation->objects.count && !situation->objects.items[situation->objects.count - 1])
        situation->objects.count--;
}

void rh__sym_do_return(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct rh_ir_instruction *instruction)
{
    rh__sym_value value = RH__SYM_NO_VALUE;
    if (instruction->operand_count)
        value = rh__sym_operand(sym, situation, instruction->operands[0]);
    bool is_greater = false;
    if (situation->end != RH__SYM_RUNS ||
        (rh__sym_top(situation)->sorting &&
         !rh__sym_sorting_decide(sym, situation, value, &is_greater)))
        return;
    struct rh__sym_frame frame = *rh__sym_top(situation);
    situation->frames.count--;
    release_stack(situation, frame.first_object);
    rh__sym_frame_fini(&frame);
    situation->returned = value;
    if (!frame.call)
        situation->end = RH__SYM_DONE;
    else if (!frame.sorting)
        rh__sym_set(situation, value);
    else if (rh__sym_sorting_go(sym, situation, frame.sorting, is_greater))
        rh__sym_set(situation, RH__SYM_NO_VALUE);
    if (frame.call && frame.call->block_count && situation->end == RH__SYM_RUNS) {
        rh__sym_top(situation)->next--; // an invoke goes on in its first block
        rh__sym_jump(sym, situation, frame.call, frame.call->blocks[0], false);
    }
}

static uint64_t depth_of(const struct rh__sym_situation *situation,
                         const struct rh_ir_function *function)
{
    uint64_t depth = 0;
    for (size_t i = 0; i < situation->frames.count; i++)
        depth += situation->frames.items[i].function == function;
    return depth;
}

// An object that the callee gets a copy of.
static bool copy_argument(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t type,
                          rh__sym_value *argument)
{
    struct rh__sym_place place;
    uint64_t offset, size = rh_ir_size_of(sym->module, type);
    if (!rh__sym_find_fixed(sym, situation, *argument, size, &place, &offset))
        return false;
    struct rh__sym_object *copy = rh__sym_object_new(size, RH__SYM_REST_UNSET);
    copy->is_stack = true;
    rh__sym_object_copy(sym, &copy, 0, rh__sym_object_at(sym, situation, &place), offset, size);
    uint32_t number = rh__sym_object_add(situation, copy);
    *argument = rh_term_constant(&sym->terms, 64, rh__sym_object_address(number));
    return true;
}

bool rh__sym_call(struct rh__sym *sym, struct rh__sym_situation *situation,
                  const struct rh_ir_function *function, const struct rh_ir_instruction *call,
                  const rh__sym_value *arguments, uint32_t count)
{
    if (call && depth_of(situation, function) > sym->options->loop) {
        rh__sym_cut(sym, situation, RH_CUT_LOOP);
        return false;
    }
    uint32_t first_object = (uint32_t)situation->objects.count;
    uint32_t total = function->parameter_count + function->instruction_count;
    rh__sym_value *values = rh_alloc(total * sizeof *values + 1);
    for (uint32_t i = 0; i < total; i++)
        values[i] = i < count && i < function->parameter_count ? arguments[i] : RH__SYM_NO_VALUE;
    for (uint32_t i = 0; i < function->parameter_count && i < count; i++)
        if (function->copied[i] != RH_NONE &&
            !copy_argument(sym, situation, function->copied[i], &values[i])) {
            free(values);
            return false;
        }
    uint32_t loop_count = rh__sym_loops_of(sym, function)->count;
    *rh_vector_push(&situation->frames) = (struct rh__sym_frame){
        .function = function,
        .before = RH_NONE,
        .call = call,
        .values = values,
        .rounds = loop_count ? rh_alloc(loop_count * sizeof(struct rh__sym_rounds)) : NULL,
        .first_object = first_object,
    };
    return true;
}

static const struct rh_ir_function *callee_of(struct rh__sym *sym,
                                              struct rh__sym_situation *situation,
                                              const struct rh_ir_instruction *instruction)
{
    rh_term where;
    uint64_t number;
    if (!rh__sym_scalar(sym, situation, instruction->operands[instruction->operand_count - 1],
                        &where) ||
        !rh__sym_decide(sym, situation, &where))
        return NULL;
    bool is_known = rh_term_is_constant(&sym->terms, where, &number);
    if (is_known && number >= RH__SYM_FUNCTIONS && number < RH__SYM_OBJECTS)
        return &sym->module->functions.items[(number - RH__SYM_FUNCTIONS) / 16];
    if (is_known && number == 0)
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "a call through a null pointer");
    else
        rh__sym_give_up(sym, situation, "a call through an unknown address");
    return NULL;
}

static void serve(struct rh__sym *sym, struct rh__sym_situation *situation,
                  const struct rh_ir_function *callee, const rh__sym_value *arguments,
                  uint32_t count)
{
    rh__sym_value value = RH__SYM_NO_VALUE;
    const struct rh__sym_call call = {sym, situation, callee, arguments, count, &value};
    enum rh__sym_served served =
        rh__sym_operation(sym, situation, callee->name, arguments, count, &value);
    if (served == RH__SYM_NOT_SERVED) {
        sym->looks_elsewhere = sym->looks_elsewhere || strncmp(callee->name, "llvm.", 5) != 0;
        served = rh__sym_library(&call);
    }
    if (served == RH__SYM_NOT_SERVED)
        served = rh__sym_foreign(&call);
    if (served == RH__SYM_NOT_SERVED)
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "the call of %s", callee->source_name);
    else if (served == RH__SYM_SERVED && situation->end == RH__SYM_RUNS)
        rh__sym_set(situation, value);
    else if (served == RH__SYM_WAITS)
        rh__sym_wait_begin(situation, situation->message_count - 1);
}

void rh__sym_do_call(struct rh__sym *sym, struct rh__sym_situation *situation,
                     const struct rh_ir_instruction *instruction)
{
    const struct rh_ir_function *callee = callee_of(sym, situation, instruction);
    if (!callee)
        return;
    uint32_t count = instruction->operand_count - 1;
    rh__sym_value *arguments = rh_alloc(count * sizeof *arguments + 1);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = rh__sym_operand(sym, situation, instruction->operands[i]);
    if (situation->end != RH__SYM_RUNS)
        ; // an argument can't be told
    else if (callee->block_count && !callee->is_variadic)
        rh__sym_call(sym, situation, callee, instruction, arguments, count);
    else
        serve(sym, situation, callee, arguments, count);
    free(arguments);
}
