// SPDX-License-Identifier: MIT
// Instructions that lead from block to block, and the rounds of loops that they make.
#include <stdlib.h>

#include "symbolic/interpret.h"

// The values of all phis of a block, before any of them is set.
static bool enter_phis(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    struct rh__sym_frame *frame = rh__sym_top(situation);
    const struct rh_ir_block *block = &frame->function->blocks[frame->block];
    uint32_t count = 0;
    while (count < block->count &&
           frame->function->instructions[block->first + count].opcode == RH_IR_PHI)
        count++;
    rh__sym_value *values = rh_alloc(count * sizeof *values + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct rh_ir_instruction *phi = &frame->function->instructions[block->first + i];
        for (uint32_t k = 0; k < phi->block_count; k++)
            if (phi->blocks[k] == frame->before)
                values[i] = rh__sym_operand(sym, situation, phi->operands[k]);
    }
    for (uint32_t i = 0; i < count; i++)
        frame->values[frame->function->parameter_count + block->first + i] = values[i];
    free(values);
    frame->next = block->first + count;
    return situation->end == RH__SYM_RUNS;
}

// Where a jump to a block leads if that only asks what the jump has decided, as the end of `a && b`
// does: the block behind it.
static uint32_t end_of_jump(const struct rh__sym *sym, const struct rh_ir_function *function,
                            uint32_t from, uint32_t to)
{
    const struct rh_ir_block *block = &function->blocks[to];
    const struct rh_ir_instruction *phi = &function->instructions[block->first], *last = phi + 1;
    if (block->count != 2 || phi->opcode != RH_IR_PHI || last->opcode != RH_IR_BRANCH ||
        !last->operand_count || last->operands[0].is_constant ||
        last->operands[0].index != function->parameter_count + block->first)
        return to;
    int64_t truth;
    for (uint32_t i = 0; i < phi->block_count; i++)
        if (phi->blocks[i] == from && rh_ir_number(sym->module, phi->operands[i], &truth))
            return end_of_jump(sym, function, to, last->blocks[truth ? 0 : 1]);
    return to;
}

static bool leads_out(const struct rh__sym *sym, const struct rh__sym_frame *frame,
                      const struct rh_ir_instruction *jump, const bool *has)
{
    for (uint32_t i = 0; i < jump->block_count; i++)
        if (!has[end_of_jump(sym, frame->function, frame->block, jump->blocks[i])])
            return true;
    return false;
}

static bool has_way_out(const struct rh_ir_instruction *jump, const bool *has)
{
    for (uint32_t i = 0; i < jump->block_count; i++)
        if (!has[jump->blocks[i]])
            return true;
    return false;
}

// Counts rounds of loops by the conditions that depend on what nobody knows: a round counts, once,
// if such a condition could have led out of the loop before it. false: one too many.
static bool count_rounds(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_instruction *jump, uint32_t to, bool is_free)
{
    struct rh__sym_frame *frame = rh__sym_top(situation);
    const struct rh__sym_loops *loops = rh__sym_loops_of(sym, frame->function);
    for (uint32_t i = 0; i < loops->count; i++) {
        const bool *has = loops->items[i].has;
        struct rh__sym_rounds *rounds = &frame->rounds[i];
        if (!has[frame->block]) {
            if (has[to])
                *rounds = (struct rh__sym_rounds){0};
            continue;
        }
        rounds->is_free = rounds->is_free || (is_free && leads_out(sym, frame, jump, has));
        if (rounds->is_free && !rounds->is_counted && has[to] && has_way_out(jump, has)) {
            rounds->is_counted = true;
            if (rounds->count++ >= sym->options->loop) {
                rh__sym_cut(sym, situation, RH_CUT_LOOP);
                return false;
            }
        }
        if (to == loops->items[i].header)
            rounds->is_free = rounds->is_counted = false;
    }
    return true;
}

void rh__sym_jump(struct rh__sym *sym, struct rh__sym_situation *situation,
                  const struct rh_ir_instruction *jump, uint32_t to, bool is_free)
{
    if (!count_rounds(sym, situation, jump, to, is_free))
        return;
    struct rh__sym_frame *frame = rh__sym_top(situation);
    frame->before = frame->block;
    frame->block = to;
    enter_phis(sym, situation);
}

void rh__sym_do_branch(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct rh_ir_instruction *instruction)
{
    if (instruction->operand_count == 0) {
        rh__sym_jump(sym, situation, instruction, instruction->blocks[0], false);
        return;
    }
    rh_term condition;
    uint64_t number;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &condition))
        return;
    bool is_free = !rh_term_is_constant(&sym->terms, condition, &number);
    struct rh__sym_situation *other = NULL;
    bool holds = rh__sym_fork(sym, situation, condition, &other);
    if (other)
        rh__sym_push(sym, other);
    else
        rh__sym_blocked(sym, situation, instruction, holds,
                        holds ? rh_term_not(&sym->terms, condition) : condition);
    rh__sym_jump(sym, situation, instruction, instruction->blocks[holds ? 0 : 1], is_free);
}

void rh__sym_do_switch(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct rh_ir_instruction *instruction)
{
    rh_term value;
    uint64_t number;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &value))
        return;
    bool is_free = !rh_term_is_constant(&sym->terms, value, &number);
    for (uint32_t i = 1; i < instruction->block_count; i++) {
        rh_term each;
        if (!rh__sym_scalar(sym, situation, instruction->operands[i], &each))
            return;
        struct rh__sym_situation *other = NULL;
        rh_term is_each = rh_term_make2(&sym->terms, RH_TERM_EQUAL, value, each);
        bool holds = rh__sym_fork(sym, situation, is_each, &other);
        if (other)
            rh__sym_push(sym, other);
        else
            rh__sym_blocked(sym, situation, instruction, holds ? 0 : i,
                            holds ? rh_term_not(&sym->terms, is_each) : is_each);
        if (holds) {
            rh__sym_jump(sym, situation, instruction, instruction->blocks[i], is_free);
            return;
        }
    }
    rh__sym_jump(sym, situation, instruction, instruction->blocks[0], is_free);
}
