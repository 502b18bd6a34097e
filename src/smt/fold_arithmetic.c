// SPDX-License-Identifier: MIT
// Folding of sums, products and quotients, and of what leaves their range.
#include "smt/internal.h"

static rh_term constant(const struct rh__fold *fold, uint64_t number)
{
    return rh_term_constant(fold->terms, fold->a.width, number);
}

static rh_term add(const struct rh__fold *fold, rh_term a, rh_term b)
{
    return rh_term_make2(fold->terms, RH_TERM_ADD, a, b);
}

static rh_term add_number(const struct rh__fold *fold, rh_term a, uint64_t number)
{
    return add(fold, a, constant(fold, number));
}

static rh_term subtract(const struct rh__fold *fold, rh_term a, rh_term b)
{
    return rh_term_make2(fold->terms, RH_TERM_SUBTRACT, a, b);
}

// Whether a node is an operation with a constant as one operand, and which.
static bool has_last(const struct rh__fold *fold, const struct rh_term_node *node,
                     enum rh_term_operation operation, uint64_t *number)
{
    return rh__is(node, operation) && rh_term_is_constant(fold->terms, node->b, number);
}

static bool has_first(const struct rh__fold *fold, const struct rh_term_node *node,
                      enum rh_term_operation operation, uint64_t *number)
{
    return rh__is(node, operation) && rh_term_is_constant(fold->terms, node->a, number);
}

// --- Sums: at most one constant, and that outside. ---

static rh_term add_constant(const struct rh__fold *fold)
{
    uint64_t inner, outer = fold->b.number;
    if (outer == 0)
        return fold->node.a;
    if (has_last(fold, &fold->a, RH_TERM_ADD, &inner))
        return add_number(fold, fold->a.a, inner + outer);
    if (has_first(fold, &fold->a, RH_TERM_SUBTRACT, &inner))
        return subtract(fold, constant(fold, inner + outer), fold->a.b);
    return 0;
}

// x + y, where x is a sum or a difference.
static rh_term add_to(const struct rh__fold *fold, const struct rh_term_node *x, rh_term y)
{
    uint64_t number;
    if (has_last(fold, x, RH_TERM_ADD, &number))
        return add_number(fold, add(fold, x->a, y), number);
    if (!rh__is(x, RH_TERM_SUBTRACT))
        return 0;
    if (x->b == y)
        return x->a;
    if (rh_term_is_constant(fold->terms, x->a, &number))
        return add_number(fold, subtract(fold, y, x->b), number);
    return 0;
}

rh_term rh__fold_add(const struct rh__fold *fold)
{
    if (rh__is(&fold->b, RH_TERM_CONSTANT))
        return add_constant(fold);
    rh_term term = add_to(fold, &fold->a, fold->node.b);
    return term ? term : add_to(fold, &fold->b, fold->node.a);
}

// x - y, where y is a sum or a difference.
static rh_term subtract_from(const struct rh__fold *fold)
{
    uint64_t number;
    if (has_last(fold, &fold->b, RH_TERM_ADD, &number))
        return add_number(fold, subtract(fold, fold->node.a, fold->b.a), -number);
    if (has_first(fold, &fold->b, RH_TERM_SUBTRACT, &number))
        return add_number(fold, add(fold, fold->node.a, fold->b.b), -number);
    if (rh__is(&fold->b, RH_TERM_SUBTRACT) && fold->b.a == fold->node.a)
        return fold->b.b;
    if (rh__is(&fold->b, RH_TERM_ADD) && fold->b.a == fold->node.a)
        return subtract(fold, constant(fold, 0), fold->b.b);
    if (rh__is(&fold->b, RH_TERM_ADD) && fold->b.b == fold->node.a)
        return subtract(fold, constant(fold, 0), fold->b.a);
    return 0;
}

rh_term rh__fold_subtract(const struct rh__fold *fold)
{
    uint64_t number;
    if (fold->node.a == fold->node.b)
        return constant(fold, 0);
    if (rh__is(&fold->b, RH_TERM_CONSTANT))
        return add_number(fold, fold->node.a, -fold->b.number);
    if (has_last(fold, &fold->a, RH_TERM_ADD, &number))
        return add_number(fold, subtract(fold, fold->a.a, fold->node.b), number);
    if (rh__is(&fold->a, RH_TERM_ADD) && fold->a.a == fold->node.b)
        return fold->a.b;
    if (rh__is(&fold->a, RH_TERM_ADD) && fold->a.b == fold->node.b)
        return fold->a.a;
    return subtract_from(fold);
}

// --- Products and quotients. ---

static rh_term multiply_number(const struct rh__fold *fold, rh_term a, uint64_t number)
{
    return rh_term_make2(fold->terms, RH_TERM_MULTIPLY, a, constant(fold, number));
}

rh_term rh__fold_multiply(const struct rh__fold *fold)
{
    uint64_t inner, outer = fold->b.number;
    if (!rh__is(&fold->b, RH_TERM_CONSTANT))
        return 0;
    if (outer == 0)
        return fold->node.b;
    if (outer == 1)
        return fold->node.a;
    if (outer == rh__mask(fold->node.width))
        return subtract(fold, constant(fold, 0), fold->node.a);
    if (has_last(fold, &fold->a, RH_TERM_MULTIPLY, &inner))
        return multiply_number(fold, fold->a.a, inner * outer);
    if (has_last(fold, &fold->a, RH_TERM_ADD, &inner))
        return add_number(fold, multiply_number(fold, fold->a.a, outer), inner * outer);
    return 0;
}

static bool is_power_of_two(uint64_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

rh_term rh__fold_divide(const struct rh__fold *fold)
{
    bool is_signed = rh__is(&fold->node, RH_TERM_DIVIDE_SIGNED);
    uint64_t by = fold->b.number;
    if (!rh__is(&fold->b, RH_TERM_CONSTANT))
        return 0;
    if (is_signed && by == rh__mask(fold->node.width))
        return subtract(fold, constant(fold, 0), fold->node.a);
    if (by == 1)
        return fold->node.a;
    if (is_signed || !is_power_of_two(by))
        return by == 0 && !is_signed ? constant(fold, UINT64_MAX) : 0;
    rh_term shift = constant(fold, (uint64_t)__builtin_ctzll(by));
    return rh_term_make2(fold->terms, RH_TERM_SHIFT_RIGHT, fold->node.a, shift);
}

rh_term rh__fold_rest(const struct rh__fold *fold)
{
    bool is_signed = rh__is(&fold->node, RH_TERM_REST_SIGNED);
    uint64_t by = fold->b.number;
    if (!rh__is(&fold->b, RH_TERM_CONSTANT))
        return 0;
    if (by == 0)
        return fold->node.a;
    if (by == 1 || (is_signed && by == rh__mask(fold->node.width)))
        return constant(fold, 0);
    if (is_signed || !is_power_of_two(by))
        return 0;
    return rh_term_make2(fold->terms, RH_TERM_AND, fold->node.a, constant(fold, by - 1));
}

// --- What leaves its range: with a constant it is a comparison. ---

static rh__wide least(const struct rh__fold *fold)
{
    return -((rh__wide)1 << (fold->a.width - 1));
}

static rh__wide most(const struct rh__fold *fold)
{
    return ((rh__wide)1 << (fold->a.width - 1)) - 1;
}

// Whether a signed term is less than a number, which may be any.
static rh_term is_less(const struct rh__fold *fold, rh_term term, rh__wide number)
{
    if (number <= least(fold) || number > most(fold))
        return rh_term_truth(fold->terms, number > most(fold));
    return rh_term_make2(fold->terms, RH_TERM_LESS, term, constant(fold, (uint64_t)number));
}

static rh_term is_greater(const struct rh__fold *fold, rh_term term, rh__wide number)
{
    return rh_term_not(fold->terms, is_less(fold, term, number + 1));
}

static rh_term is_above(const struct rh__fold *fold, rh_term term, uint64_t number)
{
    return rh_term_make2(fold->terms, RH_TERM_BELOW, constant(fold, number), term);
}

// x * number < least or x * number > most.
static rh_term multiply_leaves(const struct rh__fold *fold, rh_term x, rh__wide number)
{
    if (number == 0)
        return rh_term_truth(fold->terms, false);
    rh__wide one = least(fold) / number, other = most(fold) / number;
    rh_term below = is_less(fold, x, number > 0 ? one : other);
    rh_term above = is_greater(fold, x, number > 0 ? other : one);
    return rh_term_make2(fold->terms, RH_TERM_OR, below, above);
}

// x + number < least or x + number > most.
static rh_term add_leaves(const struct rh__fold *fold, rh_term x, rh__wide number)
{
    return number < 0 ? is_less(fold, x, least(fold) - number)
                      : is_greater(fold, x, most(fold) - number);
}

// number - x < least or number - x > most.
static rh_term subtract_leaves(const struct rh__fold *fold, rh__wide number, rh_term x)
{
    return number < 0 ? is_greater(fold, x, number - least(fold))
                      : is_less(fold, x, number - most(fold));
}

static rh_term overflows_with_last(const struct rh__fold *fold)
{
    uint64_t bits = fold->b.number, mask = rh__mask(fold->a.width);
    int64_t number = rh__signed(bits, fold->a.width);
    switch ((enum rh_term_operation)fold->node.operation) {
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
        return add_leaves(fold, fold->node.a, number);
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
        return add_leaves(fold, fold->node.a, -(rh__wide)number);
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
        return multiply_leaves(fold, fold->node.a, number);
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
        return is_above(fold, fold->node.a, mask - bits);
    default:
        rh_assert(rh__is(&fold->node, RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED));
        return bits == 0 ? rh_term_truth(fold->terms, false)
                         : is_above(fold, fold->node.a, mask / bits);
    }
}

rh_term rh__fold_overflows(const struct rh__fold *fold)
{
    bool is_difference = rh__is(&fold->node, RH_TERM_OVERFLOWS_SUBTRACT_SIGNED);
    if (rh__is(&fold->node, RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED))
        return rh_term_make2(fold->terms, RH_TERM_BELOW, fold->node.a, fold->node.b);
    if (is_difference && fold->node.a == fold->node.b)
        return rh_term_truth(fold->terms, false);
    if (rh__is(&fold->b, RH_TERM_CONSTANT))
        return overflows_with_last(fold);
    if (is_difference && rh__is(&fold->a, RH_TERM_CONSTANT))
        return subtract_leaves(fold, rh__signed(fold->a.number, fold->a.width), fold->node.b);
    return 0;
}
