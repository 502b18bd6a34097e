// SPDX-License-Identifier: MIT
// Integer expressions in diagrams: bounds of loops and families, and indexes of actors.
#ifndef REHEARSE_DIAGRAM_EXPRESSION_H
#define REHEARSE_DIAGRAM_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

enum rh_expression_kind {
    RH_EXPRESSION_NUMBER,
    RH_EXPRESSION_VARIABLE,
    RH_EXPRESSION_ADD,
    RH_EXPRESSION_SUBTRACT,
    RH_EXPRESSION_MULTIPLY,
    RH_EXPRESSION_DIVIDE, // rounds down
    RH_EXPRESSION_MODULO, // never negative
    RH_EXPRESSION_LEAST,
    RH_EXPRESSION_MOST,
};

// Lives in an arena, as all parts of a diagram.
struct rh_expression {
    enum rh_expression_kind kind;
    int64_t number;
    const char *variable;
    const struct rh_expression *left, *right;
};

// Variables with their values; inner ones come first.
struct rh_binding {
    const char *variable;
    int64_t value;
    const char *class; // of an actor that `some` has bound, whose index is the value; or NULL
    const struct rh_binding *outer;
};

const struct rh_expression *rh_expression_number(struct rh_arena *arena, int64_t number);
const struct rh_expression *rh_expression_variable(struct rh_arena *arena, const char *variable);
// Folds what is known and leaves out what adds or multiplies nothing.
const struct rh_expression *rh_expression_make(struct rh_arena *arena, enum rh_expression_kind kind,
                                               const struct rh_expression *left,
                                               const struct rh_expression *right);

const struct rh_binding *rh_binding_find(const struct rh_binding *bindings, const char *variable);
// false if a variable has no value, or the value is none (a division by 0, an overflow);
// `*unknown` is the variable then, or NULL.
bool rh_expression_evaluate(const struct rh_expression *expression,
                            const struct rh_binding *bindings, int64_t *value,
                            const char **unknown);
bool rh_expression_equals(const struct rh_expression *one, const struct rh_expression *other);
// With `is_operand` in parentheses unless it is one number or variable.
void rh_expression_print(struct rh_text *text, const struct rh_expression *expression,
                         bool is_operand);

#endif
