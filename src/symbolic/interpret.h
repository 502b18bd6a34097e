// SPDX-License-Identifier: MIT
// Between the files of the interpreter: what an instruction does to the frame that is innermost.
//
// An instruction that has to fork changes nothing before it does, since the copy runs the same
// instruction again.
#ifndef REHEARSE_SYMBOLIC_INTERPRET_H
#define REHEARSE_SYMBOLIC_INTERPRET_H

#include "symbolic/internal.h"

static inline struct rh__sym_frame *rh__sym_top(struct rh__sym_situation *situation)
{
    return &situation->frames.items[situation->frames.count - 1];
}

// Gives the present instruction its value, and goes on to the next.
static inline void rh__sym_set(struct rh__sym_situation *situation, rh__sym_value value)
{
    struct rh__sym_frame *frame = rh__sym_top(situation);
    frame->values[frame->function->parameter_count + frame->next] = value;
    frame->next++;
}

static inline bool rh__sym_is_pointer(const struct rh__sym *sym, uint32_t type)
{
    return rh_ir_type_of(sym->module, type)->kind == RH_IR_POINTER;
}

// interpret.c

// Ends the situation: this can't be followed.
void rh__sym_give_up(struct rh__sym *sym, struct rh__sym_situation *situation, const char *what);
rh__sym_value rh__sym_operand(struct rh__sym *sym, struct rh__sym_situation *situation,
                              struct rh_ir_ref ref);
// A scalar operand; the situation ends if it is none.
bool rh__sym_scalar(struct rh__sym *sym, struct rh__sym_situation *situation, struct rh_ir_ref ref,
                    rh_term *term);

typedef void rh__sym_instruction(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const struct rh_ir_instruction *instruction);

// arithmetic.c
rh__sym_instruction rh__sym_do_binary, rh__sym_do_compare, rh__sym_do_compare_real,
    rh__sym_do_select, rh__sym_do_convert, rh__sym_do_negate_real;
// The operation of terms that the instruction stands for; -1: none.
int rh__sym_operation_of(enum rh_ir_opcode opcode);

// access.c
rh__sym_instruction rh__sym_do_allocate, rh__sym_do_load, rh__sym_do_store, rh__sym_do_address,
    rh__sym_do_exchange, rh__sym_do_extract, rh__sym_do_insert;

// jumps.c
rh__sym_instruction rh__sym_do_branch, rh__sym_do_switch;
// `is_free`: what decides on the jump depends on what nobody knows.
void rh__sym_jump(struct rh__sym *sym, struct rh__sym_situation *situation,
                  const struct rh_ir_instruction *jump, uint32_t to, bool is_free);

// calls.c
rh__sym_instruction rh__sym_do_call, rh__sym_do_return;

#endif
