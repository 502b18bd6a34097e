// SPDX-License-Identifier: MIT
// What operations give for operands that are known.
#include <math.h>
#include <string.h>

#include "smt/internal.h"

// --- Reals by their bits. ---

double rh__real(uint64_t bits, unsigned width)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;
    if (width == 64)
        return memcpy(&wide, &bits, sizeof wide), wide;
    rh_assert(width == 32);
    return memcpy(&narrow, &low, sizeof narrow), (double)narrow;
}

static uint64_t bits_of_narrow(float real)
{
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return isnan(real) ? UINT32_C(0x7FC00000) : bits;
}

static uint64_t bits_of_wide(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return isnan(real) ? UINT64_C(0x7FF8000000000000) : bits;
}

static uint64_t bits_of(double real, unsigned width)
{
    rh_assert(width == 32 || width == 64);
    return width == 64 ? bits_of_wide(real) : bits_of_narrow((float)real);
}

// The four operations are rounded twice for 32 bits, first to 64: that gives what one rounding
// gives, since 64 bits have more than twice the digits.
static uint64_t compute_real(enum rh_term_operation operation, unsigned width, double a, double b)
{
    switch (operation) {
    case RH_TERM_ADD_REAL:
        return bits_of(a + b, width);
    case RH_TERM_SUBTRACT_REAL:
        return bits_of(a - b, width);
    case RH_TERM_MULTIPLY_REAL:
        return bits_of(a * b, width);
    case RH_TERM_DIVIDE_REAL:
        return bits_of(a / b, width);
    case RH_TERM_EQUAL_REAL:
        return a == b;
    case RH_TERM_LESS_REAL:
        return a < b;
    default:
        rh_assert(operation == RH_TERM_LESS_EQUAL_REAL);
        return a <= b;
    }
}

static uint64_t real_to_integer(double real, unsigned width, bool is_signed)
{
    double whole = trunc(real);
    double below = ldexp(1, (int)(is_signed ? width - 1 : width));
    double from = is_signed ? -below : 0;
    if (!(whole >= from && whole < below))
        return UINT64_C(1) << (width - 1);
    return is_signed ? (uint64_t)(int64_t)whole & rh__mask(width) : (uint64_t)whole;
}

// From an integer in one rounding.
static uint64_t integer_to_real(rh__wide integer, unsigned width)
{
    rh_assert(width == 32 || width == 64);
    return width == 64 ? bits_of_wide((double)integer) : bits_of_narrow((float)integer);
}

// --- Integers. ---

static uint64_t divide_signed(int64_t a, int64_t b)
{
    if (b == 0)
        return a < 0 ? 1 : UINT64_MAX;
    return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

static uint64_t rest_signed(int64_t a, int64_t b)
{
    if (b == 0)
        return (uint64_t)a;
    return b == -1 ? 0 : (uint64_t)(a % b);
}

static bool leaves_signed(rh__wide result, unsigned width)
{
    rh__wide most = (rh__wide)1 << (width - 1);
    return result < -most || result >= most;
}

static bool overflows(enum rh_term_operation operation, unsigned width, uint64_t a, uint64_t b)
{
    rh__wide signed_a = rh__signed(a, width), signed_b = rh__signed(b, width);
    rh_hash128 wide_a = a, wide_b = b;
    switch (operation) {
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
        return leaves_signed(signed_a + signed_b, width);
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
        return wide_a + wide_b > rh__mask(width);
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
        return leaves_signed(signed_a - signed_b, width);
    case RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED:
        return a < b;
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
        return leaves_signed(signed_a * signed_b, width);
    default:
        rh_assert(operation == RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED);
        return wide_a * wide_b > rh__mask(width);
    }
}

// The one switch over all operations. What lies above the result's width is cut off by the caller.
static uint64_t compute(const struct rh_term_node *node, unsigned width, uint64_t a, uint64_t b,
                        uint64_t c)
{
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_CONSTANT:
    case RH_TERM_VARIABLE:
        break;
    case RH_TERM_NOT:
        return ~a;
    case RH_TERM_AND:
        return a & b;
    case RH_TERM_OR:
        return a | b;
    case RH_TERM_XOR:
        return a ^ b;
    case RH_TERM_ADD:
        return a + b;
    case RH_TERM_SUBTRACT:
        return a - b;
    case RH_TERM_MULTIPLY:
        return a * b;
    case RH_TERM_DIVIDE_UNSIGNED:
        return b ? a / b : UINT64_MAX;
    case RH_TERM_DIVIDE_SIGNED:
        return divide_signed(rh__signed(a, width), rh__signed(b, width));
    case RH_TERM_REST_UNSIGNED:
        return b ? a % b : a;
    case RH_TERM_REST_SIGNED:
        return rest_signed(rh__signed(a, width), rh__signed(b, width));
    case RH_TERM_SHIFT_LEFT:
        return b < width ? a << b : 0;
    case RH_TERM_SHIFT_RIGHT:
        return b < width ? a >> b : 0;
    case RH_TERM_SHIFT_RIGHT_SIGNED:
        return (uint64_t)(rh__signed(a, width) >> (b < width ? b : width - 1));
    case RH_TERM_EQUAL:
        return a == b;
    case RH_TERM_BELOW:
        return a < b;
    case RH_TERM_LESS:
        return rh__signed(a, width) < rh__signed(b, width);
    case RH_TERM_CHOICE:
        return a ? b : c;
    case RH_TERM_JOIN:
        return a << (node->width - width) | b;
    case RH_TERM_PART:
        return a >> node->number;
    case RH_TERM_EXTEND_ZERO:
        return a;
    case RH_TERM_EXTEND_SIGN:
        return (uint64_t)rh__signed(a, width);
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED:
        return overflows(node->operation, width, a, b);
    case RH_TERM_ADD_REAL:
    case RH_TERM_SUBTRACT_REAL:
    case RH_TERM_MULTIPLY_REAL:
    case RH_TERM_DIVIDE_REAL:
    case RH_TERM_EQUAL_REAL:
    case RH_TERM_LESS_REAL:
    case RH_TERM_LESS_EQUAL_REAL:
        return compute_real(node->operation, width, rh__real(a, width), rh__real(b, width));
    case RH_TERM_IS_NAN:
        return isnan(rh__real(a, width));
    case RH_TERM_RESIZE_REAL:
        return bits_of(rh__real(a, width), node->width);
    case RH_TERM_SIGNED_TO_REAL:
        return integer_to_real(rh__signed(a, width), node->width);
    case RH_TERM_UNSIGNED_TO_REAL:
        return integer_to_real((rh__wide)a, node->width);
    case RH_TERM_REAL_TO_SIGNED:
        return real_to_integer(rh__real(a, width), node->width, true);
    case RH_TERM_REAL_TO_UNSIGNED:
        return real_to_integer(rh__real(a, width), node->width, false);
    }
    rh_assert(!"an operation that computes");
    return 0;
}

uint64_t rh__compute(const struct rh_term_node *node, unsigned width, uint64_t a, uint64_t b,
                     uint64_t c)
{
    return compute(node, width, a, b, c) & rh__mask(node->width);
}
