// SPDX-License-Identifier: MIT
// The interpreter: instructions of a handler, one after another.
#include "symbolic/interpret.h"

// More instructions in one delivery than this are taken for an endless loop.
enum { STEPS_MOST = 1000000 };

void rh__sym_give_up(struct rh__sym *sym, struct rh__sym_situation *situation, const char *what)
{
    rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "%s", what);
}

rh__sym_value rh__sym_operand(struct rh__sym *sym, struct rh__sym_situation *situation,
                              struct rh_ir_ref ref)
{
    if (!ref.is_constant)
        return rh__sym_top(situation)->values[ref.index];
    rh__sym_value value = rh__sym_constant(sym, ref.index);
    if (value == RH__SYM_NO_VALUE)
        rh__sym_give_up(sym, situation, "a constant that can't be told");
    return value;
}

bool rh__sym_scalar(struct rh__sym *sym, struct rh__sym_situation *situation, struct rh_ir_ref ref,
                    rh_term *term)
{
    *term = rh__sym_operand(sym, situation, ref);
    if (*term == RH__SYM_NO_VALUE || rh__sym_is_tuple(*term)) {
        if (situation->end == RH__SYM_RUNS)
            rh__sym_give_up(sym, situation, "a value that can't be told");
        return false;
    }
    return true;
}

static void step(struct rh__sym *sym, struct rh__sym_situation *situation,
                 const struct rh_ir_instruction *instruction)
{
    switch (instruction->opcode) {
    case RH_IR_RETURN:
        rh__sym_do_return(sym, situation, instruction);
        break;
    case RH_IR_BRANCH:
        rh__sym_do_branch(sym, situation, instruction);
        break;
    case RH_IR_SWITCH:
        rh__sym_do_switch(sym, situation, instruction);
        break;
    case RH_IR_UNREACHABLE:
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "code that must not be reached");
        break;
    case RH_IR_ALLOCATE:
        rh__sym_do_allocate(sym, situation, instruction);
        break;
    case RH_IR_LOAD:
        rh__sym_do_load(sym, situation, instruction);
        break;
    case RH_IR_STORE:
        rh__sym_do_store(sym, situation, instruction);
        break;
    case RH_IR_ADDRESS:
        rh__sym_do_address(sym, situation, instruction);
        break;
    case RH_IR_CALL:
        rh__sym_do_call(sym, situation, instruction);
        break;
    case RH_IR_SELECT:
        rh__sym_do_select(sym, situation, instruction);
        break;
    case RH_IR_COMPARE:
        rh__sym_do_compare(sym, situation, instruction);
        break;
    case RH_IR_COMPARE_REAL:
        rh__sym_do_compare_real(sym, situation, instruction);
        break;
    case RH_IR_NEGATE_REAL:
        rh__sym_do_negate_real(sym, situation, instruction);
        break;
    case RH_IR_TRUNCATE:
    case RH_IR_EXTEND_ZERO:
    case RH_IR_EXTEND_SIGN:
    case RH_IR_RESIZE_REAL:
    case RH_IR_REAL_TO_UNSIGNED:
    case RH_IR_REAL_TO_SIGNED:
    case RH_IR_UNSIGNED_TO_REAL:
    case RH_IR_SIGNED_TO_REAL:
    case RH_IR_TO_INTEGER:
    case RH_IR_TO_ADDRESS:
    case RH_IR_REINTERPRET:
        rh__sym_do_convert(sym, situation, instruction);
        break;
    case RH_IR_EXTRACT:
        rh__sym_do_extract(sym, situation, instruction);
        break;
    case RH_IR_INSERT:
        rh__sym_do_insert(sym, situation, instruction);
        break;
    case RH_IR_EXCHANGE:
        rh__sym_do_exchange(sym, situation, instruction);
        break;
    case RH_IR_FREEZE:
        rh__sym_set(situation, rh__sym_operand(sym, situation, instruction->operands[0]));
        break;
    case RH_IR_NOTHING:
        rh__sym_set(situation, RH__SYM_NO_VALUE);
        break;
    default:
        if (rh__sym_operation_of(instruction->opcode) >= 0)
            rh__sym_do_binary(sym, situation, instruction);
        else
            rh__sym_give_up(sym, situation, "an instruction without a meaning here");
    }
}

static bool is_marked(const struct rh__sym *sym, const struct rh__sym_frame *frame)
{
    const bool *marks = sym->marks[frame->function - sym->module->functions.items];
    return marks && marks[frame->next];
}

void rh__sym_run(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    while (situation->end == RH__SYM_RUNS) {
        struct rh__sym_frame *frame = rh__sym_top(situation);
        rh_assert(frame->next < frame->function->instruction_count);
        if (situation->steps++ > STEPS_MOST) {
            rh__sym_give_up(sym, situation, "a handler that goes on and on");
            return;
        }
        if (sym->marks && is_marked(sym, frame) && sym->hits) {
            *rh_vector_push(sym->hits) = rh__sym_situation_copy(sym, situation);
            situation->end = RH__SYM_CUT;
            return;
        }
        if (sym->marks && is_marked(sym, frame) && !sym->reached)
            sym->reached = rh__sym_situation_copy(sym, situation);
        step(sym, situation, &frame->function->instructions[frame->next]);
    }
}
