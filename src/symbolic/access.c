// SPDX-License-Identifier: MIT
// Instructions that look at memory, and at parts of structs that are values.
#include <string.h>

#include "symbolic/interpret.h"

// Arrays of more elements are as good as unbounded.
enum { ELEMENTS_MOST = 1 << 20 };

// Whether a value is used for nothing but the address of a load or store, or of a part of what lies
// there: one behind the last element of an array may be an address, but nothing is there.
static bool is_only_accessed(const struct rh_ir_function *function, uint32_t value)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        uint32_t where = each->opcode == RH_IR_STORE ? 1 : 0;
        for (uint32_t k = 0; k < each->operand_count; k++) {
            if (each->operands[k].is_constant || each->operands[k].index != value)
                continue;
            bool is_part = each->opcode == RH_IR_ADDRESS && k == 0 &&
                           is_only_accessed(function, function->parameter_count + i);
            bool is_access = each->opcode == RH_IR_LOAD || each->opcode == RH_IR_STORE;
            if (!is_part && !(is_access && k == where))
                return false;
        }
    }
    return true;
}

// Goes on where the index leads to an element of its array, if the type says how many there are.
static bool bound_index(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh_ir_step *step, rh_term index)
{
    uint64_t number;
    struct rh__sym_frame *frame = rh__sym_top(situation);
    if (step->count == 0 || step->count >= ELEMENTS_MOST ||
        rh_term_is_constant(&sym->terms, index, &number))
        return true;
    uint32_t value = frame->function->parameter_count + frame->next;
    uint64_t count = step->count + !is_only_accessed(frame->function, value);
    return rh__sym_bound_index(sym, situation, index, count);
}

void rh__sym_do_address(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh_ir_instruction *instruction)
{
    struct rh_terms *terms = &sym->terms;
    rh_term sum;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &sum))
        return;
    sum = rh_term_make2(terms, RH_TERM_ADD, sum,
                        rh_term_constant(terms, 64, (uint64_t)instruction->offset));
    for (uint32_t i = 0; i < instruction->step_count; i++) {
        rh_term index;
        if (!rh__sym_scalar(sym, situation, instruction->steps[i].index, &index))
            return;
        if (rh_term_width(terms, index) < 64)
            index = rh_term_resize(terms, RH_TERM_EXTEND_SIGN, index, 64);
        if (!bound_index(sym, situation, &instruction->steps[i], index))
            return;
        rh_term stride = rh_term_constant(terms, 64, instruction->steps[i].stride);
        sum = rh_term_make2(terms, RH_TERM_ADD, sum,
                            rh_term_make2(terms, RH_TERM_MULTIPLY, index, stride));
    }
    rh__sym_set(situation, sum);
}

void rh__sym_do_allocate(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_instruction *instruction)
{
    rh_term count;
    uint64_t number;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &count))
        return;
    if (!rh__sym_length(sym, situation, count, &number))
        return;
    struct rh__sym_object *object = rh__sym_object_new(
        number * rh_ir_size_of(sym->module, instruction->accessed), RH__SYM_REST_UNSET);
    object->is_stack = true;
    uint32_t added = rh__sym_object_add(situation, object);
    rh__sym_set(situation, rh_term_constant(&sym->terms, 64, rh__sym_object_address(added)));
}

bool rh__sym_sets_bit_field(const struct rh__sym_situation *situation)
{
    const struct rh__sym_frame *frame = &situation->frames.items[situation->frames.count - 1];
    const struct rh_ir_function *function = frame->function;
    uint32_t value = function->parameter_count + frame->next, users = 0;
    bool is_masked = false;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        for (uint32_t k = 0; k < each->operand_count; k++)
            if (!each->operands[k].is_constant && each->operands[k].index == value) {
                users++;
                is_masked = each->opcode == RH_IR_AND;
            }
    }
    return users == 1 && is_masked && function->instructions[frame->next].opcode == RH_IR_LOAD;
}

void rh__sym_do_load(struct rh__sym *sym, struct rh__sym_situation *situation,
                     const struct rh_ir_instruction *instruction)
{
    rh_term where;
    rh__sym_value value;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &where))
        return;
    if (rh__sym_load(sym, situation, where, instruction->accessed, &value))
        rh__sym_set(situation, value);
}

void rh__sym_do_store(struct rh__sym *sym, struct rh__sym_situation *situation,
                      const struct rh_ir_instruction *instruction)
{
    rh_term where;
    rh__sym_value value = rh__sym_operand(sym, situation, instruction->operands[0]);
    if (value == RH__SYM_NO_VALUE)
        rh__sym_give_up(sym, situation, "a value that can't be told");
    else if (rh__sym_scalar(sym, situation, instruction->operands[1], &where) &&
             rh__sym_store(sym, situation, where, instruction->accessed, value))
        rh__sym_set(situation, RH__SYM_NO_VALUE);
}

void rh__sym_do_exchange(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_instruction *instruction)
{
    rh_term where, term;
    rh__sym_value old;
    int operation = rh__sym_operation_of(instruction->made_by);
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &where) ||
        !rh__sym_scalar(sym, situation, instruction->operands[1], &term))
        return;
    if (operation < 0 && instruction->made_by != RH_IR_STORE) {
        rh__sym_give_up(sym, situation, "an atomic operation");
        return;
    }
    if (!rh__sym_load(sym, situation, where, instruction->accessed, &old))
        return;
    if (operation >= 0)
        term = rh_term_make2(&sym->terms, (enum rh_term_operation)operation, old, term);
    if (rh__sym_store(sym, situation, where, instruction->accessed, term))
        rh__sym_set(situation, old);
}

// --- Parts of structs. ---

void rh__sym_do_extract(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh_ir_instruction *instruction)
{
    rh__sym_value whole = rh__sym_operand(sym, situation, instruction->operands[0]);
    if (instruction->offset < 0 || !rh__sym_is_tuple(whole)) {
        rh__sym_give_up(sym, situation, "an element that can't be told");
        return;
    }
    struct rh__sym_tuple tuple = *rh__sym_tuple_get(sym, whole);
    uint64_t size = rh_ir_size_of(sym->module, instruction->type);
    uint64_t from = (uint64_t)instruction->offset;
    RH_VECTOR(struct rh__sym_cell) cells = {0};
    for (uint32_t i = 0; i < tuple.count; i++) {
        struct rh__sym_cell cell = tuple.cells[i];
        if (cell.offset >= from && cell.offset < from + size) {
            cell.offset -= (uint32_t)from;
            *rh_vector_push(&cells) = cell;
        }
    }
    if (rh__sym_is_scalar(sym->module, instruction->type) && cells.count == 1)
        rh__sym_set(situation, cells.items[0].term);
    else
        rh__sym_set(situation, rh__sym_tuple_new(sym, cells.items, (uint32_t)cells.count));
    rh_vector_fini(&cells);
}

void rh__sym_do_insert(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct rh_ir_instruction *instruction)
{
    rh__sym_value whole = rh__sym_operand(sym, situation, instruction->operands[0]);
    rh__sym_value part = rh__sym_operand(sym, situation, instruction->operands[1]);
    if (instruction->offset < 0 || !rh__sym_is_tuple(whole) || part == RH__SYM_NO_VALUE) {
        rh__sym_give_up(sym, situation, "an element that can't be told");
        return;
    }
    struct rh__sym_tuple tuple = *rh__sym_tuple_get(sym, whole);
    struct rh__sym_cell *cells = rh_arena_take(&sym->arena, tuple.count * sizeof *cells + 1);
    memcpy(cells, tuple.cells, tuple.count * sizeof *cells);
    struct rh__sym_cell one = {.term = part};
    struct rh__sym_tuple parts = {1, &one};
    if (rh__sym_is_tuple(part))
        parts = *rh__sym_tuple_get(sym, part);
    for (uint32_t i = 0; i < tuple.count; i++)
        for (uint32_t k = 0; k < parts.count; k++)
            if (cells[i].offset == (uint64_t)instruction->offset + parts.cells[k].offset)
                cells[i].term = parts.cells[k].term;
    rh__sym_set(situation, rh__sym_tuple_new(sym, cells, tuple.count));
}
