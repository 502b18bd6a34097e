// SPDX-License-Identifier: MIT
// The interpreter: instructions of a handler, one after another. An instruction that has to fork
// changes nothing before it does, since the copy runs the same instruction again.
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

// More instructions in one delivery than this are taken for an endless loop.
enum { STEPS_MOST = 1000000 };

// Arrays of more elements are as good as unbounded.
enum { ELEMENTS_MOST = 1 << 20 };

static struct rh__sym_frame *top(struct rh__sym_situation *situation)
{
    return &situation->frames.items[situation->frames.count - 1];
}

static void unknown(struct rh__sym *sym, struct rh__sym_situation *situation, const char *what)
{
    rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "%s", what);
}

// --- Operands. ---

static rh__sym_value operand(struct rh__sym *sym, struct rh__sym_situation *situation,
                             struct rh_ir_ref ref)
{
    if (!ref.is_constant)
        return top(situation)->values[ref.index];
    rh__sym_value value = rh__sym_constant(sym, ref.index);
    if (value == RH__SYM_NO_VALUE)
        unknown(sym, situation, "a constant that can't be told");
    return value;
}

// A scalar operand; the situation ends if it is none.
static bool scalar(struct rh__sym *sym, struct rh__sym_situation *situation, struct rh_ir_ref ref,
                   rh_term *term)
{
    *term = operand(sym, situation, ref);
    if (*term == RH__SYM_NO_VALUE || rh__sym_is_tuple(*term)) {
        if (situation->end == RH__SYM_RUNS)
            unknown(sym, situation, "a value that can't be told");
        return false;
    }
    return true;
}

static uint32_t type_of(const struct rh__sym *sym, struct rh__sym_situation *situation,
                        struct rh_ir_ref ref)
{
    return rh_ir_ref_type(sym->module, top(situation)->function, ref);
}

static bool is_pointer(const struct rh__sym *sym, uint32_t type)
{
    return rh_ir_type_of(sym->module, type)->kind == RH_IR_POINTER;
}

static void set(struct rh__sym_situation *situation, rh__sym_value value)
{
    struct rh__sym_frame *frame = top(situation);
    frame->values[frame->function->parameter_count + frame->next] = value;
    frame->next++;
}

// --- Arithmetic. ---

static int operation_of(enum rh_ir_opcode opcode)
{
    switch (opcode) {
    case RH_IR_ADD:
        return RH_TERM_ADD;
    case RH_IR_SUBTRACT:
        return RH_TERM_SUBTRACT;
    case RH_IR_MULTIPLY:
        return RH_TERM_MULTIPLY;
    case RH_IR_DIVIDE_UNSIGNED:
        return RH_TERM_DIVIDE_UNSIGNED;
    case RH_IR_DIVIDE_SIGNED:
        return RH_TERM_DIVIDE_SIGNED;
    case RH_IR_REST_UNSIGNED:
        return RH_TERM_REST_UNSIGNED;
    case RH_IR_REST_SIGNED:
        return RH_TERM_REST_SIGNED;
    case RH_IR_SHIFT_LEFT:
        return RH_TERM_SHIFT_LEFT;
    case RH_IR_SHIFT_RIGHT:
        return RH_TERM_SHIFT_RIGHT;
    case RH_IR_SHIFT_RIGHT_SIGNED:
        return RH_TERM_SHIFT_RIGHT_SIGNED;
    case RH_IR_AND:
        return RH_TERM_AND;
    case RH_IR_OR:
        return RH_TERM_OR;
    case RH_IR_XOR:
        return RH_TERM_XOR;
    case RH_IR_ADD_REAL:
        return RH_TERM_ADD_REAL;
    case RH_IR_SUBTRACT_REAL:
        return RH_TERM_SUBTRACT_REAL;
    case RH_IR_MULTIPLY_REAL:
        return RH_TERM_MULTIPLY_REAL;
    case RH_IR_DIVIDE_REAL:
        return RH_TERM_DIVIDE_REAL;
    default:
        return -1;
    }
}

static int overflow_of(const struct rh_ir_instruction *instruction)
{
    switch (instruction->opcode) {
    case RH_IR_ADD:
        return RH_TERM_OVERFLOWS_ADD_SIGNED;
    case RH_IR_SUBTRACT:
        return RH_TERM_OVERFLOWS_SUBTRACT_SIGNED;
    case RH_IR_MULTIPLY:
        return RH_TERM_OVERFLOWS_MULTIPLY_SIGNED;
    default:
        return -1;
    }
}

// Leaves out where a signed integer would overflow; what needs it is told, and not followed. No
// question is asked where the present values do not overflow.
static bool exclude_overflow(struct rh__sym *sym, struct rh__sym_situation *situation,
                             rh_term overflows)
{
    uint64_t number;
    rh_term fits = rh_term_not(&sym->terms, overflows);
    if (rh_term_is_constant(&sym->terms, fits, &number)) {
        if (!number)
            rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "a signed integer overflows");
        return number;
    }
    struct rh_assignment values = {situation->values.items, situation->values.count};
    if (!rh_term_value(&sym->terms, fits, values)) {
        enum rh_answer answer = rh__sym_can(sym, situation, fits, true, situation->values.items);
        if (answer != RH_CAN) {
            rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN,
                             answer == RH_CAN_NOT ? "a signed integer overflows"
                                                  : "the solver gave up");
            return false;
        }
    }
    rh__sym_assume(sym, situation, fits, true);
    return true;
}

static bool check_divisor(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term divisor)
{
    rh_term zero = rh_term_constant(&sym->terms, rh_term_width(&sym->terms, divisor), 0);
    rh_term is_zero = rh_term_make2(&sym->terms, RH_TERM_EQUAL, divisor, zero);
    return rh__sym_require(sym, situation, rh_term_not(&sym->terms, is_zero), RH__SYM_BROKEN,
                           "a division by zero", false);
}

static bool check_shift(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term amount)
{
    unsigned width = rh_term_width(&sym->terms, amount);
    rh_term limit = rh_term_constant(&sym->terms, width, width);
    if (width < 8 && width >= (1u << width))
        return true;
    return rh__sym_require(sym, situation, rh_term_make2(&sym->terms, RH_TERM_BELOW, amount, limit),
                           RH__SYM_UNKNOWN, "a shift by all bits or more", false);
}

static bool check_binary(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_instruction *instruction, rh_term a, rh_term b)
{
    switch (instruction->opcode) {
    case RH_IR_DIVIDE_UNSIGNED:
    case RH_IR_DIVIDE_SIGNED:
    case RH_IR_REST_UNSIGNED:
    case RH_IR_REST_SIGNED:
        return check_divisor(sym, situation, b);
    case RH_IR_SHIFT_LEFT:
    case RH_IR_SHIFT_RIGHT:
    case RH_IR_SHIFT_RIGHT_SIGNED:
        return check_shift(sym, situation, b);
    default:
        break;
    }
    int overflow = overflow_of(instruction);
    if (!instruction->fits_signed || sym->options->wraps || overflow < 0)
        return true;
    return exclude_overflow(sym, situation,
                            rh_term_make2(&sym->terms, (enum rh_term_operation)overflow, a, b));
}

// Applies an operation to two values of one shape, element by element.
static rh__sym_value map2(struct rh__sym *sym, enum rh_term_operation operation, rh__sym_value a,
                          rh__sym_value b)
{
    if (!rh__sym_is_tuple(a))
        return rh_term_make2(&sym->terms, operation, a, b);
    struct rh__sym_tuple left = *rh__sym_tuple_get(sym, a), right = *rh__sym_tuple_get(sym, b);
    struct rh__sym_cell *cells = rh_arena_take(&sym->arena, left.count * sizeof *cells);
    for (uint32_t i = 0; i < left.count; i++) {
        cells[i] = left.cells[i];
        cells[i].term =
            rh_term_make2(&sym->terms, operation, left.cells[i].term, right.cells[i].term);
    }
    return rh__sym_tuple_new(sym, cells, left.count);
}

static void binary(struct rh__sym *sym, struct rh__sym_situation *situation,
                   const struct rh_ir_instruction *instruction)
{
    rh__sym_value a = operand(sym, situation, instruction->operands[0]);
    rh__sym_value b = operand(sym, situation, instruction->operands[1]);
    if (a == RH__SYM_NO_VALUE || b == RH__SYM_NO_VALUE) {
        unknown(sym, situation, "a value that can't be told");
        return;
    }
    if (!rh__sym_is_tuple(a) && !check_binary(sym, situation, instruction, a, b))
        return;
    set(situation, map2(sym, (enum rh_term_operation)operation_of(instruction->opcode), a, b));
}

static rh_term compare_terms(struct rh__sym *sym, enum rh_ir_predicate predicate, rh_term a,
                             rh_term b)
{
    struct rh_terms *terms = &sym->terms;
    switch (predicate) {
    case RH_IR_EQUAL:
        return rh_term_make2(terms, RH_TERM_EQUAL, a, b);
    case RH_IR_NOT_EQUAL:
        return rh_term_not(terms, rh_term_make2(terms, RH_TERM_EQUAL, a, b));
    case RH_IR_ABOVE:
        return rh_term_make2(terms, RH_TERM_BELOW, b, a);
    case RH_IR_ABOVE_EQUAL:
        return rh_term_not(terms, rh_term_make2(terms, RH_TERM_BELOW, a, b));
    case RH_IR_BELOW:
        return rh_term_make2(terms, RH_TERM_BELOW, a, b);
    case RH_IR_BELOW_EQUAL:
        return rh_term_not(terms, rh_term_make2(terms, RH_TERM_BELOW, b, a));
    case RH_IR_GREATER:
        return rh_term_make2(terms, RH_TERM_LESS, b, a);
    case RH_IR_GREATER_EQUAL:
        return rh_term_not(terms, rh_term_make2(terms, RH_TERM_LESS, a, b));
    case RH_IR_LESS:
        return rh_term_make2(terms, RH_TERM_LESS, a, b);
    default:
        return rh_term_not(terms, rh_term_make2(terms, RH_TERM_LESS, b, a));
    }
}

static void compare(struct rh__sym *sym, struct rh__sym_situation *situation,
                    const struct rh_ir_instruction *instruction)
{
    rh_term a, b;
    if (!scalar(sym, situation, instruction->operands[0], &a) ||
        !scalar(sym, situation, instruction->operands[1], &b))
        return;
    if (is_pointer(sym, type_of(sym, situation, instruction->operands[0])) &&
        (!rh__sym_decide(sym, situation, &a) || !rh__sym_decide(sym, situation, &b)))
        return;
    set(situation, compare_terms(sym, instruction->predicate, a, b));
}

static rh_term compare_reals(struct rh__sym *sym, enum rh_ir_predicate predicate, rh_term a,
                             rh_term b)
{
    struct rh_terms *terms = &sym->terms;
    switch (predicate) {
    case RH_IR_EQUAL:
        return rh_term_make2(terms, RH_TERM_EQUAL_REAL, a, b);
    case RH_IR_NOT_EQUAL:
        return rh_term_not(terms, rh_term_make2(terms, RH_TERM_EQUAL_REAL, a, b));
    case RH_IR_GREATER:
        return rh_term_make2(terms, RH_TERM_LESS_REAL, b, a);
    case RH_IR_GREATER_EQUAL:
        return rh_term_make2(terms, RH_TERM_LESS_EQUAL_REAL, b, a);
    case RH_IR_LESS:
        return rh_term_make2(terms, RH_TERM_LESS_REAL, a, b);
    case RH_IR_LESS_EQUAL:
        return rh_term_make2(terms, RH_TERM_LESS_EQUAL_REAL, a, b);
    default:
        return rh_term_truth(terms, predicate == RH_IR_ORDERED);
    }
}

static void compare_real(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_instruction *instruction)
{
    rh_term a, b;
    if (!scalar(sym, situation, instruction->operands[0], &a) ||
        !scalar(sym, situation, instruction->operands[1], &b))
        return;
    struct rh_terms *terms = &sym->terms;
    rh_term is_unordered = rh_term_make2(terms, RH_TERM_OR, rh_term_make1(terms, RH_TERM_IS_NAN, a),
                                         rh_term_make1(terms, RH_TERM_IS_NAN, b));
    rh_term holds = compare_reals(sym, instruction->predicate, a, b);
    if (instruction->predicate == RH_IR_UNORDERED)
        holds = is_unordered;
    else if (instruction->holds_unordered)
        holds = rh_term_make2(terms, RH_TERM_OR, holds, is_unordered);
    else
        holds = rh_term_make2(terms, RH_TERM_AND, holds, rh_term_not(terms, is_unordered));
    set(situation, holds);
}

static void choose_value(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_instruction *instruction)
{
    rh_term condition;
    if (!scalar(sym, situation, instruction->operands[0], &condition))
        return;
    uint64_t number;
    bool is_fixed = rh_term_is_constant(&sym->terms, condition, &number);
    bool is_number =
        rh__sym_is_scalar(sym->module, instruction->type) && !is_pointer(sym, instruction->type);
    if (!is_fixed && is_number) {
        rh_term yes, no;
        if (scalar(sym, situation, instruction->operands[1], &yes) &&
            scalar(sym, situation, instruction->operands[2], &no))
            set(situation, rh_term_choice(&sym->terms, condition, yes, no));
        return;
    }
    struct rh__sym_situation *other = NULL;
    bool holds = rh__sym_fork(sym, situation, condition, &other);
    if (other)
        rh__sym_push(sym, other);
    set(situation, operand(sym, situation, instruction->operands[holds ? 1 : 2]));
}

static void convert(struct rh__sym *sym, struct rh__sym_situation *situation,
                    const struct rh_ir_instruction *instruction)
{
    rh_term a;
    unsigned bits = rh__sym_bits(sym->module, instruction->type);
    if (!scalar(sym, situation, instruction->operands[0], &a))
        return;
    if (!bits) {
        unknown(sym, situation, "a value of a type without terms");
        return;
    }
    struct rh_terms *terms = &sym->terms;
    unsigned width = rh_term_width(terms, a);
    switch (instruction->opcode) {
    case RH_IR_TRUNCATE:
        set(situation, rh_term_part(terms, a, 0, bits));
        break;
    case RH_IR_EXTEND_ZERO:
        set(situation, rh_term_resize(terms, RH_TERM_EXTEND_ZERO, a, bits));
        break;
    case RH_IR_EXTEND_SIGN:
        set(situation, rh_term_resize(terms, RH_TERM_EXTEND_SIGN, a, bits));
        break;
    case RH_IR_RESIZE_REAL:
        set(situation, rh_term_resize(terms, RH_TERM_RESIZE_REAL, a, bits));
        break;
    case RH_IR_SIGNED_TO_REAL:
        set(situation, rh_term_resize(terms, RH_TERM_SIGNED_TO_REAL, a, bits));
        break;
    case RH_IR_UNSIGNED_TO_REAL:
        set(situation, rh_term_resize(terms, RH_TERM_UNSIGNED_TO_REAL, a, bits));
        break;
    case RH_IR_REAL_TO_SIGNED:
        set(situation, rh_term_resize(terms, RH_TERM_REAL_TO_SIGNED, a, bits));
        break;
    case RH_IR_REAL_TO_UNSIGNED:
        set(situation, rh_term_resize(terms, RH_TERM_REAL_TO_UNSIGNED, a, bits));
        break;
    case RH_IR_TO_INTEGER:
        if (rh__sym_decide(sym, situation, &a))
            set(situation, bits <= width ? rh_term_part(terms, a, 0, bits)
                                         : rh_term_resize(terms, RH_TERM_EXTEND_ZERO, a, bits));
        break;
    default: // RH_IR_TO_ADDRESS, RH_IR_REINTERPRET
        set(situation, bits == width  ? a
                       : bits < width ? rh_term_part(terms, a, 0, bits)
                                      : rh_term_resize(terms, RH_TERM_EXTEND_ZERO, a, bits));
    }
}

static void negate_real(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh_ir_instruction *instruction)
{
    rh_term a;
    if (!scalar(sym, situation, instruction->operands[0], &a))
        return;
    unsigned width = rh_term_width(&sym->terms, a);
    rh_term sign = rh_term_constant(&sym->terms, width, UINT64_C(1) << (width - 1));
    set(situation, rh_term_make2(&sym->terms, RH_TERM_XOR, a, sign));
}

// --- Memory. ---

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
    struct rh__sym_frame *frame = top(situation);
    if (step->count == 0 || step->count >= ELEMENTS_MOST ||
        rh_term_is_constant(&sym->terms, index, &number))
        return true;
    uint32_t value = frame->function->parameter_count + frame->next;
    uint64_t count = step->count + !is_only_accessed(frame->function, value);
    return rh__sym_bound_index(sym, situation, index, count);
}

static void address(struct rh__sym *sym, struct rh__sym_situation *situation,
                    const struct rh_ir_instruction *instruction)
{
    struct rh_terms *terms = &sym->terms;
    rh_term sum;
    if (!scalar(sym, situation, instruction->operands[0], &sum))
        return;
    sum = rh_term_make2(terms, RH_TERM_ADD, sum,
                        rh_term_constant(terms, 64, (uint64_t)instruction->offset));
    for (uint32_t i = 0; i < instruction->step_count; i++) {
        rh_term index;
        if (!scalar(sym, situation, instruction->steps[i].index, &index))
            return;
        if (rh_term_width(terms, index) < 64)
            index = rh_term_resize(terms, RH_TERM_EXTEND_SIGN, index, 64);
        if (!bound_index(sym, situation, &instruction->steps[i], index))
            return;
        rh_term stride = rh_term_constant(terms, 64, instruction->steps[i].stride);
        sum = rh_term_make2(terms, RH_TERM_ADD, sum,
                            rh_term_make2(terms, RH_TERM_MULTIPLY, index, stride));
    }
    set(situation, sum);
}

static void allocate(struct rh__sym *sym, struct rh__sym_situation *situation,
                     const struct rh_ir_instruction *instruction)
{
    rh_term count;
    uint64_t number;
    if (!scalar(sym, situation, instruction->operands[0], &count))
        return;
    if (!rh__sym_length(sym, situation, count, &number))
        return;
    struct rh__sym_object *object = rh__sym_object_new(
        number * rh_ir_size_of(sym->module, instruction->accessed), RH__SYM_REST_UNSET);
    object->is_stack = true;
    uint32_t added = rh__sym_object_add(situation, object);
    set(situation, rh_term_constant(&sym->terms, 64, rh__sym_object_address(added)));
}

// Notes that a variable of the program is read which the program may write.
static void note_variable(struct rh__sym *sym, const struct rh__sym_situation *situation,
                          rh_term where)
{
    uint64_t number = 0, index;
    bool is_known = rh__sym_number(sym, situation, where, &number);
    index = (number - RH__SYM_GLOBALS) >> RH__SYM_OBJECT_BITS;
    if (!is_known || (number >= RH__SYM_GLOBALS && index < sym->module->globals.count &&
                      !sym->module->globals.items[index].is_constant))
        sym->looks_elsewhere = true;
}

static void load(struct rh__sym *sym, struct rh__sym_situation *situation,
                 const struct rh_ir_instruction *instruction)
{
    rh_term where;
    rh__sym_value value;
    if (!scalar(sym, situation, instruction->operands[0], &where))
        return;
    note_variable(sym, situation, where);
    if (rh__sym_load(sym, situation, where, instruction->accessed, &value))
        set(situation, value);
}

static void store(struct rh__sym *sym, struct rh__sym_situation *situation,
                  const struct rh_ir_instruction *instruction)
{
    rh_term where;
    rh__sym_value value = operand(sym, situation, instruction->operands[0]);
    if (value == RH__SYM_NO_VALUE)
        unknown(sym, situation, "a value that can't be told");
    else if (scalar(sym, situation, instruction->operands[1], &where) &&
             rh__sym_store(sym, situation, where, instruction->accessed, value))
        set(situation, RH__SYM_NO_VALUE);
}

static void exchange(struct rh__sym *sym, struct rh__sym_situation *situation,
                     const struct rh_ir_instruction *instruction)
{
    rh_term where, term;
    rh__sym_value old;
    int operation = operation_of(instruction->made_by);
    if (!scalar(sym, situation, instruction->operands[0], &where) ||
        !scalar(sym, situation, instruction->operands[1], &term))
        return;
    if (operation < 0 && instruction->made_by != RH_IR_STORE) {
        unknown(sym, situation, "an atomic operation");
        return;
    }
    if (!rh__sym_load(sym, situation, where, instruction->accessed, &old))
        return;
    if (operation >= 0)
        term = rh_term_make2(&sym->terms, (enum rh_term_operation)operation, old, term);
    if (rh__sym_store(sym, situation, where, instruction->accessed, term))
        set(situation, old);
}

// --- Tuples. ---

static void extract(struct rh__sym *sym, struct rh__sym_situation *situation,
                    const struct rh_ir_instruction *instruction)
{
    rh__sym_value whole = operand(sym, situation, instruction->operands[0]);
    if (instruction->offset < 0 || !rh__sym_is_tuple(whole)) {
        unknown(sym, situation, "an element that can't be told");
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
        set(situation, cells.items[0].term);
    else
        set(situation, rh__sym_tuple_new(sym, cells.items, (uint32_t)cells.count));
    rh_vector_fini(&cells);
}

static void insert(struct rh__sym *sym, struct rh__sym_situation *situation,
                   const struct rh_ir_instruction *instruction)
{
    rh__sym_value whole = operand(sym, situation, instruction->operands[0]);
    rh__sym_value part = operand(sym, situation, instruction->operands[1]);
    if (instruction->offset < 0 || !rh__sym_is_tuple(whole) || part == RH__SYM_NO_VALUE) {
        unknown(sym, situation, "an element that can't be told");
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
    set(situation, rh__sym_tuple_new(sym, cells, tuple.count));
}

// --- Jumps. ---

// The values of all phis of a block, before any of them is set.
static bool enter_phis(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    struct rh__sym_frame *frame = top(situation);
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
                values[i] = operand(sym, situation, phi->operands[k]);
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
    struct rh__sym_frame *frame = top(situation);
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

static void jump_to(struct rh__sym *sym, struct rh__sym_situation *situation,
                    const struct rh_ir_instruction *jump, uint32_t to, bool is_free)
{
    if (!count_rounds(sym, situation, jump, to, is_free))
        return;
    struct rh__sym_frame *frame = top(situation);
    frame->before = frame->block;
    frame->block = to;
    enter_phis(sym, situation);
}

static void branch(struct rh__sym *sym, struct rh__sym_situation *situation,
                   const struct rh_ir_instruction *instruction)
{
    if (instruction->operand_count == 0) {
        jump_to(sym, situation, instruction, instruction->blocks[0], false);
        return;
    }
    rh_term condition;
    uint64_t number;
    if (!scalar(sym, situation, instruction->operands[0], &condition))
        return;
    bool is_free = !rh_term_is_constant(&sym->terms, condition, &number);
    struct rh__sym_situation *other = NULL;
    bool holds = rh__sym_fork(sym, situation, condition, &other);
    if (other)
        rh__sym_push(sym, other);
    jump_to(sym, situation, instruction, instruction->blocks[holds ? 0 : 1], is_free);
}

static void switch_to(struct rh__sym *sym, struct rh__sym_situation *situation,
                      const struct rh_ir_instruction *instruction)
{
    rh_term value;
    uint64_t number;
    if (!scalar(sym, situation, instruction->operands[0], &value))
        return;
    bool is_free = !rh_term_is_constant(&sym->terms, value, &number);
    for (uint32_t i = 1; i < instruction->block_count; i++) {
        rh_term each;
        if (!scalar(sym, situation, instruction->operands[i], &each))
            return;
        struct rh__sym_situation *other = NULL;
        bool holds = rh__sym_fork(sym, situation,
                                  rh_term_make2(&sym->terms, RH_TERM_EQUAL, value, each), &other);
        if (other)
            rh__sym_push(sym, other);
        if (holds) {
            jump_to(sym, situation, instruction, instruction->blocks[i], is_free);
            return;
        }
    }
    jump_to(sym, situation, instruction, instruction->blocks[0], is_free);
}

// --- Calls. ---

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

static void leave(struct rh__sym *sym, struct rh__sym_situation *situation,
                  const struct rh_ir_instruction *instruction)
{
    rh__sym_value value = RH__SYM_NO_VALUE;
    if (instruction->operand_count)
        value = operand(sym, situation, instruction->operands[0]);
    bool is_greater = false;
    if (situation->end != RH__SYM_RUNS ||
        (top(situation)->sorting && !rh__sym_sorting_decide(sym, situation, value, &is_greater)))
        return;
    struct rh__sym_frame frame = *top(situation);
    situation->frames.count--;
    release_stack(situation, frame.first_object);
    rh__sym_frame_fini(&frame);
    situation->returned = value;
    if (!frame.call)
        situation->end = RH__SYM_DONE;
    else if (!frame.sorting)
        set(situation, value);
    else if (rh__sym_sorting_go(sym, situation, frame.sorting, is_greater))
        set(situation, RH__SYM_NO_VALUE);
    if (frame.call && frame.call->block_count && situation->end == RH__SYM_RUNS) {
        top(situation)->next--; // an invoke goes on in its first block
        jump_to(sym, situation, frame.call, frame.call->blocks[0], false);
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
    if (!scalar(sym, situation, instruction->operands[instruction->operand_count - 1], &where) ||
        !rh__sym_decide(sym, situation, &where))
        return NULL;
    bool is_known = rh_term_is_constant(&sym->terms, where, &number);
    if (is_known && number >= RH__SYM_FUNCTIONS && number < RH__SYM_OBJECTS)
        return &sym->module->functions.items[(number - RH__SYM_FUNCTIONS) / 16];
    if (is_known && number == 0)
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "a call through a null pointer");
    else
        unknown(sym, situation, "a call through an unknown address");
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
        set(situation, value);
    else if (served == RH__SYM_WAITS)
        rh__sym_wait_begin(situation, situation->message_count - 1);
}

static void call(struct rh__sym *sym, struct rh__sym_situation *situation,
                 const struct rh_ir_instruction *instruction)
{
    const struct rh_ir_function *callee = callee_of(sym, situation, instruction);
    if (!callee)
        return;
    uint32_t count = instruction->operand_count - 1;
    rh__sym_value *arguments = rh_alloc(count * sizeof *arguments + 1);
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = operand(sym, situation, instruction->operands[i]);
    if (situation->end != RH__SYM_RUNS)
        ; // an argument can't be told
    else if (callee->block_count && !callee->is_variadic)
        rh__sym_call(sym, situation, callee, instruction, arguments, count);
    else
        serve(sym, situation, callee, arguments, count);
    free(arguments);
}

// --- One instruction after another. ---

static void step(struct rh__sym *sym, struct rh__sym_situation *situation,
                 const struct rh_ir_instruction *instruction)
{
    switch (instruction->opcode) {
    case RH_IR_RETURN:
        leave(sym, situation, instruction);
        break;
    case RH_IR_BRANCH:
        branch(sym, situation, instruction);
        break;
    case RH_IR_SWITCH:
        switch_to(sym, situation, instruction);
        break;
    case RH_IR_UNREACHABLE:
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "code that must not be reached");
        break;
    case RH_IR_ALLOCATE:
        allocate(sym, situation, instruction);
        break;
    case RH_IR_LOAD:
        load(sym, situation, instruction);
        break;
    case RH_IR_STORE:
        store(sym, situation, instruction);
        break;
    case RH_IR_ADDRESS:
        address(sym, situation, instruction);
        break;
    case RH_IR_CALL:
        call(sym, situation, instruction);
        break;
    case RH_IR_SELECT:
        choose_value(sym, situation, instruction);
        break;
    case RH_IR_COMPARE:
        compare(sym, situation, instruction);
        break;
    case RH_IR_COMPARE_REAL:
        compare_real(sym, situation, instruction);
        break;
    case RH_IR_NEGATE_REAL:
        negate_real(sym, situation, instruction);
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
        convert(sym, situation, instruction);
        break;
    case RH_IR_EXTRACT:
        extract(sym, situation, instruction);
        break;
    case RH_IR_INSERT:
        insert(sym, situation, instruction);
        break;
    case RH_IR_EXCHANGE:
        exchange(sym, situation, instruction);
        break;
    case RH_IR_FREEZE:
        set(situation, operand(sym, situation, instruction->operands[0]));
        break;
    case RH_IR_NOTHING:
        set(situation, RH__SYM_NO_VALUE);
        break;
    default:
        if (operation_of(instruction->opcode) >= 0)
            binary(sym, situation, instruction);
        else
            unknown(sym, situation, "an instruction without a meaning here");
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
        struct rh__sym_frame *frame = top(situation);
        rh_assert(frame->next < frame->function->instruction_count);
        if (situation->steps++ > STEPS_MOST) {
            unknown(sym, situation, "a handler that goes on and on");
            return;
        }
        if (sym->marks && is_marked(sym, frame) && !sym->reached)
            sym->reached = rh__sym_situation_copy(sym, situation);
        step(sym, situation, &frame->function->instructions[frame->next]);
    }
}
