// SPDX-License-Identifier: MIT
// Values by guessing: a condition that does not hold is made to hold, by what an operand
// must be for the result that is wanted, down to a variable; then all conditions are tried again.
// This finds most of what a branch needs in microseconds, and proves nothing when it fails.
#include "smt/internal.h"

// How often something is changed, and how far a wish is followed.
enum { ROUNDS_MOST = 16, DEPTH_MOST = 40 };

struct guess {
    struct rh_terms *terms;
    uint64_t *values; // by variable
    size_t count;
    uint64_t round;
};

static bool wish(struct guess *guess, rh_term term, uint64_t value, unsigned depth);

static uint64_t value_of(struct guess *guess, rh_term term)
{
    struct rh_assignment assignment = {guess->values, guess->count};
    return rh__walk_value(guess->terms, term, assignment);
}

static bool is_constant(const struct guess *guess, rh_term term)
{
    return rh__is(rh_term_get(guess->terms, term), RH_TERM_CONSTANT);
}

// Which operand is to change: one that can, and not the same one in every round.
static bool changes_first(const struct guess *guess, const struct rh_term_node *node)
{
    if (is_constant(guess, node->a) || is_constant(guess, node->b))
        return is_constant(guess, node->b);
    return rh_table_hash(guess->round ^ (uint64_t)node->a << 32 ^ node->b) >> 40 & 1;
}

// --- What operands must be. ---

static bool wish_sum(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                     unsigned depth)
{
    bool is_first = changes_first(guess, node), adds = rh__is(node, RH_TERM_ADD);
    uint64_t other = value_of(guess, is_first ? node->b : node->a);
    if (is_first)
        return wish(guess, node->a, adds ? value - other : value + other, depth);
    return wish(guess, node->b, adds ? value - other : other - value, depth);
}

static bool wish_product(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                         unsigned depth)
{
    bool is_first = changes_first(guess, node);
    uint64_t other = value_of(guess, is_first ? node->b : node->a);
    int64_t factor = rh__signed(other, node->width), product = rh__signed(value, node->width);
    if (factor == 0 || factor == -1 || product % factor != 0)
        return false;
    return wish(guess, is_first ? node->a : node->b, (uint64_t)(product / factor), depth);
}

static bool wish_xor(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                     unsigned depth)
{
    bool is_first = changes_first(guess, node);
    uint64_t other = value_of(guess, is_first ? node->b : node->a);
    return wish(guess, is_first ? node->a : node->b, value ^ other, depth);
}

// AND with 1 wants both, with 0 one of them; of wider operands only truth values are understood.
static bool wish_both(struct guess *guess, const struct rh_term_node *node, bool value,
                      unsigned depth)
{
    bool all = rh__is(node, RH_TERM_AND) == value;
    if (node->width != 1)
        return false;
    if (!all)
        return wish(guess, changes_first(guess, node) ? node->a : node->b, value, depth);
    return (value_of(guess, node->a) == value || wish(guess, node->a, value, depth)) &&
           (value_of(guess, node->b) == value || wish(guess, node->b, value, depth));
}

static bool wish_equal(struct guess *guess, const struct rh_term_node *node, bool value,
                       unsigned depth)
{
    bool is_first = changes_first(guess, node);
    uint64_t other = value_of(guess, is_first ? node->b : node->a);
    return wish(guess, is_first ? node->a : node->b, value ? other : other + 1, depth);
}

// a < b: a is b - 1, or b is a + 1. Not a < b: they are equal.
static bool wish_order(struct guess *guess, const struct rh_term_node *node, bool value,
                       unsigned depth)
{
    bool is_first = changes_first(guess, node);
    uint64_t other = value_of(guess, is_first ? node->b : node->a);
    if (!value)
        return wish(guess, is_first ? node->a : node->b, other, depth);
    return is_first ? wish(guess, node->a, other - 1, depth)
                    : wish(guess, node->b, other + 1, depth);
}

// Leaving the signed range: one operand as far out as it can be, on the side to which the other one
// leads. Staying inside: one operand is 0.
static bool wish_overflows(struct guess *guess, const struct rh_term_node *node, bool value,
                           unsigned depth)
{
    unsigned width = rh_term_width(guess->terms, node->a);
    bool is_first = changes_first(guess, node);
    int64_t other = rh__signed(value_of(guess, is_first ? node->b : node->a), width);
    bool is_down = other < 0;
    if (rh__is(node, RH_TERM_OVERFLOWS_SUBTRACT_SIGNED))
        is_down = is_first ? other > 0 : other >= 0;
    uint64_t most = rh__mask(width) >> 1, far = is_down ? ~most : most;
    return wish(guess, is_first ? node->a : node->b, value ? far : 0, depth);
}

static bool wish_choice(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                        unsigned depth)
{
    bool is_yes = value_of(guess, node->a);
    rh_term taken = is_yes ? node->b : node->c, other = is_yes ? node->c : node->b;
    if (is_constant(guess, taken) || value_of(guess, other) == value)
        return value_of(guess, other) == value && wish(guess, node->a, !is_yes, depth);
    return wish(guess, taken, value, depth);
}

static bool wish_join(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                      unsigned depth)
{
    unsigned border = rh_term_width(guess->terms, node->b);
    return wish(guess, node->a, value >> border, depth) && wish(guess, node->b, value, depth);
}

static bool wish_part(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                      unsigned depth)
{
    uint64_t others = value_of(guess, node->a) & ~(rh__mask(node->width) << node->number);
    return wish(guess, node->a, others | value << node->number, depth);
}

static bool wish_extended(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                          unsigned depth)
{
    unsigned width = rh_term_width(guess->terms, node->a);
    uint64_t narrow = value & rh__mask(width);
    return rh__compute(node, width, narrow, 0, 0) == value && wish(guess, node->a, narrow, depth);
}

static bool wish_node(struct guess *guess, const struct rh_term_node *node, uint64_t value,
                      unsigned depth)
{
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_CONSTANT:
        return node->number == value;
    case RH_TERM_VARIABLE:
        guess->values[node->number] = value;
        return true;
    case RH_TERM_NOT:
        return wish(guess, node->a, ~value, depth);
    case RH_TERM_AND:
    case RH_TERM_OR:
        return wish_both(guess, node, value, depth);
    case RH_TERM_XOR:
        return wish_xor(guess, node, value, depth);
    case RH_TERM_ADD:
    case RH_TERM_SUBTRACT:
        return wish_sum(guess, node, value, depth);
    case RH_TERM_MULTIPLY:
        return wish_product(guess, node, value, depth);
    case RH_TERM_EQUAL:
        return wish_equal(guess, node, value, depth);
    case RH_TERM_BELOW:
    case RH_TERM_LESS:
        return wish_order(guess, node, value, depth);
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
        return wish_overflows(guess, node, value, depth);
    case RH_TERM_CHOICE:
        return wish_choice(guess, node, value, depth);
    case RH_TERM_JOIN:
        return wish_join(guess, node, value, depth);
    case RH_TERM_PART:
        return wish_part(guess, node, value, depth);
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        return wish_extended(guess, node, value, depth);
    default:
        return false;
    }
}

// Changes a variable such that the term may get this value. false if it knows no way.
static bool wish(struct guess *guess, rh_term term, uint64_t value, unsigned depth)
{
    const struct rh_term_node *node = rh_term_get(guess->terms, term);
    return depth < DEPTH_MOST && wish_node(guess, node, value & rh__mask(node->width), depth + 1);
}

// --- Rounds. ---

// The first condition that does not hold, or 0.
static rh_term find_failing(struct guess *guess, const rh_term *conditions, size_t count)
{
    rh__walk_begin(guess->terms);
    for (size_t i = 0; i < count; i++)
        if (!value_of(guess, conditions[i]))
            return conditions[i];
    return 0;
}

bool rh__guess(struct rh_terms *terms, const rh_term *conditions, size_t count, uint64_t *values)
{
    struct guess guess = {terms, values, terms->variables.count, 0};
    for (; guess.round < ROUNDS_MOST; guess.round++) {
        rh_term failing = find_failing(&guess, conditions, count);
        if (!failing)
            return true;
        wish(&guess, failing, 1, 0);
    }
    return false;
}
