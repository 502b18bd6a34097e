// SPDX-License-Identifier: MIT
// Folding of comparisons.
#include "smt/internal.h"

static rh_term truth(const struct rh__fold *fold, bool value)
{
    return rh_term_truth(fold->terms, value);
}

static rh_term compare(const struct rh__fold *fold, enum rh_term_operation operation, rh_term a,
                       rh_term b)
{
    return rh_term_make2(fold->terms, operation, a, b);
}

// Compares a term with a number of its width.
static rh_term equals(const struct rh__fold *fold, rh_term term, uint64_t number)
{
    rh_term constant = rh_term_constant(fold->terms, rh_term_width(fold->terms, term), number);
    return compare(fold, RH_TERM_EQUAL, term, constant);
}

static rh_term differs(const struct rh__fold *fold, rh_term term, uint64_t number)
{
    return rh_term_not(fold->terms, equals(fold, term, number));
}

static bool is_extend(const struct rh_term_node *node)
{
    return rh__is(node, RH_TERM_EXTEND_ZERO) || rh__is(node, RH_TERM_EXTEND_SIGN);
}

// The bits that an extension makes of those of its operand.
static uint64_t extended(const struct rh_term_node *extend, unsigned width, uint64_t bits)
{
    return rh__compute(extend, width, bits & rh__mask(width), 0, 0);
}

// --- Equality with a constant. ---

// (x * factor) == number, where factor = odd * 2^twos: x's low bits are number / 2^twos, times the
// inverse of the odd factor.
static rh_term product_equals(const struct rh__fold *fold, uint64_t factor, uint64_t number)
{
    unsigned width = fold->a.width, twos = (unsigned)__builtin_ctzll(factor);
    if (number & (rh__mask(twos + 1) >> 1))
        return truth(fold, false);
    uint64_t odd = factor >> twos, inverse = odd;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - odd * inverse;
    rh_term low = rh_term_part(fold->terms, fold->a.a, 0, width - twos);
    return equals(fold, low, (number >> twos) * inverse);
}

static rh_term join_equals(const struct rh__fold *fold, uint64_t number)
{
    unsigned border = rh_term_width(fold->terms, fold->a.b);
    rh_term low = equals(fold, fold->a.b, number);
    rh_term high = equals(fold, fold->a.a, number >> border);
    return rh_term_make2(fold->terms, RH_TERM_AND, high, low);
}

static rh_term extend_equals(const struct rh__fold *fold, uint64_t number)
{
    unsigned width = rh_term_width(fold->terms, fold->a.a);
    if (extended(&fold->a, width, number) != number)
        return truth(fold, false);
    return equals(fold, fold->a.a, number);
}

static rh_term difference_equals(const struct rh__fold *fold, uint64_t number)
{
    uint64_t from;
    if (number == 0)
        return compare(fold, RH_TERM_EQUAL, fold->a.a, fold->a.b);
    if (rh_term_is_constant(fold->terms, fold->a.a, &from))
        return equals(fold, fold->a.b, from - number);
    return 0;
}

static rh_term equals_constant(const struct rh__fold *fold)
{
    uint64_t inner = 0, number = fold->b.number;
    bool has_constant = fold->a.b && rh_term_is_constant(fold->terms, fold->a.b, &inner);
    switch ((enum rh_term_operation)fold->a.operation) {
    case RH_TERM_NOT:
        return equals(fold, fold->a.a, ~number);
    case RH_TERM_ADD:
        return has_constant ? equals(fold, fold->a.a, number - inner) : 0;
    case RH_TERM_XOR:
        return has_constant ? equals(fold, fold->a.a, number ^ inner) : 0;
    case RH_TERM_MULTIPLY:
        return has_constant && inner ? product_equals(fold, inner, number) : 0;
    case RH_TERM_SUBTRACT:
        return difference_equals(fold, number);
    case RH_TERM_JOIN:
        return join_equals(fold, number);
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        return extend_equals(fold, number);
    default:
        return 0;
    }
}

// --- Equality of two terms. ---

// What is left of a sum without one of its operands, or 0.
static rh_term without(const struct rh__fold *fold, rh_term sum, rh_term operand)
{
    struct rh_term_node node = *rh_term_get(fold->terms, sum);
    if (sum == operand)
        return rh_term_constant(fold->terms, node.width, 0);
    if (!rh__is(&node, RH_TERM_ADD))
        return 0;
    if (node.a == operand)
        return node.b;
    return node.b == operand ? node.a : 0;
}

// x + y == x + z is y == z.
static rh_term fold_common(const struct rh__fold *fold, rh_term operand)
{
    rh_term a = without(fold, fold->node.a, operand);
    rh_term b = a ? without(fold, fold->node.b, operand) : 0;
    return b ? compare(fold, RH_TERM_EQUAL, a, b) : 0;
}

static rh_term fold_sums(const struct rh__fold *fold)
{
    rh_term term = 0;
    if (rh__is(&fold->a, RH_TERM_ADD)) {
        term = fold_common(fold, fold->a.a);
        if (!term)
            term = fold_common(fold, fold->a.b);
    }
    if (!term && rh__is(&fold->b, RH_TERM_ADD))
        term = fold_common(fold, fold->node.a);
    return term;
}

static bool have_same_border(const struct rh__fold *fold)
{
    return rh__is(&fold->a, RH_TERM_JOIN) && rh__is(&fold->b, RH_TERM_JOIN) &&
           rh_term_width(fold->terms, fold->a.a) == rh_term_width(fold->terms, fold->b.a);
}

// Whether both are extended in the same way from the same width.
static bool are_extended_alike(const struct rh__fold *fold)
{
    return is_extend(&fold->a) && fold->a.operation == fold->b.operation &&
           rh_term_width(fold->terms, fold->a.a) == rh_term_width(fold->terms, fold->b.a);
}

static bool are_opposite(const struct rh__fold *fold)
{
    return (rh__is(&fold->a, RH_TERM_NOT) && fold->a.a == fold->node.b) ||
           (rh__is(&fold->b, RH_TERM_NOT) && fold->b.a == fold->node.a);
}

rh_term rh__fold_equal(const struct rh__fold *fold)
{
    if (fold->node.a == fold->node.b)
        return truth(fold, true);
    if (fold->a.width == 1 && rh__is(&fold->b, RH_TERM_CONSTANT))
        return fold->b.number ? fold->node.a : rh_term_not(fold->terms, fold->node.a);
    if (rh__is(&fold->b, RH_TERM_CONSTANT))
        return equals_constant(fold);
    if (are_opposite(fold))
        return truth(fold, false);
    if (are_extended_alike(fold) ||
        (rh__is(&fold->a, RH_TERM_NOT) && rh__is(&fold->b, RH_TERM_NOT)))
        return compare(fold, RH_TERM_EQUAL, fold->a.a, fold->b.a);
    if (have_same_border(fold)) {
        rh_term high = compare(fold, RH_TERM_EQUAL, fold->a.a, fold->b.a);
        rh_term low = compare(fold, RH_TERM_EQUAL, fold->a.b, fold->b.b);
        return rh_term_make2(fold->terms, RH_TERM_AND, high, low);
    }
    return fold_sums(fold);
}

// --- Less, signed or not. ---

// The range of an order: the least and the greatest number, as bits.
static uint64_t least_of(enum rh_term_operation order, unsigned width)
{
    return order == RH_TERM_LESS ? UINT64_C(1) << (width - 1) : 0;
}

static uint64_t greatest_of(enum rh_term_operation order, unsigned width)
{
    return rh__mask(width) ^ least_of(order, width);
}

static bool is_before(enum rh_term_operation order, unsigned width, uint64_t a, uint64_t b)
{
    return (a ^ least_of(order, width)) < (b ^ least_of(order, width));
}

// x < number at the ends of the range.
static rh_term before_constant(const struct rh__fold *fold, enum rh_term_operation order)
{
    unsigned width = fold->b.width;
    uint64_t least = least_of(order, width), greatest = greatest_of(order, width);
    if (fold->b.number == least)
        return truth(fold, false);
    if (fold->b.number == ((least + 1) & rh__mask(width)))
        return equals(fold, fold->node.a, least);
    return fold->b.number == greatest ? differs(fold, fold->node.a, greatest) : 0;
}

static rh_term after_constant(const struct rh__fold *fold, enum rh_term_operation order)
{
    unsigned width = fold->a.width;
    uint64_t least = least_of(order, width), greatest = greatest_of(order, width);
    if (fold->a.number == greatest)
        return truth(fold, false);
    if (fold->a.number == ((greatest - 1) & rh__mask(width)))
        return equals(fold, fold->node.b, greatest);
    return fold->a.number == least ? differs(fold, fold->node.b, least) : 0;
}

// An extension keeps its operand's own order, which is that of the extended numbers too, unless
// what was extended with a sign is compared without.
static rh_term fold_extended(const struct rh__fold *fold, enum rh_term_operation order)
{
    bool a_is_constant = rh__is(&fold->a, RH_TERM_CONSTANT);
    const struct rh_term_node *extend = a_is_constant ? &fold->b : &fold->a;
    uint64_t number = a_is_constant ? fold->a.number : fold->b.number;
    unsigned wide = extend->width;
    if (!is_extend(extend) || (rh__is(extend, RH_TERM_EXTEND_SIGN) && order == RH_TERM_BELOW))
        return 0;
    unsigned narrow = rh_term_width(fold->terms, extend->a);
    enum rh_term_operation inner =
        rh__is(extend, RH_TERM_EXTEND_SIGN) ? RH_TERM_LESS : RH_TERM_BELOW;
    uint64_t least = extended(extend, narrow, least_of(inner, narrow));
    uint64_t greatest = extended(extend, narrow, greatest_of(inner, narrow));
    if (is_before(order, wide, number, least))
        return truth(fold, a_is_constant);
    if (is_before(order, wide, greatest, number))
        return truth(fold, !a_is_constant);
    rh_term constant = rh_term_constant(fold->terms, narrow, number);
    return a_is_constant ? compare(fold, inner, constant, extend->a)
                         : compare(fold, inner, extend->a, constant);
}

static rh_term fold_order(const struct rh__fold *fold, enum rh_term_operation order)
{
    if (fold->node.a == fold->node.b)
        return truth(fold, false);
    rh_term term = 0;
    if (rh__is(&fold->b, RH_TERM_CONSTANT))
        term = before_constant(fold, order);
    else if (rh__is(&fold->a, RH_TERM_CONSTANT))
        term = after_constant(fold, order);
    else if (are_extended_alike(fold))
        return compare(fold, rh__is(&fold->a, RH_TERM_EXTEND_ZERO) ? RH_TERM_BELOW : order,
                       fold->a.a, fold->b.a);
    else
        return 0;
    return term ? term : fold_extended(fold, order);
}

rh_term rh__fold_below(const struct rh__fold *fold)
{
    return fold_order(fold, RH_TERM_BELOW);
}

rh_term rh__fold_less(const struct rh__fold *fold)
{
    return fold_order(fold, RH_TERM_LESS);
}

// --- Reals. ---

static bool is_never_nan(const struct rh_term_node *node)
{
    return rh__is(node, RH_TERM_SIGNED_TO_REAL) || rh__is(node, RH_TERM_UNSIGNED_TO_REAL);
}

rh_term rh__fold_real(const struct rh__fold *fold)
{
    if (rh__is(&fold->node, RH_TERM_IS_NAN))
        return is_never_nan(&fold->a) ? truth(fold, false) : 0;
    if (fold->node.a != fold->node.b)
        return 0;
    if (rh__is(&fold->node, RH_TERM_LESS_REAL))
        return truth(fold, false);
    if (rh__is(&fold->node, RH_TERM_EQUAL_REAL) || rh__is(&fold->node, RH_TERM_LESS_EQUAL_REAL))
        return rh_term_not(fold->terms, rh_term_make1(fold->terms, RH_TERM_IS_NAN, fold->node.a));
    return 0;
}
