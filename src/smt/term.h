// SPDX-License-Identifier: MIT
// Terms: values that depend on variables nobody knows, as the solver takes them. A term is a number
// of bits: integers, addresses, and reals by their bits. A truth value is a term of width 1.
//
// Invariants:
//  1. Equal terms are one term: a term is a number, and two terms with the same operation and
//     operands have the same number. Which number a term has depends on the order in which terms
//     are made, and on nothing else.
//  2. Terms are folded when they are made: what depends on no variable is a constant, and what is
//     simpler by a rule of algebra is made simpler. A fold never changes the value, whatever the
//     variables are.
//  3. A term's operands have smaller numbers than the term. No term has the number 0.
//
// Thread rule: one thread at a time.
#ifndef REHEARSE_SMT_TERM_H
#define REHEARSE_SMT_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/table.h"
#include "base/text.h"
#include "base/vector.h"

typedef uint32_t rh_term;

// The widest term. Constants have at most 64 bits.
#define RH_TERM_WIDEST 64

// Operations. Operands are a, b, c.
#define RH_TERM_OPERATIONS(X)                                                                      \
    X(CONSTANT) /* `number` */                                                                     \
    X(VARIABLE) /* `number`: index of the variable */                                              \
    X(NOT)      /* every bit */                                                                    \
    X(AND)                                                                                         \
    X(OR)                                                                                          \
    X(XOR)                                                                                         \
    X(ADD)                                                                                         \
    X(SUBTRACT)                                                                                    \
    X(MULTIPLY)                                                                                    \
    /* By zero all four give what SMT-LIB says: all ones (signed: 1 if a is negative), and a. */   \
    X(DIVIDE_UNSIGNED)                                                                             \
    X(DIVIDE_SIGNED)                                                                               \
    X(REST_UNSIGNED)                                                                               \
    X(REST_SIGNED)                                                                                 \
    X(SHIFT_LEFT) /* by the width or more: zero, or the sign */                                    \
    X(SHIFT_RIGHT)                                                                                 \
    X(SHIFT_RIGHT_SIGNED)                                                                          \
    X(EQUAL)  /* width 1, as all comparisons */                                                    \
    X(BELOW)  /* unsigned */                                                                       \
    X(LESS)   /* signed */                                                                         \
    X(CHOICE) /* a: width 1; b if it holds, otherwise c */                                         \
    X(JOIN)   /* a above b */                                                                      \
    X(PART)   /* `width` bits of a, from bit `number` on */                                        \
    X(EXTEND_ZERO)                                                                                 \
    X(EXTEND_SIGN)                                                                                 \
    /* Whether a with b leaves what a signed or an unsigned integer can hold; width 1. */          \
    X(OVERFLOWS_ADD_SIGNED)                                                                        \
    X(OVERFLOWS_ADD_UNSIGNED)                                                                      \
    X(OVERFLOWS_SUBTRACT_SIGNED)                                                                   \
    X(OVERFLOWS_SUBTRACT_UNSIGNED)                                                                 \
    X(OVERFLOWS_MULTIPLY_SIGNED)                                                                   \
    X(OVERFLOWS_MULTIPLY_UNSIGNED)                                                                 \
    /* Reals of 32 or 64 bits, by their bits; rounded to the nearest, ties to even. */             \
    /* A result that is NaN is the positive quiet one without payload. */                          \
    X(ADD_REAL)                                                                                    \
    X(SUBTRACT_REAL)                                                                               \
    X(MULTIPLY_REAL)                                                                               \
    X(DIVIDE_REAL)                                                                                 \
    X(EQUAL_REAL) /* width 1; false if one is NaN, as the next two */                              \
    X(LESS_REAL)                                                                                   \
    X(LESS_EQUAL_REAL)                                                                             \
    X(IS_NAN)      /* width 1 */                                                                   \
    X(RESIZE_REAL) /* 32 to 64 bits or back */                                                     \
    X(SIGNED_TO_REAL)                                                                              \
    X(UNSIGNED_TO_REAL)                                                                            \
    /* Toward zero. What does not fit, and NaN: the highest bit alone. */                          \
    X(REAL_TO_SIGNED)                                                                              \
    X(REAL_TO_UNSIGNED)

enum rh_term_operation {
#define X(name) RH_TERM_##name,
    RH_TERM_OPERATIONS(X)
#undef X
};

struct rh_term_node {
    uint8_t operation; // enum rh_term_operation
    uint8_t width;     // in bits, 1 to RH_TERM_WIDEST
    bool has_reals;    // the term or one of its operands is an operation on reals
    rh_term a, b, c;   // operands, 0 where there is none
    uint64_t number;   // of a constant, zero above its width
};

struct rh_variable {
    const char *name; // for people, unique; in `names`
    rh_term term;
};

// What was asked for and became another term.
struct rh_term_fold {
    struct rh_term_node request;
    rh_term result;
};

// What a walk over a term and its operands has come to, by term. An entry counts if its stamp is
// that of the walk.
struct rh_term_memo {
    RH_VECTOR(struct rh_term_note {
        uint64_t value;
        uint32_t stamp;
    }) notes;
    RH_VECTOR(rh_term) stack; // terms that wait for their operands
    uint32_t stamp;
};

struct rh_terms {
    RH_VECTOR(struct rh_term_node) nodes;
    struct rh_table known; // nodes by their hash
    RH_VECTOR(struct rh_variable) variables;
    struct rh_arena names;
    RH_VECTOR(struct rh_term_fold) folds;
    struct rh_table folded; // folds by the hash of their request
    unsigned folding;       // how many folds are under way, one inside of another
    struct rh_term_memo memo;
};

void rh_terms_init(struct rh_terms *terms);
void rh_terms_fini(struct rh_terms *terms);

static inline const struct rh_term_node *rh_term_get(const struct rh_terms *terms, rh_term term)
{
    return &terms->nodes.items[term];
}

static inline unsigned rh_term_width(const struct rh_terms *terms, rh_term term)
{
    return terms->nodes.items[term].width;
}

// A constant; bits above the width are cut off.
rh_term rh_term_constant(struct rh_terms *terms, unsigned width, uint64_t number);
// A new variable. Copies the name.
rh_term rh_term_variable(struct rh_terms *terms, unsigned width, const char *name);
// An operation with one or two operands. The widths fit: those of two operands are equal but for
// JOIN, and the result has the width of `a`, but for what is said above of width 1.
rh_term rh_term_make1(struct rh_terms *terms, enum rh_term_operation operation, rh_term a);
rh_term rh_term_make2(struct rh_terms *terms, enum rh_term_operation operation, rh_term a,
                      rh_term b);
rh_term rh_term_choice(struct rh_terms *terms, rh_term condition, rh_term yes, rh_term no);
rh_term rh_term_part(struct rh_terms *terms, rh_term a, unsigned from, unsigned width);
// EXTEND_ZERO, EXTEND_SIGN, RESIZE_REAL and conversions between reals and integers.
rh_term rh_term_resize(struct rh_terms *terms, enum rh_term_operation operation, rh_term a,
                       unsigned width);

// Truth values.
static inline rh_term rh_term_truth(struct rh_terms *terms, bool value)
{
    return rh_term_constant(terms, 1, value);
}
static inline rh_term rh_term_not(struct rh_terms *terms, rh_term a)
{
    return rh_term_make1(terms, RH_TERM_NOT, a);
}

// Whether the term is a constant, and which.
static inline bool rh_term_is_constant(const struct rh_terms *terms, rh_term term, uint64_t *number)
{
    const struct rh_term_node *node = rh_term_get(terms, term);
    *number = node->number;
    return node->operation == RH_TERM_CONSTANT;
}

// A value for each variable, by index; those beyond `count` are 0.
struct rh_assignment {
    const uint64_t *values;
    size_t count;
};

// The term's value if the variables have these values.
uint64_t rh_term_value(struct rh_terms *terms, rh_term term, struct rh_assignment assignment);
// The term with another one in the place of a variable.
rh_term rh_term_substitute(struct rh_terms *terms, rh_term term, rh_term variable, rh_term by);
// Appends the indexes of the variables that occur in the term, each once, to those that are there.
struct rh_variable_set {
    RH_VECTOR(uint32_t) indexes; // in ascending order
};
void rh_term_variables(struct rh_terms *terms, rh_term term, struct rh_variable_set *set);

// The term in C: `n - mx > 0`, with as few parentheses as C needs, signed numbers in decimal.
void rh_term_print(const struct rh_terms *terms, rh_term term, struct rh_text *text);

#endif
