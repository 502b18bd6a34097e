// SPDX-License-Identifier: MIT
#include "diagram/expression.h"

#include <string.h>

const struct rh_expression *rh_expression_number(struct rh_arena *arena, int64_t number)
{
    struct rh_expression *made = rh_arena_take(arena, sizeof *made);
    made->kind = RH_EXPRESSION_NUMBER;
    made->number = number;
    return made;
}

const struct rh_expression *rh_expression_variable(struct rh_arena *arena, const char *variable)
{
    struct rh_expression *made = rh_arena_take(arena, sizeof *made);
    made->kind = RH_EXPRESSION_VARIABLE;
    made->variable = variable;
    return made;
}

static bool is_number(const struct rh_expression *expression, int64_t number)
{
    return expression->kind == RH_EXPRESSION_NUMBER && expression->number == number;
}

static const struct rh_expression *leave_out(enum rh_expression_kind kind,
                                             const struct rh_expression *left,
                                             const struct rh_expression *right)
{
    bool adds = kind == RH_EXPRESSION_ADD || kind == RH_EXPRESSION_SUBTRACT;
    if (adds && is_number(right, 0))
        return left;
    if (kind == RH_EXPRESSION_ADD && is_number(left, 0))
        return right;
    if (kind == RH_EXPRESSION_MULTIPLY && is_number(left, 1))
        return right;
    if ((kind == RH_EXPRESSION_MULTIPLY || kind == RH_EXPRESSION_DIVIDE) && is_number(right, 1))
        return left;
    return NULL;
}

const struct rh_expression *rh_expression_make(struct rh_arena *arena, enum rh_expression_kind kind,
                                               const struct rh_expression *left,
                                               const struct rh_expression *right)
{
    rh_assert(left && right);
    const struct rh_expression *rest = leave_out(kind, left, right);
    if (rest)
        return rest;
    struct rh_expression *made = rh_arena_take(arena, sizeof *made);
    *made = (struct rh_expression){.kind = kind, .left = left, .right = right};
    int64_t value;
    const char *unknown;
    bool is_known = left->kind == RH_EXPRESSION_NUMBER && right->kind == RH_EXPRESSION_NUMBER;
    if (is_known && rh_expression_evaluate(made, NULL, &value, &unknown))
        return rh_expression_number(arena, value);
    return made;
}

const struct rh_binding *rh_binding_find(const struct rh_binding *bindings, const char *variable)
{
    while (bindings && strcmp(bindings->variable, variable) != 0)
        bindings = bindings->outer;
    return bindings;
}

static bool divide(enum rh_expression_kind kind, int64_t left, int64_t right, int64_t *value)
{
    if (right <= 0)
        return false;
    int64_t rest = left % right < 0 ? left % right + right : left % right;
    *value = kind == RH_EXPRESSION_MODULO ? rest : (left - rest) / right;
    return true;
}

static bool compute(enum rh_expression_kind kind, int64_t left, int64_t right, int64_t *value)
{
    switch (kind) {
    case RH_EXPRESSION_ADD:
        return !__builtin_add_overflow(left, right, value);
    case RH_EXPRESSION_SUBTRACT:
        return !__builtin_sub_overflow(left, right, value);
    case RH_EXPRESSION_MULTIPLY:
        return !__builtin_mul_overflow(left, right, value);
    case RH_EXPRESSION_LEAST:
        *value = left < right ? left : right;
        return true;
    case RH_EXPRESSION_MOST:
        *value = left > right ? left : right;
        return true;
    default:
        return divide(kind, left, right, value);
    }
}

bool rh_expression_evaluate(const struct rh_expression *expression,
                            const struct rh_binding *bindings, int64_t *value, const char **unknown)
{
    *unknown = NULL;
    if (expression->kind == RH_EXPRESSION_NUMBER) {
        *value = expression->number;
        return true;
    }
    if (expression->kind == RH_EXPRESSION_VARIABLE) {
        const struct rh_binding *found = rh_binding_find(bindings, expression->variable);
        if (!found) {
            *unknown = expression->variable;
            return false;
        }
        *value = found->value;
        return true;
    }
    int64_t left, right;
    return rh_expression_evaluate(expression->left, bindings, &left, unknown) &&
           rh_expression_evaluate(expression->right, bindings, &right, unknown) &&
           compute(expression->kind, left, right, value);
}

bool rh_expression_equals(const struct rh_expression *one, const struct rh_expression *other)
{
    if (!one || !other || one->kind != other->kind)
        return one == other;
    if (one->kind == RH_EXPRESSION_NUMBER)
        return one->number == other->number;
    if (one->kind == RH_EXPRESSION_VARIABLE)
        return !strcmp(one->variable, other->variable);
    return rh_expression_equals(one->left, other->left) &&
           rh_expression_equals(one->right, other->right);
}

static void print_operation(struct rh_text *text, const struct rh_expression *expression)
{
    static const char *const signs[] = {
        [RH_EXPRESSION_ADD] = "+",      [RH_EXPRESSION_SUBTRACT] = "-",
        [RH_EXPRESSION_MULTIPLY] = "*", [RH_EXPRESSION_DIVIDE] = "/",
        [RH_EXPRESSION_MODULO] = "mod", [RH_EXPRESSION_LEAST] = "min",
        [RH_EXPRESSION_MOST] = "max"};
    // A sum needs no parentheses on the left of a sum.
    bool adds = expression->kind == RH_EXPRESSION_ADD || expression->kind == RH_EXPRESSION_SUBTRACT;
    bool is_plain = adds && (expression->left->kind == RH_EXPRESSION_ADD ||
                             expression->left->kind == RH_EXPRESSION_SUBTRACT ||
                             expression->left->kind == RH_EXPRESSION_MULTIPLY);
    rh_expression_print(text, expression->left, !is_plain);
    rh_text_addf(text, " %s ", signs[expression->kind]);
    bool is_product = adds && expression->right->kind == RH_EXPRESSION_MULTIPLY;
    rh_expression_print(text, expression->right, !is_product);
}

void rh_expression_print(struct rh_text *text, const struct rh_expression *expression,
                         bool is_operand)
{
    if (expression->kind == RH_EXPRESSION_VARIABLE) {
        rh_text_add(text, expression->variable);
        return;
    }
    if (expression->kind == RH_EXPRESSION_NUMBER) {
        bool is_signed = is_operand && expression->number < 0;
        rh_text_addf(text, is_signed ? "(%lld)" : "%lld", (long long)expression->number);
        return;
    }
    rh_text_add(text, is_operand ? "(" : "");
    print_operation(text, expression);
    rh_text_add(text, is_operand ? ")" : "");
}
