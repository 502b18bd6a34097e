// SPDX-License-Identifier: MIT
// The place that is to be reached: the instructions of a line, the handlers that may come to it,
// and how far every other handler is from them.
#include <string.h>

#include "base/file_name.h"
#include "symbolic/internal.h"
#include "symbolic/target.h"

static bool is_code(const struct rh_ir_instruction *instruction)
{
    return instruction->place.file && instruction->place.line && instruction->opcode != RH_IR_PHI &&
           instruction->opcode != RH_IR_ALLOCATE;
}

// --- Lines. ---

static bool has_code(const struct rh_reach_options *options, uint32_t line)
{
    return !options->has_code || options->has_code(options->context, line);
}

static void note_near(struct rh__sym_target *target, const struct rh_reach_options *options,
                      uint32_t line)
{
    bool is_nearer_before = line < options->line && line > target->line_before;
    bool is_nearer_after =
        line > options->line && (target->line_after == 0 || line < target->line_after);
    if ((!is_nearer_before && !is_nearer_after) || !has_code(options, line))
        return;
    if (is_nearer_before)
        target->line_before = line;
    else
        target->line_after = line;
}

// A jump ends what stands above it, such as one way of an `if`, and the compiler may put it on the
// line of what follows.
static bool is_jump(const struct rh_ir_instruction *instruction)
{
    return instruction->opcode == RH_IR_BRANCH && instruction->operand_count == 0;
}

static void mark(struct rh__sym *sym, struct rh__sym_target *target, uint32_t function, uint32_t i)
{
    bool **marks = &sym->marks[function];
    if (!*marks)
        *marks =
            rh_arena_take(&sym->arena, sym->module->functions.items[function].instruction_count);
    (*marks)[i] = true;
    target->count++;
}

static void mark_function(struct rh__sym *sym, struct rh__sym_target *target,
                          const struct rh_reach_options *options, uint32_t index, bool jumps)
{
    const struct rh_ir_function *function = &sym->module->functions.items[index];
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        if (!is_code(each) || !rh_is_named(each->place.file, options->file))
            continue;
        target->has_file = true;
        note_near(target, options, each->place.line);
        if (each->place.line == options->line && target->has_line && is_jump(each) == jumps)
            mark(sym, target, index, i);
    }
}

// --- Handlers. ---

static bool is_sent(const struct rh__sym_handling *by, uint32_t type)
{
    for (size_t i = 0; i < by->sends.count; i++)
        if (by->sends.items[i] == type)
            return true;
    return by->sends_anything;
}

// Whether a delivery to an actor may change what another delivery to it does.
static bool feeds(const struct rh__sym_handling *a, const struct rh__sym_handling *b)
{
    return a->behaviour == b->behaviour && rh__sym_writes_to(a, b);
}

// One more step away from the place. Gives whether anything was nearer than known.
static bool widen(struct rh__sym_target *target)
{
    bool is_changed = false;
    for (size_t i = 0; i < target->pairs.count; i++)
        for (size_t k = 0; k < target->pairs.count; k++) {
            struct rh__sym_pair *a = &target->pairs.items[i];
            const struct rh__sym_pair *b = &target->pairs.items[k];
            if (b->distance == RH_NONE || a->distance <= b->distance + 1 ||
                (!is_sent(a->handling, b->handling->type) && !feeds(a->handling, b->handling)))
                continue;
            a->distance = b->distance + 1;
            is_changed = true;
        }
    return is_changed;
}

// --- Functions that are handed on by their address, as to rh_at_stop. ---

static void follow_calls(const struct rh_ir_module *module, uint32_t index, bool *is_called);

static void follow_operands(const struct rh_ir_module *module,
                            const struct rh_ir_instruction *instruction, bool *is_called)
{
    const struct rh_ir_function *callee =
        instruction->opcode == RH_IR_CALL ? rh_ir_callee(module, instruction) : NULL;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        struct rh_ir_ref operand = instruction->operands[i];
        const struct rh_ir_constant *constant =
            operand.is_constant ? &module->constants.items[operand.index] : NULL;
        if (constant && constant->kind == RH_IR_FUNCTION &&
            (!callee || callee != &module->functions.items[constant->number]))
            follow_calls(module, (uint32_t)constant->number, is_called);
    }
}

static void follow_calls(const struct rh_ir_module *module, uint32_t index, bool *is_called)
{
    const struct rh_ir_function *function = &module->functions.items[index];
    if (is_called[index])
        return;
    is_called[index] = true;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        const struct rh_ir_function *callee =
            each->opcode == RH_IR_CALL ? rh_ir_callee(module, each) : NULL;
        if (callee)
            follow_calls(module, (uint32_t)(callee - module->functions.items), is_called);
    }
}

// Whether a marked function may be called by its address: nobody knows when then.
static bool is_handed_on(struct rh__sym *sym)
{
    const struct rh_ir_module *module = sym->module;
    bool *is_called = rh_arena_take(&sym->arena, module->functions.count + 1);
    for (size_t f = 0; f < module->functions.count; f++)
        for (uint32_t i = 0; i < module->functions.items[f].instruction_count; i++)
            follow_operands(module, &module->functions.items[f].instructions[i], is_called);
    for (size_t f = 0; f < module->functions.count; f++)
        if (is_called[f] && sym->marks[f])
            return true;
    return false;
}

static bool has_near(const struct rh__sym_target *target)
{
    for (size_t i = 0; i < target->pairs.count; i++)
        if (target->pairs.items[i].distance == 0)
            return true;
    return false;
}

static void find_pairs(struct rh__sym *sym, struct rh__sym_target *target)
{
    for (uint32_t b = 0; b < sym->behaviours.count; b++)
        for (uint32_t t = 0; t < sym->types.count; t++) {
            uint32_t function = sym->behaviours.items[b].function;
            struct rh__sym_handling *handling = rh__sym_handling_of(sym, function, t);
            if (!handling->is_taken)
                continue;
            uint32_t guard = sym->behaviours.items[b].guard;
            bool is_near = handling->is_near || (guard != RH_NONE && sym->marks[guard]);
            *rh_vector_push(&target->pairs) =
                (struct rh__sym_pair){handling, is_near ? 0 : RH_NONE};
        }
    bool is_anywhere = !has_near(target) && is_handed_on(sym);
    for (size_t i = 0; i < target->pairs.count && is_anywhere; i++)
        target->pairs.items[i].distance = 0;
    while (widen(target))
        ;
}

void rh__sym_target_init(struct rh__sym *sym, struct rh__sym_target *target,
                         const struct rh_reach_options *options)
{
    size_t count = sym->module->functions.count;
    *target = (struct rh__sym_target){.has_line = has_code(options, options->line)};
    sym->marks = rh_arena_take(&sym->arena, count * sizeof(bool *) + 1);
    for (uint32_t i = 0; i < count; i++)
        mark_function(sym, target, options, i, false);
    for (uint32_t i = 0; i < count && target->count == 0; i++)
        mark_function(sym, target, options, i, true);
    if (target->count)
        find_pairs(sym, target);
}

void rh__sym_target_fini(struct rh__sym_target *target)
{
    rh_vector_fini(&target->pairs);
}

uint32_t rh__sym_target_distance(const struct rh__sym_target *target, uint32_t behaviour,
                                 uint32_t type)
{
    bool is_known = false;
    for (size_t i = 0; i < target->pairs.count; i++) {
        const struct rh__sym_handling *handling = target->pairs.items[i].handling;
        is_known = is_known || handling->behaviour == behaviour;
        if (handling->behaviour == behaviour && handling->type == type)
            return target->pairs.items[i].distance;
    }
    // A behaviour that only rh_become names: nothing is known about it.
    return is_known ? RH_NONE : 1;
}
