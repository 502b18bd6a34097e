// SPDX-License-Identifier: MIT
// Instructions that compute, compare and convert.
#include "symbolic/interpret.h"

static uint32_t type_of(const struct rh__sym *sym, struct rh__sym_situation *situation,
                        struct rh_ir_ref ref)
{
    return rh_ir_ref_type(sym->module, rh__sym_top(situation)->function, ref);
}

int rh__sym_operation_of(enum rh_ir_opcode opcode)
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
    bool is_known = rh_term_is_constant(&sym->terms, fits, &number);
    sym->leaves_out_overflow = sym->leaves_out_overflow || !is_known || !number;
    if (is_known) {
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

// --- Addresses. Those in the world are others: what depends on their numbers can't be told. ---

// What a term leads into, if it is the sum of a known address and offsets.
static bool address_in(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term term,
                       uint64_t *base)
{
    struct rh_term_node node = *rh_term_get(&sym->terms, term);
    if (node.width != 64)
        return false;
    if (node.operation == RH_TERM_ADD)
        return address_in(sym, situation, node.a, base) || address_in(sym, situation, node.b, base);
    bool is_object = node.number >= RH__SYM_OBJECTS && node.number < RH__SYM_ACTORS;
    *base = node.number;
    if (node.operation != RH_TERM_CONSTANT || !rh__sym_is_address(sym, situation, node.number))
        return false;
    if (is_object || node.number < RH__SYM_FUNCTIONS)
        *base &= ~((UINT64_C(1) << RH__SYM_OBJECT_BITS) - 1);
    return true;
}

// Whether only the low bits are looked at or changed, which are zero of all blocks.
static bool is_of_low_bits(const struct rh__sym *sym, enum rh_ir_opcode opcode, rh_term mask)
{
    enum { LOW = 15 };
    uint64_t number;
    if (!rh_term_is_constant(&sym->terms, mask, &number))
        return false;
    return opcode == RH_IR_AND ? number <= LOW || number >= ~(uint64_t)LOW
                               : opcode == RH_IR_OR && number <= LOW;
}

static bool check_addresses(struct rh__sym *sym, struct rh__sym_situation *situation,
                            enum rh_ir_opcode opcode, rh_term a, rh_term b)
{
    uint64_t left = 0, right = 0;
    bool has_left = address_in(sym, situation, a, &left);
    bool has_right = address_in(sym, situation, b, &right);
    bool is_known = (!has_left && !has_right) || (opcode == RH_IR_ADD && has_left != has_right) ||
                    (opcode == RH_IR_SUBTRACT && has_left && (!has_right || left == right)) ||
                    is_of_low_bits(sym, opcode, has_left ? b : a);
    if (!is_known)
        rh__sym_give_up(sym, situation, "a number that an address is made into");
    return is_known;
}

// Whether the address is of a block that is gone, and that was there before the one at the other
// address, which may lie where it was.
static bool may_lie_at(const struct rh__sym_situation *situation, uint64_t gone, uint64_t other)
{
    uint64_t index = (gone - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS;
    bool are_objects = gone >= RH__SYM_OBJECTS && gone < RH__SYM_ACTORS &&
                       other >= RH__SYM_OBJECTS && other < RH__SYM_ACTORS;
    return are_objects && gone < other && !situation->objects.items[index] &&
           !rh__sym_block_at(situation, other);
}

static bool check_comparison(struct rh__sym *sym, struct rh__sym_situation *situation,
                             enum rh_ir_predicate predicate, rh_term a, rh_term b)
{
    uint64_t left = 0, right = 0;
    if (!address_in(sym, situation, a, &left) || !address_in(sym, situation, b, &right) ||
        left == right)
        return true;
    bool is_order = predicate != RH_IR_EQUAL && predicate != RH_IR_NOT_EQUAL;
    bool is_known =
        !is_order && !may_lie_at(situation, left, right) && !may_lie_at(situation, right, left);
    if (!is_known)
        rh__sym_give_up(sym, situation,
                        is_order ? "which of two blocks lies before the other"
                                 : "whether a block lies where one was that is gone");
    return is_known;
}

static bool check_binary(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_instruction *instruction, rh_term a, rh_term b)
{
    if (!check_addresses(sym, situation, instruction->opcode, a, b))
        return false;
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

void rh__sym_do_binary(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct rh_ir_instruction *instruction)
{
    rh__sym_value a = rh__sym_operand(sym, situation, instruction->operands[0]);
    rh__sym_value b = rh__sym_operand(sym, situation, instruction->operands[1]);
    if (a == RH__SYM_NO_VALUE || b == RH__SYM_NO_VALUE) {
        rh__sym_give_up(sym, situation, "a value that can't be told");
        return;
    }
    if (!rh__sym_is_tuple(a) && !check_binary(sym, situation, instruction, a, b))
        return;
    rh__sym_set(situation,
                map2(sym, (enum rh_term_operation)rh__sym_operation_of(instruction->opcode), a, b));
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

void rh__sym_do_compare(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh_ir_instruction *instruction)
{
    rh_term a, b;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &a) ||
        !rh__sym_scalar(sym, situation, instruction->operands[1], &b))
        return;
    if (rh__sym_is_pointer(sym, type_of(sym, situation, instruction->operands[0])) &&
        (!rh__sym_decide(sym, situation, &a) || !rh__sym_decide(sym, situation, &b)))
        return;
    if (!check_comparison(sym, situation, instruction->predicate, a, b))
        return;
    rh__sym_set(situation, compare_terms(sym, instruction->predicate, a, b));
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

void rh__sym_do_compare_real(struct rh__sym *sym, struct rh__sym_situation *situation,
                             const struct rh_ir_instruction *instruction)
{
    rh_term a, b;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &a) ||
        !rh__sym_scalar(sym, situation, instruction->operands[1], &b))
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
    rh__sym_set(situation, holds);
}

void rh__sym_do_select(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct rh_ir_instruction *instruction)
{
    rh_term condition;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &condition))
        return;
    uint64_t number;
    bool is_fixed = rh_term_is_constant(&sym->terms, condition, &number);
    bool is_number = rh__sym_is_scalar(sym->module, instruction->type) &&
                     !rh__sym_is_pointer(sym, instruction->type);
    if (!is_fixed && is_number) {
        rh_term yes, no;
        if (rh__sym_scalar(sym, situation, instruction->operands[1], &yes) &&
            rh__sym_scalar(sym, situation, instruction->operands[2], &no))
            rh__sym_set(situation, rh_term_choice(&sym->terms, condition, yes, no));
        return;
    }
    struct rh__sym_situation *other = NULL;
    bool holds = rh__sym_fork(sym, situation, condition, &other);
    if (other)
        rh__sym_push(sym, other);
    rh__sym_set(situation, rh__sym_operand(sym, situation, instruction->operands[holds ? 1 : 2]));
}

void rh__sym_do_convert(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh_ir_instruction *instruction)
{
    rh_term a;
    unsigned bits = rh__sym_bits(sym->module, instruction->type);
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &a))
        return;
    if (!bits) {
        rh__sym_give_up(sym, situation, "a value of a type without terms");
        return;
    }
    struct rh_terms *terms = &sym->terms;
    unsigned width = rh_term_width(terms, a);
    uint64_t base;
    enum { LOW_BITS = 4 };
    bool is_cut = instruction->opcode == RH_IR_TRUNCATE || instruction->opcode == RH_IR_TO_INTEGER;
    if (is_cut && bits < 64 && bits > LOW_BITS && address_in(sym, situation, a, &base)) {
        rh__sym_give_up(sym, situation, "a number that an address is made into");
        return;
    }
    switch (instruction->opcode) {
    case RH_IR_TRUNCATE:
        rh__sym_set(situation, rh_term_part(terms, a, 0, bits));
        break;
    case RH_IR_EXTEND_ZERO:
        rh__sym_set(situation, rh_term_resize(terms, RH_TERM_EXTEND_ZERO, a, bits));
        break;
    case RH_IR_EXTEND_SIGN:
        rh__sym_set(situation, rh_term_resize(terms, RH_TERM_EXTEND_SIGN, a, bits));
        break;
    case RH_IR_RESIZE_REAL:
        rh__sym_set(situation, rh_term_resize(terms, RH_TERM_RESIZE_REAL, a, bits));
        break;
    case RH_IR_SIGNED_TO_REAL:
        rh__sym_set(situation, rh_term_resize(terms, RH_TERM_SIGNED_TO_REAL, a, bits));
        break;
    case RH_IR_UNSIGNED_TO_REAL:
        rh__sym_set(situation, rh_term_resize(terms, RH_TERM_UNSIGNED_TO_REAL, a, bits));
        break;
    case RH_IR_REAL_TO_SIGNED:
        rh__sym_set(situation, rh_term_resize(terms, RH_TERM_REAL_TO_SIGNED, a, bits));
        break;
    case RH_IR_REAL_TO_UNSIGNED:
        rh__sym_set(situation, rh_term_resize(terms, RH_TERM_REAL_TO_UNSIGNED, a, bits));
        break;
    case RH_IR_TO_INTEGER:
        if (rh__sym_decide(sym, situation, &a))
            rh__sym_set(situation, bits <= width
                                       ? rh_term_part(terms, a, 0, bits)
                                       : rh_term_resize(terms, RH_TERM_EXTEND_ZERO, a, bits));
        break;
    default: // RH_IR_TO_ADDRESS, RH_IR_REINTERPRET
        rh__sym_set(situation, bits == width ? a
                               : bits < width
                                   ? rh_term_part(terms, a, 0, bits)
                                   : rh_term_resize(terms, RH_TERM_EXTEND_ZERO, a, bits));
    }
}

void rh__sym_do_negate_real(struct rh__sym *sym, struct rh__sym_situation *situation,
                            const struct rh_ir_instruction *instruction)
{
    rh_term a;
    if (!rh__sym_scalar(sym, situation, instruction->operands[0], &a))
        return;
    unsigned width = rh_term_width(&sym->terms, a);
    rh_term sign = rh_term_constant(&sym->terms, width, UINT64_C(1) << (width - 1));
    rh__sym_set(situation, rh_term_make2(&sym->terms, RH_TERM_XOR, a, sign));
}
