// SPDX-License-Identifier: MIT
// What the files of this folder have in common.
#ifndef REHEARSE_SMT_INTERNAL_H
#define REHEARSE_SMT_INTERNAL_H

#include "base/status.h"
#include "smt/solver.h"
#include "smt/term.h"

__extension__ typedef __int128 rh__wide;

// The bits of a number of this width.
static inline uint64_t rh__mask(unsigned width)
{
    rh_assert(width >= 1 && width <= 64);
    return UINT64_MAX >> (64 - width);
}

// The number that these bits are, with a sign.
static inline int64_t rh__signed(uint64_t bits, unsigned width)
{
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

// --- term.c ---

// The term that a node is, folded.
rh_term rh__term_make(struct rh_terms *terms, struct rh_term_node node);

// --- compute.c ---

// What an operation gives for operands with these values, of which the first has this width.
uint64_t rh__compute(const struct rh_term_node *node, unsigned width, uint64_t a, uint64_t b,
                     uint64_t c);
// The real of 32 or 64 bits that these are.
double rh__real(uint64_t bits, unsigned width);

// --- fold.c, fold_bits.c, fold_arithmetic.c, fold_compare.c ---

// What is to be folded. Nodes are copies, since making a term moves them.
struct rh__fold {
    struct rh_terms *terms;
    struct rh_term_node node;
    struct rh_term_node a, b, c; // operands, zeros where there is none
};

// A simpler term with the value of a node, which has an operand that is no constant; or 0. So do
// all functions that fold.
rh_term rh__term_fold(struct rh_terms *terms, const struct rh_term_node *node);

rh_term rh__fold_not(const struct rh__fold *fold);
rh_term rh__fold_and(const struct rh__fold *fold);
rh_term rh__fold_or(const struct rh__fold *fold);
rh_term rh__fold_xor(const struct rh__fold *fold);
rh_term rh__fold_shift(const struct rh__fold *fold);
rh_term rh__fold_choice(const struct rh__fold *fold);
rh_term rh__fold_join(const struct rh__fold *fold);
rh_term rh__fold_part(const struct rh__fold *fold);
rh_term rh__fold_extend_zero(const struct rh__fold *fold);
rh_term rh__fold_extend_sign(const struct rh__fold *fold);

rh_term rh__fold_add(const struct rh__fold *fold);
rh_term rh__fold_subtract(const struct rh__fold *fold);
rh_term rh__fold_multiply(const struct rh__fold *fold);
rh_term rh__fold_divide(const struct rh__fold *fold);
rh_term rh__fold_rest(const struct rh__fold *fold);
rh_term rh__fold_overflows(const struct rh__fold *fold);

rh_term rh__fold_equal(const struct rh__fold *fold);
rh_term rh__fold_below(const struct rh__fold *fold);
rh_term rh__fold_less(const struct rh__fold *fold);
rh_term rh__fold_real(const struct rh__fold *fold);

static inline bool rh__is(const struct rh_term_node *node, enum rh_term_operation operation)
{
    return node->operation == operation;
}

static inline bool rh__is_number(const struct rh_term_node *node, uint64_t number)
{
    return node->operation == RH_TERM_CONSTANT && node->number == number;
}

// --- evaluate.c ---

// Terms in an order in which operands come before what they are operands of.
struct rh__order {
    rh_term *items;
    size_t count, capacity;
};

// Begins a walk: until the next one begins, and as long as no term is made, each term is looked at
// once, however often it occurs in what the walk is given.
void rh__walk_begin(struct rh_terms *terms);
// Appends a term and all that it depends on.
void rh__walk_order(struct rh_terms *terms, rh_term term, struct rh__order *order);
// The term's value. The assignment is the same in all of a walk.
uint64_t rh__walk_value(struct rh_terms *terms, rh_term term, struct rh_assignment assignment);

// --- guess.c ---

// Looks for values with which all conditions hold, near those that are given: a value for each
// variable. false if it has found none, and then the values are any.
bool rh__guess(struct rh_terms *terms, const rh_term *conditions, size_t count, uint64_t *values);

// --- linear.c ---

// Whether the conditions contradict each other as inequalities between whole numbers. false: they
// may hold or not.
bool rh__linear_refutes(struct rh_terms *terms, const rh_term *conditions, size_t count);

// --- z3.c, or no_z3.c where there is no Z3 ---

// Conditions that share variables, and all of these.
struct rh__question {
    const rh_term *conditions;
    size_t count;
    const uint32_t *variables; // indexes
    size_t variable_count;
    uint64_t *model; // on RH_CAN set to a value for each variable
    bool *core;      // by condition, on RH_CAN_NOT set; NULL: not asked for
};

static inline bool rh__has_reals(const struct rh_terms *terms, const struct rh__question *question)
{
    for (size_t i = 0; i < question->count; i++)
        if (rh_term_get(terms, question->conditions[i])->has_reals)
            return true;
    return false;
}

struct rh__z3;

struct rh_status rh__z3_new(struct rh_terms *terms, uint64_t limit, struct rh__z3 **z3);
void rh__z3_free(struct rh__z3 *z3);
// What all questions so far have cost, in Z3's units, but for the last few.
uint64_t rh__z3_work(const struct rh__z3 *z3);
enum rh_answer rh__z3_ask(struct rh__z3 *z3, const struct rh__question *question);

// --- smtlib.c ---

// The conditions and their answer as an SMT-LIB script.
void rh__smtlib_print(struct rh_terms *terms, const struct rh__question *question,
                      enum rh_answer answer, struct rh_text *text);

#endif
