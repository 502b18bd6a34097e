// SPDX-License-Identifier: MIT
#include "diagram/fit.h"

#include <stdlib.h>

enum { COEFFICIENTS_MOST = 4 };

__extension__ typedef __int128 wide;

// A product of up to two variables; NO_VARIABLE: none.
struct monomial {
    size_t one, other;
};
#define NO_VARIABLE SIZE_MAX

struct fraction {
    wide over, under;
};

static struct fraction reduce(wide over, wide under)
{
    wide one = over < 0 ? -over : over, other = under < 0 ? -under : under;
    while (other) {
        wide rest = one % other;
        one = other;
        other = rest;
    }
    if (one == 0)
        return (struct fraction){0, 1};
    return under < 0 ? (struct fraction){-over / one, -under / one}
                     : (struct fraction){over / one, under / one};
}

static struct fraction subtract(struct fraction one, struct fraction other)
{
    return reduce(one.over * other.under - other.over * one.under, one.under * other.under);
}

static struct fraction multiply(struct fraction one, struct fraction other)
{
    return reduce(one.over * other.over, one.under * other.under);
}

static struct fraction divide(struct fraction one, struct fraction other)
{
    return reduce(one.over * other.under, one.under * other.over);
}

static int64_t value_of(const struct rh_points *points, size_t point, struct monomial monomial)
{
    const int64_t *row = points->values + point * points->variable_count;
    int64_t value = monomial.one == NO_VARIABLE ? 1 : row[monomial.one];
    return monomial.other == NO_VARIABLE ? value : value * row[monomial.other];
}

typedef struct fraction equation[COEFFICIENTS_MOST + 1];

// Brings the equations to echelon form; false if they do not decide each unknown.
static bool eliminate(equation *rows, size_t row_count, size_t unknowns)
{
    for (size_t at = 0; at < unknowns; at++) {
        size_t pivot = at;
        while (pivot < row_count && rows[pivot][at].over == 0)
            pivot++;
        if (pivot == row_count)
            return false;
        for (size_t k = 0; k <= unknowns; k++) {
            struct fraction swapped = rows[at][k];
            rows[at][k] = rows[pivot][k];
            rows[pivot][k] = swapped;
        }
        for (size_t i = 0; i < row_count; i++) {
            if (i == at || rows[i][at].over == 0)
                continue;
            struct fraction factor = divide(rows[i][at], rows[at][at]);
            for (size_t k = at; k <= unknowns; k++)
                rows[i][k] = subtract(rows[i][k], multiply(factor, rows[at][k]));
        }
    }
    // What is left over must hold by itself.
    for (size_t i = unknowns; i < row_count; i++)
        if (rows[i][unknowns].over != 0)
            return false;
    return true;
}

static bool solve(const struct rh_points *points, const int64_t *values,
                  const struct monomial *monomials, size_t count, struct fraction *coefficients)
{
    if (points->count < count)
        return false;
    equation *rows = rh_alloc(points->count * sizeof *rows);
    for (size_t i = 0; i < points->count; i++) {
        for (size_t k = 0; k < count; k++)
            rows[i][k] = (struct fraction){value_of(points, i, monomials[k]), 1};
        rows[i][count] = (struct fraction){values[i], 1};
    }
    bool is_solved = eliminate(rows, points->count, count);
    for (size_t k = 0; k < count && is_solved; k++)
        coefficients[k] = divide(rows[k][count], rows[k][k]);
    free(rows);
    return is_solved;
}

static const struct rh_expression *product_of(struct rh_arena *arena,
                                              const struct rh_points *points,
                                              struct monomial monomial, int64_t factor)
{
    const struct rh_expression *product = rh_expression_number(arena, factor);
    if (monomial.one != NO_VARIABLE)
        product =
            rh_expression_make(arena, RH_EXPRESSION_MULTIPLY, product,
                               rh_expression_variable(arena, points->variables[monomial.one]));
    if (monomial.other != NO_VARIABLE)
        product =
            rh_expression_make(arena, RH_EXPRESSION_MULTIPLY, product,
                               rh_expression_variable(arena, points->variables[monomial.other]));
    return product;
}

// All coefficients as integers over one number, the sum of products divided by that.
static const struct rh_expression *sum_of(struct rh_arena *arena, const struct rh_points *points,
                                          const struct monomial *monomials, size_t count,
                                          const struct fraction *coefficients)
{
    wide under = 1;
    for (size_t i = 0; i < count; i++) {
        rh_assert(coefficients[i].under != 0);
        under = under / reduce(under, coefficients[i].under).under * coefficients[i].under;
    }
    const struct rh_expression *sum = NULL;
    for (size_t i = count; i-- > 0;) {
        int64_t factor = (int64_t)(coefficients[i].over * (under / coefficients[i].under));
        if (factor == 0)
            continue;
        bool is_less = sum && factor < 0;
        const struct rh_expression *product =
            product_of(arena, points, monomials[i], is_less ? -factor : factor);
        sum = sum ? rh_expression_make(arena, is_less ? RH_EXPRESSION_SUBTRACT : RH_EXPRESSION_ADD,
                                       sum, product)
                  : product;
    }
    if (!sum)
        return rh_expression_number(arena, 0);
    return rh_expression_make(arena, RH_EXPRESSION_DIVIDE, sum,
                              rh_expression_number(arena, (int64_t)under));
}

struct trial {
    struct rh_arena *arena;
    const struct rh_points *points;
    const int64_t *values;
};

static const struct rh_expression *try(const struct trial *trial, const struct monomial *monomials,
                                       size_t count)
{
    struct fraction coefficients[COEFFICIENTS_MOST];
    return solve(trial->points, trial->values, monomials, count, coefficients)
               ? sum_of(trial->arena, trial->points, monomials, count, coefficients)
               : NULL;
}

static const struct rh_expression *try_one(const struct trial *trial, bool is_square)
{
    const struct rh_expression *found = NULL;
    for (size_t i = 0; i < trial->points->variable_count && !found; i++) {
        const struct monomial monomials[] = {{NO_VARIABLE, NO_VARIABLE}, {i, NO_VARIABLE}, {i, i}};
        found = try(trial, monomials, is_square ? 3 : 2);
    }
    return found;
}

static const struct rh_expression *try_two(const struct trial *trial, bool is_product)
{
    const struct rh_expression *found = NULL;
    for (size_t i = 0; i < trial->points->variable_count && !found; i++)
        for (size_t k = i + 1; k < trial->points->variable_count && !found; k++) {
            const struct monomial monomials[] = {
                {NO_VARIABLE, NO_VARIABLE}, {k, NO_VARIABLE}, {i, NO_VARIABLE}, {i, k}};
            found = try(trial, monomials, is_product ? 4 : 3);
        }
    return found;
}

const struct rh_expression *rh_fit(struct rh_arena *arena, const struct rh_points *points,
                                   const int64_t *values)
{
    const struct trial trial = {arena, points, values};
    const struct monomial constant[] = {{NO_VARIABLE, NO_VARIABLE}};
    const struct rh_expression *found = try(&trial, constant, 1);
    if (!found)
        found = try_one(&trial, false);
    if (!found)
        found = try_two(&trial, false);
    if (!found)
        found = try_one(&trial, true);
    return found ? found : try_two(&trial, true);
}
