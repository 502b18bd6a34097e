// SPDX-License-Identifier: MIT
// Folding of what works on bits: masks, shifts, parts, joins, extensions, choices.
#include "smt/internal.h"

static rh_term constant(const struct rh__fold *fold, uint64_t number)
{
    return rh_term_constant(fold->terms, fold->node.width, number);
}

static bool is_not_of(const struct rh_term_node *node, rh_term term)
{
    return rh__is(node, RH_TERM_NOT) && node->a == term;
}

// Whether one operand is the other with all bits turned.
static bool are_opposite(const struct rh__fold *fold)
{
    return is_not_of(&fold->a, fold->node.b) || is_not_of(&fold->b, fold->node.a);
}

rh_term rh__fold_not(const struct rh__fold *fold)
{
    return rh__is(&fold->a, RH_TERM_NOT) ? fold->a.a : 0;
}

// --- AND, OR, XOR. ---

// (x & 3) & 6 is x & 2.
static rh_term fold_two_constants(const struct rh__fold *fold)
{
    if (!rh__is(&fold->b, RH_TERM_CONSTANT) || !rh__is(&fold->a, fold->node.operation))
        return 0;
    const struct rh_term_node *inner = rh_term_get(fold->terms, fold->a.b);
    if (!rh__is(inner, RH_TERM_CONSTANT))
        return 0;
    rh_term both = rh_term_make2(fold->terms, fold->node.operation, fold->a.b, fold->node.b);
    return rh_term_make2(fold->terms, fold->node.operation, fold->a.a, both);
}

static bool splits_freely(const struct rh_term_node *node)
{
    return rh__is(node, RH_TERM_CONSTANT) || rh__is(node, RH_TERM_JOIN) ||
           rh__is(node, RH_TERM_EXTEND_ZERO);
}

// The operation on the bits from `at` on, above that on the bits below.
static rh_term split(const struct rh__fold *fold, unsigned at)
{
    struct rh_terms *terms = fold->terms;
    enum rh_term_operation operation = fold->node.operation;
    rh_term a = fold->node.a, b = fold->node.b;
    unsigned above = fold->node.width - at;
    rh_term high = rh_term_make2(terms, operation, rh_term_part(terms, a, at, above),
                                 rh_term_part(terms, b, at, above));
    rh_term low = rh_term_make2(terms, operation, rh_term_part(terms, a, 0, at),
                                rh_term_part(terms, b, 0, at));
    return rh_term_make2(terms, RH_TERM_JOIN, high, low);
}

// Where a join or an extension ends, or 0.
static unsigned end_of_lower(const struct rh__fold *fold, const struct rh_term_node *node)
{
    if (rh__is(node, RH_TERM_JOIN))
        return rh_term_width(fold->terms, node->b);
    return rh__is(node, RH_TERM_EXTEND_ZERO) ? rh_term_width(fold->terms, node->a) : 0;
}

// The operation on each side of a join, so that bits which were put together by shifts and ORs
// become a join.
static rh_term fold_split(const struct rh__fold *fold)
{
    if (!splits_freely(&fold->a) || !splits_freely(&fold->b))
        return 0;
    unsigned a = end_of_lower(fold, &fold->a), b = end_of_lower(fold, &fold->b);
    return split(fold, a > b ? a : b);
}

static rh_term fold_bitwise(const struct rh__fold *fold)
{
    rh_term term = fold_two_constants(fold);
    return term ? term : fold_split(fold);
}

// How many equal bits there are from bit 0 on.
static unsigned lowest_run(uint64_t bits, unsigned width)
{
    uint64_t turned = bits & 1 ? ~bits : bits;
    unsigned run = turned ? (unsigned)__builtin_ctzll(turned) : width;
    return run < width ? run : width;
}

static unsigned count_runs(uint64_t bits, unsigned width)
{
    return 1 + (unsigned)__builtin_popcountll((bits ^ bits >> 1) & (rh__mask(width) >> 1));
}

// A mask of a few runs selects parts.
static rh_term fold_mask(const struct rh__fold *fold)
{
    enum { RUNS_MOST = 3 };
    unsigned width = fold->node.width;
    if (!rh__is(&fold->b, RH_TERM_CONSTANT) || count_runs(fold->b.number, width) > RUNS_MOST)
        return 0;
    return split(fold, lowest_run(fold->b.number, width));
}

static bool has_operand(const struct rh_term_node *node, enum rh_term_operation operation,
                        rh_term term)
{
    return rh__is(node, operation) && (node->a == term || node->b == term);
}

rh_term rh__fold_and(const struct rh__fold *fold)
{
    rh_term a = fold->node.a, b = fold->node.b;
    if (a == b || rh__is_number(&fold->b, rh__mask(fold->node.width)) ||
        has_operand(&fold->a, RH_TERM_AND, b))
        return a;
    if (rh__is_number(&fold->b, 0) || has_operand(&fold->b, RH_TERM_AND, a))
        return b;
    if (are_opposite(fold))
        return constant(fold, 0);
    if (has_operand(&fold->a, RH_TERM_OR, b))
        return b;
    if (has_operand(&fold->b, RH_TERM_OR, a))
        return a;
    rh_term term = fold_bitwise(fold);
    return term ? term : fold_mask(fold);
}

rh_term rh__fold_or(const struct rh__fold *fold)
{
    rh_term a = fold->node.a, b = fold->node.b;
    if (a == b || rh__is_number(&fold->b, 0) || has_operand(&fold->a, RH_TERM_OR, b))
        return a;
    if (rh__is_number(&fold->b, rh__mask(fold->node.width)) || has_operand(&fold->b, RH_TERM_OR, a))
        return b;
    if (are_opposite(fold))
        return constant(fold, UINT64_MAX);
    if (has_operand(&fold->a, RH_TERM_AND, b))
        return b;
    if (has_operand(&fold->b, RH_TERM_AND, a))
        return a;
    return fold_bitwise(fold);
}

rh_term rh__fold_xor(const struct rh__fold *fold)
{
    if (fold->node.a == fold->node.b)
        return constant(fold, 0);
    if (are_opposite(fold))
        return constant(fold, UINT64_MAX);
    if (rh__is_number(&fold->b, 0))
        return fold->node.a;
    if (rh__is_number(&fold->b, rh__mask(fold->node.width)))
        return rh_term_not(fold->terms, fold->node.a);
    return fold_bitwise(fold);
}

// --- Shifts. ---

static rh_term shift_far(const struct rh__fold *fold)
{
    unsigned width = fold->node.width;
    if (!rh__is(&fold->node, RH_TERM_SHIFT_RIGHT_SIGNED))
        return constant(fold, 0);
    rh_term sign = rh_term_part(fold->terms, fold->node.a, width - 1, 1);
    return rh_term_resize(fold->terms, RH_TERM_EXTEND_SIGN, sign, width);
}

// By a known number of bits: a part of the operand.
static rh_term shift_by(const struct rh__fold *fold, unsigned bits)
{
    struct rh_terms *terms = fold->terms;
    unsigned width = fold->node.width;
    if (rh__is(&fold->node, RH_TERM_SHIFT_LEFT)) {
        rh_term low = rh_term_part(terms, fold->node.a, 0, width - bits);
        return rh_term_make2(terms, RH_TERM_JOIN, low, rh_term_constant(terms, bits, 0));
    }
    bool is_signed = rh__is(&fold->node, RH_TERM_SHIFT_RIGHT_SIGNED);
    rh_term high = rh_term_part(terms, fold->node.a, bits, width - bits);
    return rh_term_resize(terms, is_signed ? RH_TERM_EXTEND_SIGN : RH_TERM_EXTEND_ZERO, high,
                          width);
}

rh_term rh__fold_shift(const struct rh__fold *fold)
{
    if (rh__is_number(&fold->b, 0) || rh__is_number(&fold->a, 0))
        return fold->node.a;
    if (!rh__is(&fold->b, RH_TERM_CONSTANT))
        return 0;
    if (fold->b.number >= fold->node.width)
        return shift_far(fold);
    return shift_by(fold, (unsigned)fold->b.number);
}

// --- Choices. ---

// A choice between truth values.
static rh_term fold_truths(const struct rh__fold *fold)
{
    struct rh_terms *terms = fold->terms;
    rh_term condition = fold->node.a, yes = fold->node.b, no = fold->node.c;
    if (fold->node.width != 1)
        return 0;
    if (rh__is_number(&fold->b, 1))
        return rh_term_make2(terms, RH_TERM_OR, condition, no);
    if (rh__is_number(&fold->c, 0))
        return rh_term_make2(terms, RH_TERM_AND, condition, yes);
    if (rh__is_number(&fold->b, 0))
        return rh_term_make2(terms, RH_TERM_AND, rh_term_not(terms, condition), no);
    if (rh__is_number(&fold->c, 1))
        return rh_term_make2(terms, RH_TERM_OR, rh_term_not(terms, condition), yes);
    return 0;
}

rh_term rh__fold_choice(const struct rh__fold *fold)
{
    struct rh_terms *terms = fold->terms;
    rh_term condition = fold->node.a, yes = fold->node.b, no = fold->node.c;
    if (rh__is(&fold->a, RH_TERM_CONSTANT))
        return fold->a.number ? yes : no;
    if (yes == no)
        return yes;
    if (rh__is(&fold->a, RH_TERM_NOT))
        return rh_term_choice(terms, fold->a.a, no, yes);
    if (rh__is(&fold->b, RH_TERM_CHOICE) && fold->b.a == condition)
        return rh_term_choice(terms, condition, fold->b.b, no);
    if (rh__is(&fold->c, RH_TERM_CHOICE) && fold->c.a == condition)
        return rh_term_choice(terms, condition, yes, fold->c.c);
    return fold_truths(fold);
}

// --- Joins. ---

// Two terms, one above the other, as one that is no join; or 0.
static rh_term merge(struct rh_terms *terms, rh_term high, rh_term low)
{
    struct rh_term_node a = *rh_term_get(terms, high), b = *rh_term_get(terms, low);
    if (rh__is(&a, RH_TERM_CONSTANT) && rh__is(&b, RH_TERM_CONSTANT))
        return rh_term_make2(terms, RH_TERM_JOIN, high, low);
    if (rh__is(&a, RH_TERM_PART) && rh__is(&b, RH_TERM_PART) && a.a == b.a &&
        a.number == b.number + b.width)
        return rh_term_part(terms, a.a, (unsigned)b.number, a.width + b.width);
    if (rh__is(&a, RH_TERM_CHOICE) && rh__is(&b, RH_TERM_CHOICE) && a.a == b.a)
        return rh_term_choice(terms, a.a, rh_term_make2(terms, RH_TERM_JOIN, a.b, b.b),
                              rh_term_make2(terms, RH_TERM_JOIN, a.c, b.c));
    return 0;
}

// Copies of the lower operand's sign above it.
static rh_term fold_sign(const struct rh__fold *fold)
{
    struct rh_terms *terms = fold->terms;
    if (!rh__is(&fold->a, RH_TERM_EXTEND_SIGN))
        return 0;
    const struct rh_term_node *sign = rh_term_get(terms, fold->a.a);
    rh_term low = rh__is(&fold->b, RH_TERM_EXTEND_SIGN) ? fold->b.a : fold->node.b;
    if (!rh__is(sign, RH_TERM_PART) || sign->a != low || sign->width != 1 ||
        sign->number != rh_term_width(terms, low) - 1u)
        return 0;
    return rh_term_resize(terms, RH_TERM_EXTEND_SIGN, low, fold->node.width);
}

static rh_term join(const struct rh__fold *fold, rh_term high, rh_term low)
{
    return rh_term_make2(fold->terms, RH_TERM_JOIN, high, low);
}

// Above a join: joins lean to the right, so that what lies side by side meets here.
static rh_term fold_above_join(const struct rh__fold *fold)
{
    if (!rh__is(&fold->b, RH_TERM_JOIN))
        return 0;
    rh_term merged = merge(fold->terms, fold->node.a, fold->b.a);
    return merged ? join(fold, merged, fold->b.b) : 0;
}

static rh_term fold_around_zeros(const struct rh__fold *fold)
{
    struct rh_terms *terms = fold->terms;
    if (rh__is_number(&fold->a, 0))
        return rh_term_resize(terms, RH_TERM_EXTEND_ZERO, fold->node.b, fold->node.width);
    if (rh__is(&fold->a, RH_TERM_EXTEND_ZERO))
        return rh_term_resize(terms, RH_TERM_EXTEND_ZERO, join(fold, fold->a.a, fold->node.b),
                              fold->node.width);
    if (!rh__is(&fold->a, RH_TERM_CONSTANT) || !rh__is(&fold->b, RH_TERM_EXTEND_ZERO))
        return 0;
    unsigned zeros = fold->b.width - rh_term_width(terms, fold->b.a);
    rh_term high = rh_term_constant(terms, fold->a.width + zeros, fold->a.number << zeros);
    return join(fold, high, fold->b.a);
}

rh_term rh__fold_join(const struct rh__fold *fold)
{
    if (rh__is(&fold->a, RH_TERM_JOIN))
        return join(fold, fold->a.a, join(fold, fold->a.b, fold->node.b));
    rh_term term = merge(fold->terms, fold->node.a, fold->node.b);
    if (!term)
        term = fold_above_join(fold);
    if (!term)
        term = fold_sign(fold);
    return term ? term : fold_around_zeros(fold);
}

// --- Parts. ---

static rh_term part_of_join(const struct rh__fold *fold)
{
    struct rh_terms *terms = fold->terms;
    unsigned from = (unsigned)fold->node.number, width = fold->node.width;
    unsigned border = rh_term_width(terms, fold->a.b);
    if (from >= border)
        return rh_term_part(terms, fold->a.a, from - border, width);
    if (from + width <= border)
        return rh_term_part(terms, fold->a.b, from, width);
    rh_term high = rh_term_part(terms, fold->a.a, 0, from + width - border);
    rh_term low = rh_term_part(terms, fold->a.b, from, border - from);
    return rh_term_make2(terms, RH_TERM_JOIN, high, low);
}

static rh_term part_of_extend(const struct rh__fold *fold)
{
    struct rh_terms *terms = fold->terms;
    unsigned from = (unsigned)fold->node.number, width = fold->node.width;
    unsigned border = rh_term_width(terms, fold->a.a);
    bool is_signed = rh__is(&fold->a, RH_TERM_EXTEND_SIGN);
    if (from + width <= border)
        return rh_term_part(terms, fold->a.a, from, width);
    if (from >= border && !is_signed)
        return constant(fold, 0);
    unsigned start = from < border ? from : border - 1;
    rh_term low = rh_term_part(terms, fold->a.a, start, border - start);
    return rh_term_resize(terms, fold->a.operation, low, width);
}

static rh_term part_of_choice(const struct rh__fold *fold)
{
    unsigned from = (unsigned)fold->node.number, width = fold->node.width;
    rh_term yes = rh_term_part(fold->terms, fold->a.b, from, width);
    rh_term no = rh_term_part(fold->terms, fold->a.c, from, width);
    return rh_term_choice(fold->terms, fold->a.a, yes, no);
}

// Operations whose low bits depend on the operands' low bits only.
static bool works_from_below(enum rh_term_operation operation)
{
    return operation >= RH_TERM_NOT && operation <= RH_TERM_MULTIPLY;
}

// Whether the low bits of a term are a term without a part: then C has widened what it computes
// with, and narrowed the result again.
static bool narrows(const struct rh_terms *terms, rh_term term, unsigned width, unsigned depth)
{
    const struct rh_term_node *node = rh_term_get(terms, term);
    if (term == 0 || rh__is(node, RH_TERM_CONSTANT))
        return true;
    if (rh__is(node, RH_TERM_EXTEND_ZERO) || rh__is(node, RH_TERM_EXTEND_SIGN))
        return rh_term_width(terms, node->a) <= width;
    return depth > 0 && works_from_below(node->operation) &&
           narrows(terms, node->a, width, depth - 1) && narrows(terms, node->b, width, depth - 1);
}

static rh_term part_of_operation(const struct rh__fold *fold)
{
    enum { DEPTH = 3 };
    unsigned width = fold->node.width;
    if (fold->node.number != 0 || !works_from_below(fold->a.operation) ||
        !narrows(fold->terms, fold->node.a, width, DEPTH))
        return 0;
    rh_term a = rh_term_part(fold->terms, fold->a.a, 0, width);
    if (rh__is(&fold->a, RH_TERM_NOT))
        return rh_term_not(fold->terms, a);
    rh_term b = rh_term_part(fold->terms, fold->a.b, 0, width);
    return rh_term_make2(fold->terms, fold->a.operation, a, b);
}

rh_term rh__fold_part(const struct rh__fold *fold)
{
    switch ((enum rh_term_operation)fold->a.operation) {
    case RH_TERM_PART:
        return rh_term_part(fold->terms, fold->a.a, (unsigned)(fold->a.number + fold->node.number),
                            fold->node.width);
    case RH_TERM_JOIN:
        return part_of_join(fold);
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        return part_of_extend(fold);
    case RH_TERM_CHOICE:
        return part_of_choice(fold);
    default:
        return part_of_operation(fold);
    }
}

// --- Extensions. ---

rh_term rh__fold_extend_zero(const struct rh__fold *fold)
{
    if (!rh__is(&fold->a, RH_TERM_EXTEND_ZERO))
        return 0;
    return rh_term_resize(fold->terms, RH_TERM_EXTEND_ZERO, fold->a.a, fold->node.width);
}

rh_term rh__fold_extend_sign(const struct rh__fold *fold)
{
    if (!rh__is(&fold->a, RH_TERM_EXTEND_ZERO) && !rh__is(&fold->a, RH_TERM_EXTEND_SIGN))
        return 0;
    return rh_term_resize(fold->terms, fold->a.operation, fold->a.a, fold->node.width);
}
