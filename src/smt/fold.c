// SPDX-License-Identifier: MIT
// Folding: which rules there are for a node. Rules make terms that are smaller, narrower, or nearer
// to the normal form: constants last, a sum with at most one constant, shifts and masks by known
// numbers as parts and joins, and comparisons with constants on the least of their operand.
#include "smt/internal.h"

// --- Choices between constants. ---

static bool is_of_constants(const struct rh_terms *terms, const struct rh_term_node *choice)
{
    return rh__is(choice, RH_TERM_CHOICE) &&
           rh__is(rh_term_get(terms, choice->b), RH_TERM_CONSTANT) &&
           rh__is(rh_term_get(terms, choice->c), RH_TERM_CONSTANT);
}

static bool has_constant(const struct rh_terms *terms, const struct rh_term_node *choice)
{
    return rh__is(choice, RH_TERM_CHOICE) &&
           (rh__is(rh_term_get(terms, choice->b), RH_TERM_CONSTANT) ||
            rh__is(rh_term_get(terms, choice->c), RH_TERM_CONSTANT));
}

static bool is_comparison(enum rh_term_operation operation)
{
    return operation >= RH_TERM_EQUAL && operation <= RH_TERM_LESS;
}

// Whether an operation is better done in each branch of a choice that is one of its operands, of
// which the others are constants.
static bool goes_inside(const struct rh__fold *fold, const struct rh_term_node *choice,
                        const struct rh_term_node *other)
{
    if (!rh__is(other, RH_TERM_CONSTANT) || rh__is(&fold->node, RH_TERM_CHOICE))
        return false;
    return is_of_constants(fold->terms, choice) ||
           (is_comparison(fold->node.operation) && has_constant(fold->terms, choice));
}

static rh_term fold_into_choice(const struct rh__fold *fold)
{
    bool is_a = goes_inside(fold, &fold->a, &fold->b);
    if (!is_a && !goes_inside(fold, &fold->b, &fold->a))
        return 0;
    struct rh_term_node choice = is_a ? fold->a : fold->b, yes = fold->node, no = fold->node;
    *(is_a ? &yes.a : &yes.b) = choice.b;
    *(is_a ? &no.a : &no.b) = choice.c;
    rh_term yes_term = rh__term_make(fold->terms, yes);
    rh_term no_term = rh__term_make(fold->terms, no);
    return rh_term_choice(fold->terms, choice.a, yes_term, no_term);
}

// --- The rules for each operation. ---

static rh_term fold_by_operation(const struct rh__fold *fold)
{
    switch ((enum rh_term_operation)fold->node.operation) {
    case RH_TERM_CONSTANT:
    case RH_TERM_VARIABLE:
        return 0;
    case RH_TERM_NOT:
        return rh__fold_not(fold);
    case RH_TERM_AND:
        return rh__fold_and(fold);
    case RH_TERM_OR:
        return rh__fold_or(fold);
    case RH_TERM_XOR:
        return rh__fold_xor(fold);
    case RH_TERM_ADD:
        return rh__fold_add(fold);
    case RH_TERM_SUBTRACT:
        return rh__fold_subtract(fold);
    case RH_TERM_MULTIPLY:
        return rh__fold_multiply(fold);
    case RH_TERM_DIVIDE_UNSIGNED:
    case RH_TERM_DIVIDE_SIGNED:
        return rh__fold_divide(fold);
    case RH_TERM_REST_UNSIGNED:
    case RH_TERM_REST_SIGNED:
        return rh__fold_rest(fold);
    case RH_TERM_SHIFT_LEFT:
    case RH_TERM_SHIFT_RIGHT:
    case RH_TERM_SHIFT_RIGHT_SIGNED:
        return rh__fold_shift(fold);
    case RH_TERM_EQUAL:
        return rh__fold_equal(fold);
    case RH_TERM_BELOW:
        return rh__fold_below(fold);
    case RH_TERM_LESS:
        return rh__fold_less(fold);
    case RH_TERM_CHOICE:
        return rh__fold_choice(fold);
    case RH_TERM_JOIN:
        return rh__fold_join(fold);
    case RH_TERM_PART:
        return rh__fold_part(fold);
    case RH_TERM_EXTEND_ZERO:
        return rh__fold_extend_zero(fold);
    case RH_TERM_EXTEND_SIGN:
        return rh__fold_extend_sign(fold);
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED:
        return rh__fold_overflows(fold);
    default:
        return rh__fold_real(fold);
    }
}

rh_term rh__term_fold(struct rh_terms *terms, const struct rh_term_node *node)
{
    struct rh__fold fold = {terms, *node, *rh_term_get(terms, node->a),
                            *rh_term_get(terms, node->b), *rh_term_get(terms, node->c)};
    rh_term term = fold_by_operation(&fold);
    return term ? term : fold_into_choice(&fold);
}
