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
            bool leads_on = is_sent(a->handling, b->handling->type) ||
                            feeds(a->handling, b->handling) || a->handling->becomes;
            if (b->distance == RH_NONE || a->distance <= b->distance + 1 || !leads_on)
                continue;
            a->distance = b->distance + 1;
            is_changed = true;
        }
    return is_changed;
}

// --- Functions that are handed on by their address, as to rh_at_stop. ---

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

static bool has_marked(const struct rh__sym *sym, const bool *is_called)
{
    for (size_t f = 0; f < sym->module->functions.count; f++)
        if (is_called[f] && sym->marks[f])
            return true;
    return false;
}

static bool is_behaviour(const struct rh__sym *sym, uint32_t function)
{
    for (size_t i = 0; i < sym->behaviours.count; i++)
        if (sym->behaviours.items[i].function == function)
            return true;
    return false;
}

static bool is_called_by_any(const struct rh_ir_module *module, uint32_t function)
{
    for (size_t f = 0; f < module->functions.count; f++)
        for (uint32_t i = 0; i < module->functions.items[f].instruction_count; i++) {
            const struct rh_ir_instruction *each = &module->functions.items[f].instructions[i];
            if (f != function && each->opcode == RH_IR_CALL &&
                rh_ir_callee(module, each) == &module->functions.items[function])
                return true;
        }
    return false;
}

// Follows what the constants have the address of, but for behaviours.
static void follow_constant(const struct rh__sym *sym, uint32_t constant, bool *is_called)
{
    const struct rh_ir_constant *it = &sym->module->constants.items[constant];
    if (it->kind == RH_IR_FUNCTION && !is_behaviour(sym, (uint32_t)it->number))
        follow_calls(sym->module, (uint32_t)it->number, is_called);
}

static void follow_addresses(const struct rh__sym *sym, bool *is_called)
{
    const struct rh_ir_module *module = sym->module;
    for (size_t i = 0; i < module->constants.count; i++)
        for (uint32_t k = 0; k < module->constants.items[i].operand_count; k++)
            follow_constant(sym, module->constants.items[i].operands[k], is_called);
    for (size_t i = 0; i < module->globals.count; i++)
        if (module->globals.items[i].initial != RH_NONE)
            follow_constant(sym, module->globals.items[i].initial, is_called);
}

static void follow_handed_on(const struct rh__sym *sym, const struct rh_ir_function *function,
                             bool *is_called)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        const struct rh_ir_function *callee =
            each->opcode == RH_IR_CALL ? rh_ir_callee(sym->module, each) : NULL;
        for (uint32_t k = 0; k < each->operand_count; k++) {
            struct rh_ir_ref operand = each->operands[k];
            if (operand.is_constant &&
                (!callee || sym->module->constants.items[operand.index].number !=
                                callee - sym->module->functions.items))
                follow_constant(sym, operand.index, is_called);
        }
    }
}

// Whether a marked function may be called by its address: nobody knows when then.
static bool is_handed_on(struct rh__sym *sym)
{
    bool *is_called = rh_arena_take(&sym->arena, sym->module->functions.count + 1);
    for (uint32_t f = 0; f < sym->module->functions.count; f++)
        follow_handed_on(sym, &sym->module->functions.items[f], is_called);
    return has_marked(sym, is_called);
}

// Whether a behaviour, or what it calls, has the line, for whatever message.
static bool is_in_behaviour(struct rh__sym *sym)
{
    bool *is_called = rh_arena_take(&sym->arena, sym->module->functions.count + 1);
    for (size_t i = 0; i < sym->behaviours.count; i++)
        follow_calls(sym->module, sym->behaviours.items[i].function, is_called);
    return has_marked(sym, is_called);
}

// Whether only handlers come to marked functions: no test's body, no judge, no guard, and nothing
// that is called by its address. What nobody calls by name, and is no behaviour, is such a thing.
static bool is_in_handlers(struct rh__sym *sym)
{
    const struct rh_ir_module *module = sym->module;
    bool *is_called = rh_arena_take(&sym->arena, module->functions.count + 1);
    for (uint32_t f = 0; f < module->functions.count; f++)
        if (!is_behaviour(sym, f) && !is_called_by_any(module, f))
            follow_calls(module, f, is_called);
    for (uint32_t f = 0; f < module->functions.count; f++)
        follow_handed_on(sym, &module->functions.items[f], is_called);
    follow_addresses(sym, is_called);
    return !has_marked(sym, is_called);
}

// --- Judges. ---

// Notes a judge that has the line.
static void find_judge(struct rh__sym *sym, struct rh__sym_target *target, uint32_t function,
                       bool at_end)
{
    bool *is_called = rh_arena_take(&sym->arena, sym->module->functions.count + 1);
    follow_calls(sym->module, function, is_called);
    if (!has_marked(sym, is_called))
        return;
    target->is_judged_at_end = at_end && (target->is_judged_at_end || !target->is_in_judge);
    target->is_in_judge = true;
}

// The arguments of rh__judge are the judge, its name and whether it looks at the end.
static void find_judge_of_call(struct rh__sym *sym, struct rh__sym_target *target,
                               const struct rh_ir_instruction *call)
{
    const struct rh_ir_module *module = sym->module;
    const struct rh_ir_function *callee =
        call->opcode == RH_IR_CALL ? rh_ir_callee(module, call) : NULL;
    if (!callee || strcmp(callee->name, "rh__judge") != 0 || !call->operands[0].is_constant)
        return;
    const struct rh_ir_constant *judge = &module->constants.items[call->operands[0].index];
    const struct rh_ir_constant *at_end =
        call->operands[2].is_constant ? &module->constants.items[call->operands[2].index] : NULL;
    if (judge->kind == RH_IR_FUNCTION)
        find_judge(sym, target, (uint32_t)judge->number, at_end && at_end->number);
}

static void find_judges(struct rh__sym *sym, struct rh__sym_target *target)
{
    const struct rh_ir_module *module = sym->module;
    for (size_t i = 0; i < module->globals.count; i++) {
        const char *test;
        bool at_end;
        uint32_t judge = rh__sym_judge_declared(sym, &module->globals.items[i], &test, &at_end);
        if (judge != RH_NONE)
            find_judge(sym, target, judge, at_end);
    }
    for (size_t f = 0; f < module->functions.count; f++)
        for (uint32_t i = 0; i < module->functions.items[f].instruction_count; i++)
            find_judge_of_call(sym, target, &module->functions.items[f].instructions[i]);
}

static bool has_near(const struct rh__sym_target *target)
{
    for (size_t i = 0; i < target->pairs.count; i++)
        if (target->pairs.items[i].distance == 0)
            return true;
    return false;
}

// Whether a handler may come to the line, or its behaviour's guard. What follows a reply depends on
// the reply's type, which is not looked at.
static bool is_near(struct rh__sym *sym, const struct rh__sym_behaviour *behaviour,
                    const struct rh__sym_handling *handling)
{
    if (handling->is_near || (behaviour->guard != RH_NONE && sym->marks[behaviour->guard]))
        return true;
    bool *is_called = rh_arena_take(&sym->arena, sym->module->functions.count + 1);
    follow_calls(sym->module, behaviour->function, is_called);
    return handling->asks && has_marked(sym, is_called);
}

// Whether a delivery of a type that the handler does not look for does anything.
static bool does_anything(const struct rh__sym_handling *handling)
{
    return handling->sends_anything || handling->sends.count || handling->writes.is_all ||
           handling->writes.items.count;
}

// What a handler does with a type that it does not look for, it does with all of them: one stands
// for the others.
static void find_pairs_of(struct rh__sym *sym, struct rh__sym_target *target,
                          const struct rh__sym_behaviour *behaviour)
{
    bool has_other = false;
    for (uint32_t t = 0; t < sym->types.count; t++) {
        struct rh__sym_handling *handling = rh__sym_handling_of(sym, behaviour->function, t);
        bool is_other = !handling->is_taken && !handling->is_near;
        if (is_other && (has_other || !does_anything(handling)))
            continue;
        has_other = has_other || is_other;
        bool near = is_near(sym, behaviour, handling);
        *rh_vector_push(&target->pairs) = (struct rh__sym_pair){handling, near ? 0 : RH_NONE};
    }
}

// A judge looks at what all deliveries leave.
static void find_pairs(struct rh__sym *sym, struct rh__sym_target *target, bool is_check)
{
    find_judges(sym, target);
    target->is_judged = target->is_in_judge && is_check;
    for (uint32_t b = 0; b < sym->behaviours.count; b++)
        find_pairs_of(sym, target, &sym->behaviours.items[b]);
    bool is_anywhere = target->is_judged || (!has_near(target) && is_handed_on(sym));
    for (size_t i = 0; i < target->pairs.count && is_anywhere; i++)
        target->pairs.items[i].distance = 0;
    target->is_in_handlers = is_in_handlers(sym);
    target->is_in_behaviour = is_in_behaviour(sym);
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
        find_pairs(sym, target, options->goal == RH_REACH_CHECK);
}

void rh__sym_target_fini(struct rh__sym_target *target)
{
    rh_vector_fini(&target->pairs);
}

bool rh__sym_target_has(const struct rh__sym_target *target, uint32_t behaviour, uint32_t type)
{
    for (size_t i = 0; i < target->pairs.count; i++)
        if (target->pairs.items[i].handling->behaviour == behaviour &&
            target->pairs.items[i].handling->type == type)
            return true;
    return false;
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
