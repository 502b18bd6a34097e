// SPDX-License-Identifier: MIT
// Random terms, and beside each what was asked for: a tree that is evaluated here, on numbers of
// 128 bits, with nothing of the tool's. So a fold that changes a value is noticed.
#ifndef REHEARSE_TESTS_SMT_PLAIN_H
#define REHEARSE_TESTS_SMT_PLAIN_H

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "smt/term.h"
#include "test.h"

__extension__ typedef __int128 wide;

// What was asked for.
struct plain {
    int operation;
    unsigned width;
    uint64_t number;
    const struct plain *a, *b, *c;
    rh_term term; // what the tool made of it
    wide value;   // by plain_evaluate
};

// A few plain terms, each made of those before it.
struct pool {
    struct rh_terms terms;
    struct rh_rng rng;
    struct plain items[400];
    size_t count;
    size_t variables;
    bool has_reals;
};

static inline wide power(unsigned exponent)
{
    return (wide)1 << exponent;
}

// Numbers from 0 on, and those with a sign, of this width.
static inline wide cut(wide number, unsigned width)
{
    wide rest = number % power(width);
    return rest < 0 ? rest + power(width) : rest;
}

static inline wide with_sign(wide number, unsigned width)
{
    return number >= power(width - 1) ? number - power(width) : number;
}

static inline wide floor_divide(wide a, wide b)
{
    return a / b - (a % b < 0);
}

static inline bool fits(wide number, wide least, wide most)
{
    return number >= least && number <= most;
}

static inline double plain_real(wide bits, unsigned width)
{
    uint64_t all = (uint64_t)bits;
    uint32_t low = (uint32_t)bits;
    double real;
    float narrow;
    memcpy(&real, &all, sizeof real);
    memcpy(&narrow, &low, sizeof narrow);
    return width == 64 ? real : (double)narrow;
}

static inline wide bits_of_float(float real)
{
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return isnan(real) ? 0x7FC00000 : bits;
}

static inline wide bits_of_double(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return isnan(real) ? (wide)0x7FF8000000000000 : bits;
}

// With floats as floats: the tool computes them as doubles.
static inline wide plain_float(int operation, float a, float b)
{
    switch (operation) {
    case RH_TERM_ADD_REAL:
        return bits_of_float(a + b);
    case RH_TERM_SUBTRACT_REAL:
        return bits_of_float(a - b);
    case RH_TERM_MULTIPLY_REAL:
        return bits_of_float(a * b);
    default:
        return bits_of_float(a / b);
    }
}

static inline wide plain_double(int operation, double a, double b)
{
    switch (operation) {
    case RH_TERM_ADD_REAL:
        return bits_of_double(a + b);
    case RH_TERM_SUBTRACT_REAL:
        return bits_of_double(a - b);
    case RH_TERM_MULTIPLY_REAL:
        return bits_of_double(a * b);
    default:
        return bits_of_double(a / b);
    }
}

static inline wide plain_to_integer(double real, unsigned width, bool is_signed)
{
    // Beyond 2^70 nothing fits, and what is nearer fits into 128 bits.
    if (isnan(real) || fabs(real) > 1e21)
        return power(width - 1);
    wide whole = (wide)real;
    bool is_inside = is_signed ? fits(whole, -power(width - 1), power(width - 1) - 1)
                               : fits(whole, 0, power(width) - 1);
    return is_inside ? cut(whole, width) : power(width - 1);
}

static inline wide plain_divide(wide a, wide b)
{
    return b == 0 ? (a < 0 ? 1 : -1) : a / b;
}

static inline wide plain_bitwise(int operation, wide a, wide b)
{
    return operation == RH_TERM_AND ? (a & b) : operation == RH_TERM_OR ? (a | b) : (a ^ b);
}

// The value of a plain term whose operands have theirs.
static inline wide plain_value(const struct plain *plain, const uint64_t *values)
{
    unsigned width = plain->width;
    if (plain->operation == RH_TERM_CONSTANT)
        return cut(plain->number, width);
    if (plain->operation == RH_TERM_VARIABLE)
        return cut(values[plain->number], width);
    unsigned of = plain->a->width;
    wide a = plain->a->value;
    unsigned of_b = plain->b ? plain->b->width : 0;
    wide b = plain->b ? plain->b->value : 0;
    wide sa = with_sign(a, of), sb = plain->b ? with_sign(b, of_b) : 0;
    wide least = -power(of - 1), most = power(of - 1) - 1, limit = power(of) - 1;
    switch (plain->operation) {
    case RH_TERM_NOT:
        return limit - a;
    case RH_TERM_AND:
    case RH_TERM_OR:
    case RH_TERM_XOR:
        return plain_bitwise(plain->operation, a, b);
    case RH_TERM_ADD:
        return cut(a + b, width);
    case RH_TERM_SUBTRACT:
        return cut(a - b, width);
    case RH_TERM_MULTIPLY:
        return cut(sa * sb, width);
    case RH_TERM_DIVIDE_UNSIGNED:
        return cut(plain_divide(a, b), width);
    case RH_TERM_DIVIDE_SIGNED:
        return cut(plain_divide(sa, sb), width);
    case RH_TERM_REST_UNSIGNED:
        return b == 0 ? a : a % b;
    case RH_TERM_REST_SIGNED:
        return b == 0 ? a : cut(sa % sb, width);
    case RH_TERM_SHIFT_LEFT:
        return b >= of ? 0 : cut(sa * power((unsigned)b), width);
    case RH_TERM_SHIFT_RIGHT:
        return b >= of ? 0 : a / power((unsigned)b);
    case RH_TERM_SHIFT_RIGHT_SIGNED:
        return cut(floor_divide(sa, power(b >= of ? of : (unsigned)b)), width);
    case RH_TERM_EQUAL:
        return a == b;
    case RH_TERM_BELOW:
        return a < b;
    case RH_TERM_LESS:
        return sa < sb;
    case RH_TERM_CHOICE:
        return a == 1 ? b : plain->c->value;
    case RH_TERM_JOIN:
        return a * power(of_b) + b;
    case RH_TERM_PART:
        return cut(a / power((unsigned)plain->number), width);
    case RH_TERM_EXTEND_ZERO:
        return a;
    case RH_TERM_EXTEND_SIGN:
        return cut(sa, width);
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
        return !fits(sa + sb, least, most);
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
        return !fits(a + b, 0, limit);
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
        return !fits(sa - sb, least, most);
    case RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED:
        return !fits(a - b, 0, limit);
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
        return !fits(sa * sb, least, most);
    case RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED:
        return b != 0 && a > limit / b;
    case RH_TERM_ADD_REAL:
    case RH_TERM_SUBTRACT_REAL:
    case RH_TERM_MULTIPLY_REAL:
    case RH_TERM_DIVIDE_REAL:
        if (width == 32)
            return plain_float(plain->operation, (float)plain_real(a, 32),
                               (float)plain_real(b, 32));
        return plain_double(plain->operation, plain_real(a, 64), plain_real(b, 64));
    case RH_TERM_EQUAL_REAL:
        return plain_real(a, of) == plain_real(b, of);
    case RH_TERM_LESS_REAL:
        return plain_real(a, of) < plain_real(b, of);
    case RH_TERM_LESS_EQUAL_REAL:
        return plain_real(a, of) <= plain_real(b, of);
    case RH_TERM_IS_NAN:
        return isnan(plain_real(a, of));
    case RH_TERM_RESIZE_REAL:
        if (width == of)
            return a;
        return width == 32 ? bits_of_float((float)plain_real(a, of))
                           : bits_of_double(plain_real(a, of));
    case RH_TERM_SIGNED_TO_REAL:
        return width == 32 ? bits_of_float((float)(int64_t)sa)
                           : bits_of_double((double)(int64_t)sa);
    case RH_TERM_UNSIGNED_TO_REAL:
        return width == 32 ? bits_of_float((float)(uint64_t)a)
                           : bits_of_double((double)(uint64_t)a);
    case RH_TERM_REAL_TO_SIGNED:
        return plain_to_integer(plain_real(a, of), width, true);
    case RH_TERM_REAL_TO_UNSIGNED:
        return plain_to_integer(plain_real(a, of), width, false);
    default:
        EXPECT(!"an operation that is known");
        return 0;
    }
}

static inline void plain_evaluate(struct pool *pool, const uint64_t *values)
{
    for (size_t i = 0; i < pool->count; i++)
        pool->items[i].value = plain_value(&pool->items[i], values);
}

// --- Random terms. ---

static inline unsigned random_below(struct pool *pool, unsigned limit)
{
    return (unsigned)rh_rng_below(&pool->rng, limit);
}

// Numbers at which something changes are more likely than others.
static inline uint64_t random_number(struct pool *pool, unsigned width)
{
    uint64_t bits = rh_rng_next(&pool->rng);
    switch (random_below(pool, 8)) {
    case 0:
        return bits;
    case 1:
        return UINT64_C(1) << (width - 1);
    case 2:
        return (UINT64_C(1) << (width - 1)) - 1;
    case 3:
        return UINT64_MAX << bits % 64;
    case 4:
        return UINT64_C(1) << bits % 64;
    case 5:
        return (uint64_t)0 - bits % 4;
    default:
        return bits % 4;
    }
}

// Bits of a real that is not only noise.
static inline uint64_t random_real(struct pool *pool, unsigned width)
{
    static const double reals[] = {0, -0.0, 1, -1, 0.5, 3, 1e10, 1e-310, 1e300, 1e-40, 16777217};
    double real = reals[random_below(pool, sizeof reals / sizeof *reals)];
    if (random_below(pool, 8) == 0)
        real = random_below(pool, 2) ? (double)INFINITY : -(double)NAN;
    return (uint64_t)(width == 64 ? bits_of_double(real) : bits_of_float((float)real));
}

static inline struct plain *pool_add(struct pool *pool, struct plain plain)
{
    EXPECT(pool->count < sizeof pool->items / sizeof *pool->items);
    pool->items[pool->count] = plain;
    return &pool->items[pool->count++];
}

static inline const struct plain *pool_constant(struct pool *pool, unsigned width, uint64_t number)
{
    struct plain plain = {RH_TERM_CONSTANT, width, number, .term = 0};
    plain.term = rh_term_constant(&pool->terms, width, number);
    return pool_add(pool, plain);
}

static inline const struct plain *pool_variable(struct pool *pool, unsigned width)
{
    char name[32];
    snprintf(name, sizeof name, "v%zu", pool->variables);
    struct plain plain = {RH_TERM_VARIABLE, width, pool->variables++, .term = 0};
    plain.term = rh_term_variable(&pool->terms, width, name);
    return pool_add(pool, plain);
}

// A term of this width, of those that are there: rather a new one, and often a constant. If there is
// none, one is cut out of another or extended.
static inline const struct plain *pool_make(struct pool *pool, struct plain plain);
static inline const struct plain *random_operand(struct pool *pool, unsigned width)
{
    if (random_below(pool, 4) == 0)
        return pool_constant(pool, width,
                             pool->has_reals && (width == 32 || width == 64)
                                 ? random_real(pool, width)
                                 : random_number(pool, width));
    for (int i = 0; i < 20; i++) {
        const struct plain *plain = &pool->items[random_below(pool, (unsigned)pool->count)];
        if (plain->width == width)
            return plain;
    }
    const struct plain *other = &pool->items[random_below(pool, (unsigned)pool->count)];
    if (other->width > width)
        return pool_make(pool,
                         (struct plain){RH_TERM_PART, width,
                                        random_below(pool, other->width - width + 1), .a = other});
    return pool_make(
        pool, (struct plain){random_below(pool, 2) ? RH_TERM_EXTEND_ZERO : RH_TERM_EXTEND_SIGN,
                             width, 0, .a = other});
}

static inline const struct plain *pool_make(struct pool *pool, struct plain plain)
{
    struct rh_terms *terms = &pool->terms;
    rh_term a = plain.a->term, b = plain.b ? plain.b->term : 0;
    if (plain.operation == RH_TERM_CHOICE)
        plain.term = rh_term_choice(terms, a, b, plain.c->term);
    else if (plain.operation == RH_TERM_PART)
        plain.term = rh_term_part(terms, a, (unsigned)plain.number, plain.width);
    else if (plain.operation == RH_TERM_NOT || plain.operation == RH_TERM_IS_NAN)
        plain.term = rh_term_make1(terms, plain.operation, a);
    else if (plain.b)
        plain.term = rh_term_make2(terms, plain.operation, a, b);
    else
        plain.term = rh_term_resize(terms, plain.operation, a, plain.width);
    EXPECT(rh_term_width(terms, plain.term) == plain.width);
    return pool_add(pool, plain);
}

static inline unsigned random_real_width(struct pool *pool)
{
    return random_below(pool, 2) ? 32 : 64;
}

// An operation on operands of this width, or of reals.
static inline const struct plain *random_operation(struct pool *pool, int operation, unsigned width)
{
    struct plain plain = {operation, width, 0, .term = 0};
    unsigned of = width;
    bool one = operation == RH_TERM_NOT || operation >= RH_TERM_IS_NAN;
    if (operation >= RH_TERM_ADD_REAL && operation <= RH_TERM_IS_NAN)
        plain.width = of = random_real_width(pool);
    if ((operation >= RH_TERM_EQUAL && operation <= RH_TERM_LESS) ||
        (operation >= RH_TERM_OVERFLOWS_ADD_SIGNED &&
         operation <= RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED) ||
        (operation >= RH_TERM_EQUAL_REAL && operation <= RH_TERM_IS_NAN))
        plain.width = 1;
    if (operation == RH_TERM_RESIZE_REAL || operation >= RH_TERM_REAL_TO_SIGNED)
        of = random_real_width(pool);
    if (operation == RH_TERM_RESIZE_REAL || operation == RH_TERM_SIGNED_TO_REAL ||
        operation == RH_TERM_UNSIGNED_TO_REAL)
        plain.width = random_real_width(pool);
    if (operation == RH_TERM_EXTEND_ZERO || operation == RH_TERM_EXTEND_SIGN) {
        of = 1 + random_below(pool, width);
        one = true;
    }
    if (operation == RH_TERM_PART) {
        of = width + random_below(pool, 64 - width + 1);
        plain.number = random_below(pool, of - width + 1);
        one = true;
    }
    if (operation == RH_TERM_JOIN && width == 1)
        operation = plain.operation = RH_TERM_AND;
    if (operation == RH_TERM_JOIN) {
        unsigned low = 1 + random_below(pool, width - 1);
        plain.a = random_operand(pool, width - low);
        plain.b = random_operand(pool, low);
    } else if (operation == RH_TERM_CHOICE) {
        plain.a = random_operand(pool, 1);
        plain.b = random_operand(pool, width);
        plain.c = random_operand(pool, width);
    } else {
        plain.a = random_operand(pool, of);
        plain.b = one ? NULL : random_operand(pool, of);
    }
    return pool_make(pool, plain);
}

static inline void pool_init(struct pool *pool, uint64_t seed)
{
    pool->count = pool->variables = 0;
    pool->has_reals = false;
    rh_rng_seed(&pool->rng, seed);
    rh_terms_init(&pool->terms);
}

// Conditions that can't hold together, if whoever is asked computes as the plain evaluator: three
// variables have these values, and a random term of a few operations on them has not its value. Gives
// the last condition the other way round.
enum { COMPUTATION_CONDITIONS = 4 };

static inline rh_term computation(struct pool *pool, int first, int last, rh_term *conditions)
{
    struct rh_terms *terms = &pool->terms;
    uint64_t values[3];
    const struct plain *result = NULL;
    pool->has_reals = last > RH_TERM_ADD_REAL;
    unsigned width = 1 + random_below(pool, 64);
    for (int i = 0; i < 3; i++) {
        unsigned of = pool->has_reals ? random_real_width(pool) : width;
        rh_term variable = pool_variable(pool, of)->term;
        values[i] = pool->has_reals ? random_real(pool, of) : random_number(pool, of);
        conditions[i] =
            rh_term_make2(terms, RH_TERM_EQUAL, variable, rh_term_constant(terms, of, values[i]));
    }
    for (int i = 0; i < 3; i++)
        result = random_operation(pool, first + (int)random_below(pool, (unsigned)(last - first)),
                                  width);
    plain_evaluate(pool, values);
    rh_term equal = rh_term_make2(terms, RH_TERM_EQUAL, result->term,
                                  rh_term_constant(terms, result->width, (uint64_t)result->value));
    conditions[3] = rh_term_not(terms, equal);
    return equal;
}

#endif
