// SPDX-License-Identifier: MIT
// The only file that knows Z3.
//
// Z3 may fail: by an error, by a crash, or by going on and on. Whatever happens, the query is
// unknown, and the next one gets a new context. A context that has crashed is not even freed.
#include <z3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "smt/guard.h"
#include "smt/internal.h"

// As much work as is done in about two seconds, in Z3's units.
static const uint64_t DEFAULT_LIMIT = 8 * 1000 * 1000;

// In megabytes. What needs more is refused.
static const char MEMORY_MOST[] = "1024";

// Processor time for one query. Whoever counts work by the unit above is done long before: this is
// for what Z3 does without counting.
static const uint64_t LEAST_NANOSECONDS = 250 * 1000 * 1000;
enum { UNCOUNTED = 10, NANOSECONDS_FOR_UNIT = UNCOUNTED * 250 }; // so many times what a unit takes

struct rh__z3 {
    struct rh_terms *terms;
    unsigned limit;
    Z3_context context; // NULL: the next query makes one
    Z3_solver for_bits; // of the context, as all that follows; for questions without reals
    Z3_solver for_reals;
    RH_VECTOR(Z3_ast) bits;        // of terms, as bit vectors; NULL: not made
    RH_VECTOR(Z3_ast) truths;      // of terms of width 1, as booleans
    RH_VECTOR(rh_term) stack;      // terms that wait for their operands
    RH_VECTOR(Z3_ast) assumptions; // booleans from which conditions follow
    struct rh__guard *guard;       // around all calls of Z3
    uint64_t work;                 // all that is counted, in Z3's units
    unsigned counted;              // of that, as the context counts
    unsigned unread;               // questions since that was read
};

// --- Failures. ---

// Called by Z3 when it has left its own work already.
static void on_error(Z3_context context, Z3_error_code error)
{
    (void)context, (void)error;
    rh__guard_refuse();
}

// --- Contexts. ---

static void set_limit(struct rh__z3 *z3, Z3_solver solver)
{
    Z3_context context = z3->context;
    Z3_params params = Z3_mk_params(context);
    Z3_params_inc_ref(context, params);
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, "rlimit"), z3->limit);
    Z3_params_set_bool(context, params, Z3_mk_string_symbol(context, "ctrl_c"), false);
    Z3_solver_set_params(context, solver, params);
    Z3_params_dec_ref(context, params);
}

static void make_context(void *argument)
{
    struct rh__z3 *z3 = argument;
    Z3_config config = Z3_mk_config();
    z3->context = Z3_mk_context_rc(config);
    Z3_del_config(config);
    Z3_set_error_handler(z3->context, on_error);
    // For this logic Z3's core has the settings that suit bit vectors, and takes half the time.
    Z3_symbol logic = Z3_mk_string_symbol(z3->context, "QF_UFBV");
    z3->for_bits = Z3_mk_solver_for_logic(z3->context, logic);
    Z3_solver_inc_ref(z3->context, z3->for_bits);
    set_limit(z3, z3->for_bits);
    z3->for_reals = Z3_mk_simple_solver(z3->context);
    Z3_solver_inc_ref(z3->context, z3->for_reals);
    set_limit(z3, z3->for_reals);
}

static void delete_context(void *argument)
{
    struct rh__z3 *z3 = argument;
    Z3_solver_dec_ref(z3->context, z3->for_bits);
    Z3_solver_dec_ref(z3->context, z3->for_reals);
    Z3_del_context(z3->context);
}

static void forget_context(struct rh__z3 *z3)
{
    z3->context = NULL;
    z3->counted = 0;
    z3->for_bits = z3->for_reals = NULL;
    z3->bits.count = z3->truths.count = 0;
}

static void drop_context(struct rh__z3 *z3)
{
    if (z3->context)
        rh__guard_call(z3->guard, delete_context, NULL, z3);
    forget_context(z3);
}

struct rh_status rh__z3_new(struct rh_terms *terms, uint64_t limit, struct rh__z3 **z3)
{
    struct rh__z3 *made = rh_alloc(sizeof *made);
    limit = limit ? limit : DEFAULT_LIMIT;
    made->terms = terms;
    made->limit = limit < UINT32_MAX ? (unsigned)limit : UINT32_MAX;
    made->guard = rh__guard_new("libz3", LEAST_NANOSECONDS + limit * NANOSECONDS_FOR_UNIT);
    Z3_global_param_set("memory_max_size", MEMORY_MOST);
    *z3 = made;
    return rh_ok();
}

void rh__z3_free(struct rh__z3 *z3)
{
    drop_context(z3);
    rh_vector_fini(&z3->bits);
    rh_vector_fini(&z3->truths);
    rh_vector_fini(&z3->stack);
    rh_vector_fini(&z3->assumptions);
    rh__guard_free(z3->guard);
    free(z3);
}

// --- Terms as Z3 has them. Everything that is made stays until the context goes. ---

static Z3_ast keep(struct rh__z3 *z3, Z3_ast ast)
{
    Z3_inc_ref(z3->context, ast);
    return ast;
}

static Z3_ast number(struct rh__z3 *z3, unsigned width, uint64_t value)
{
    Z3_sort sort = Z3_mk_bv_sort(z3->context, width);
    keep(z3, Z3_sort_to_ast(z3->context, sort));
    return keep(z3, Z3_mk_unsigned_int64(z3->context, value, sort));
}

static Z3_ast choose(struct rh__z3 *z3, Z3_ast condition, Z3_ast yes, Z3_ast no)
{
    return keep(z3, Z3_mk_ite(z3->context, condition, yes, no));
}

static Z3_ast equal(struct rh__z3 *z3, Z3_ast a, Z3_ast b)
{
    return keep(z3, Z3_mk_eq(z3->context, a, b));
}

static Z3_ast not(struct rh__z3 * z3, Z3_ast a)
{
    return keep(z3, Z3_mk_not(z3->context, a));
}

static Z3_ast both(struct rh__z3 *z3, Z3_ast a, Z3_ast b)
{
    return keep(z3, Z3_mk_and(z3->context, 2, (Z3_ast[]){a, b}));
}

// The forms of a term that has been made; the one that is missing is made of the other.
static Z3_ast bits_of(struct rh__z3 *z3, rh_term term)
{
    Z3_ast *bits = &z3->bits.items[term];
    if (!*bits)
        *bits = choose(z3, z3->truths.items[term], number(z3, 1, 1), number(z3, 1, 0));
    return *bits;
}

static Z3_ast truth_of(struct rh__z3 *z3, rh_term term)
{
    Z3_ast *truth = &z3->truths.items[term];
    if (!*truth)
        *truth = equal(z3, z3->bits.items[term], number(z3, 1, 1));
    return *truth;
}

// --- Operations on reals. ---

static Z3_sort real_sort(struct rh__z3 *z3, unsigned width)
{
    rh_assert(width == 32 || width == 64);
    Z3_sort sort = width == 32 ? Z3_mk_fpa_sort_32(z3->context) : Z3_mk_fpa_sort_64(z3->context);
    keep(z3, Z3_sort_to_ast(z3->context, sort));
    return sort;
}

static Z3_ast nearest(struct rh__z3 *z3)
{
    return keep(z3, Z3_mk_fpa_rne(z3->context));
}

static Z3_ast real_of(struct rh__z3 *z3, rh_term term)
{
    Z3_sort sort = real_sort(z3, rh_term_width(z3->terms, term));
    return keep(z3, Z3_mk_fpa_to_fp_bv(z3->context, bits_of(z3, term), sort));
}

// The bits of a real: Z3 leaves open which ones NaN has.
static Z3_ast bits_of_real(struct rh__z3 *z3, Z3_ast real, unsigned width)
{
    uint64_t nan = width == 32 ? UINT64_C(0x7FC00000) : UINT64_C(0x7FF8000000000000);
    Z3_ast is_nan = keep(z3, Z3_mk_fpa_is_nan(z3->context, real));
    Z3_ast bits = keep(z3, Z3_mk_fpa_to_ieee_bv(z3->context, real));
    return choose(z3, is_nan, number(z3, width, nan), bits);
}

static double power_of_two(unsigned exponent)
{
    return exponent == 64 ? 18446744073709551616.0 : (double)(UINT64_C(1) << exponent);
}

// Toward zero, where that is inside of the range.
static Z3_ast real_to_integer(struct rh__z3 *z3, const struct rh_term_node *node, bool is_signed)
{
    Z3_context c = z3->context;
    Z3_sort sort = real_sort(z3, rh_term_width(z3->terms, node->a));
    Z3_ast toward_zero = keep(z3, Z3_mk_fpa_rtz(c));
    double limit = power_of_two(is_signed ? node->width - 1u : node->width);
    Z3_ast from = keep(z3, Z3_mk_fpa_numeral_double(c, is_signed ? -limit : 0, sort));
    Z3_ast below = keep(z3, Z3_mk_fpa_numeral_double(c, limit, sort));
    Z3_ast whole = keep(z3, Z3_mk_fpa_round_to_integral(c, toward_zero, real_of(z3, node->a)));
    Z3_ast is_inside =
        both(z3, keep(z3, Z3_mk_fpa_geq(c, whole, from)), keep(z3, Z3_mk_fpa_lt(c, whole, below)));
    Z3_ast integer = is_signed ? Z3_mk_fpa_to_sbv(c, toward_zero, whole, node->width)
                               : Z3_mk_fpa_to_ubv(c, toward_zero, keep(z3, Z3_mk_fpa_abs(c, whole)),
                                                  node->width);
    keep(z3, integer);
    rh_assert(node->width >= 1 && node->width <= 64);
    return choose(z3, is_inside, integer,
                  number(z3, node->width, UINT64_C(1) << (node->width - 1)));
}

typedef Z3_ast rounded_operation(Z3_context context, Z3_ast rounding, Z3_ast a, Z3_ast b);

static Z3_ast rounded(struct rh__z3 *z3, const struct rh_term_node *node,
                      rounded_operation *operation)
{
    Z3_ast a = real_of(z3, node->a), b = real_of(z3, node->b);
    Z3_ast result = keep(z3, operation(z3->context, nearest(z3), a, b));
    return bits_of_real(z3, result, node->width);
}

static Z3_ast converted(struct rh__z3 *z3, const struct rh_term_node *node)
{
    Z3_context c = z3->context;
    Z3_sort sort = real_sort(z3, node->width);
    Z3_ast result;
    if (rh__is(node, RH_TERM_RESIZE_REAL))
        result = Z3_mk_fpa_to_fp_float(c, nearest(z3), real_of(z3, node->a), sort);
    else if (rh__is(node, RH_TERM_SIGNED_TO_REAL))
        result = Z3_mk_fpa_to_fp_signed(c, nearest(z3), bits_of(z3, node->a), sort);
    else
        result = Z3_mk_fpa_to_fp_unsigned(c, nearest(z3), bits_of(z3, node->a), sort);
    return bits_of_real(z3, keep(z3, result), node->width);
}

// --- Truth values: comparisons, and operations on operands of width 1. ---

static Z3_ast sign(struct rh__z3 *z3, Z3_ast bits, unsigned width)
{
    Z3_ast bit = keep(z3, Z3_mk_extract(z3->context, width - 1, width - 1, bits));
    return equal(z3, bit, number(z3, 1, 1));
}

// a + b or a - b leaves the range if the result's sign is not what the operands' signs say.
static Z3_ast sum_overflows(struct rh__z3 *z3, Z3_ast a, Z3_ast b, unsigned width, bool adds)
{
    Z3_context c = z3->context;
    Z3_ast result = keep(z3, adds ? Z3_mk_bvadd(c, a, b) : Z3_mk_bvsub(c, a, b));
    Z3_ast a_sign = sign(z3, a, width), b_sign = sign(z3, b, width);
    Z3_ast alike = equal(z3, a_sign, b_sign);
    Z3_ast turned = not(z3, equal(z3, a_sign, sign(z3, result, width)));
    return both(z3, adds ? alike : not(z3, alike), turned);
}

static Z3_ast product_overflows(struct rh__z3 *z3, Z3_ast a, Z3_ast b, bool is_signed)
{
    Z3_ast fits = keep(z3, Z3_mk_bvmul_no_overflow(z3->context, a, b, is_signed));
    if (is_signed)
        fits = both(z3, fits, keep(z3, Z3_mk_bvmul_no_underflow(z3->context, a, b)));
    return not(z3, fits);
}

static Z3_ast overflows(struct rh__z3 *z3, const struct rh_term_node *node)
{
    Z3_ast a = bits_of(z3, node->a), b = bits_of(z3, node->b);
    unsigned width = rh_term_width(z3->terms, node->a);
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
        return sum_overflows(z3, a, b, width, rh__is(node, RH_TERM_OVERFLOWS_ADD_SIGNED));
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
        return keep(z3, Z3_mk_bvult(z3->context, keep(z3, Z3_mk_bvadd(z3->context, a, b)), a));
    case RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED:
        return keep(z3, Z3_mk_bvult(z3->context, a, b));
    default:
        return product_overflows(z3, a, b, rh__is(node, RH_TERM_OVERFLOWS_MULTIPLY_SIGNED));
    }
}

static Z3_ast compared_reals(struct rh__z3 *z3, const struct rh_term_node *node)
{
    Z3_ast a = real_of(z3, node->a);
    Z3_ast b = node->b ? real_of(z3, node->b) : NULL;
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_EQUAL_REAL:
        return keep(z3, Z3_mk_fpa_eq(z3->context, a, b));
    case RH_TERM_LESS_REAL:
        return keep(z3, Z3_mk_fpa_lt(z3->context, a, b));
    case RH_TERM_LESS_EQUAL_REAL:
        return keep(z3, Z3_mk_fpa_leq(z3->context, a, b));
    default:
        return keep(z3, Z3_mk_fpa_is_nan(z3->context, a));
    }
}

static Z3_ast equal_terms(struct rh__z3 *z3, const struct rh_term_node *node)
{
    if (rh_term_width(z3->terms, node->a) == 1)
        return equal(z3, truth_of(z3, node->a), truth_of(z3, node->b));
    return equal(z3, bits_of(z3, node->a), bits_of(z3, node->b));
}

// A node of width 1 as a boolean, or NULL if it is rather bits.
static Z3_ast make_truth(struct rh__z3 *z3, const struct rh_term_node *node)
{
    Z3_context c = z3->context;
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_CONSTANT:
        return keep(z3, node->number ? Z3_mk_true(c) : Z3_mk_false(c));
    case RH_TERM_NOT:
        return not(z3, truth_of(z3, node->a));
    case RH_TERM_AND:
        return both(z3, truth_of(z3, node->a), truth_of(z3, node->b));
    case RH_TERM_OR:
        return keep(z3, Z3_mk_or(c, 2, (Z3_ast[]){truth_of(z3, node->a), truth_of(z3, node->b)}));
    case RH_TERM_XOR:
        return keep(z3, Z3_mk_xor(c, truth_of(z3, node->a), truth_of(z3, node->b)));
    case RH_TERM_CHOICE:
        return choose(z3, truth_of(z3, node->a), truth_of(z3, node->b), truth_of(z3, node->c));
    case RH_TERM_EQUAL:
        return equal_terms(z3, node);
    case RH_TERM_BELOW:
        return keep(z3, Z3_mk_bvult(c, bits_of(z3, node->a), bits_of(z3, node->b)));
    case RH_TERM_LESS:
        return keep(z3, Z3_mk_bvslt(c, bits_of(z3, node->a), bits_of(z3, node->b)));
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED:
        return overflows(z3, node);
    case RH_TERM_EQUAL_REAL:
    case RH_TERM_LESS_REAL:
    case RH_TERM_LESS_EQUAL_REAL:
    case RH_TERM_IS_NAN:
        return compared_reals(z3, node);
    default:
        return NULL;
    }
}

// --- Bits. ---

typedef Z3_ast bits_operation(Z3_context context, Z3_ast a, Z3_ast b);

// Operations that Z3 has under a name.
static bits_operation *named_operation(enum rh_term_operation operation)
{
    switch (operation) {
    case RH_TERM_AND:
        return Z3_mk_bvand;
    case RH_TERM_OR:
        return Z3_mk_bvor;
    case RH_TERM_XOR:
        return Z3_mk_bvxor;
    case RH_TERM_ADD:
        return Z3_mk_bvadd;
    case RH_TERM_SUBTRACT:
        return Z3_mk_bvsub;
    case RH_TERM_MULTIPLY:
        return Z3_mk_bvmul;
    case RH_TERM_DIVIDE_UNSIGNED:
        return Z3_mk_bvudiv;
    case RH_TERM_DIVIDE_SIGNED:
        return Z3_mk_bvsdiv;
    case RH_TERM_REST_UNSIGNED:
        return Z3_mk_bvurem;
    case RH_TERM_REST_SIGNED:
        return Z3_mk_bvsrem;
    case RH_TERM_SHIFT_LEFT:
        return Z3_mk_bvshl;
    case RH_TERM_SHIFT_RIGHT:
        return Z3_mk_bvlshr;
    case RH_TERM_SHIFT_RIGHT_SIGNED:
        return Z3_mk_bvashr;
    case RH_TERM_JOIN:
        return Z3_mk_concat;
    default:
        return NULL;
    }
}

static rounded_operation *named_real(enum rh_term_operation operation)
{
    switch (operation) {
    case RH_TERM_ADD_REAL:
        return Z3_mk_fpa_add;
    case RH_TERM_SUBTRACT_REAL:
        return Z3_mk_fpa_sub;
    case RH_TERM_MULTIPLY_REAL:
        return Z3_mk_fpa_mul;
    default:
        rh_assert(operation == RH_TERM_DIVIDE_REAL);
        return Z3_mk_fpa_div;
    }
}

static Z3_ast part(struct rh__z3 *z3, const struct rh_term_node *node)
{
    unsigned from = (unsigned)node->number;
    return keep(z3, Z3_mk_extract(z3->context, from + node->width - 1, from, bits_of(z3, node->a)));
}

static Z3_ast extended(struct rh__z3 *z3, const struct rh_term_node *node)
{
    unsigned by = node->width - rh_term_width(z3->terms, node->a);
    Z3_ast a = bits_of(z3, node->a);
    return keep(z3, rh__is(node, RH_TERM_EXTEND_ZERO) ? Z3_mk_zero_ext(z3->context, by, a)
                                                      : Z3_mk_sign_ext(z3->context, by, a));
}

static Z3_ast make_bits(struct rh__z3 *z3, const struct rh_term_node *node)
{
    bits_operation *named = named_operation(node->operation);
    if (named)
        return keep(z3, named(z3->context, bits_of(z3, node->a), bits_of(z3, node->b)));
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_CONSTANT:
        return number(z3, node->width, node->number);
    case RH_TERM_NOT:
        return keep(z3, Z3_mk_bvnot(z3->context, bits_of(z3, node->a)));
    case RH_TERM_CHOICE:
        return choose(z3, truth_of(z3, node->a), bits_of(z3, node->b), bits_of(z3, node->c));
    case RH_TERM_PART:
        return part(z3, node);
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        return extended(z3, node);
    case RH_TERM_RESIZE_REAL:
    case RH_TERM_SIGNED_TO_REAL:
    case RH_TERM_UNSIGNED_TO_REAL:
        return converted(z3, node);
    case RH_TERM_REAL_TO_SIGNED:
    case RH_TERM_REAL_TO_UNSIGNED:
        return real_to_integer(z3, node, rh__is(node, RH_TERM_REAL_TO_SIGNED));
    default:
        return rounded(z3, node, named_real(node->operation));
    }
}

// --- Whole terms. ---

static Z3_ast make_variable(struct rh__z3 *z3, const struct rh_term_node *node)
{
    Z3_context c = z3->context;
    Z3_sort sort = node->width == 1 ? Z3_mk_bool_sort(c) : Z3_mk_bv_sort(c, node->width);
    keep(z3, Z3_sort_to_ast(c, sort));
    return keep(z3, Z3_mk_const(c, Z3_mk_int_symbol(c, (int)node->number), sort));
}

static bool is_made(const struct rh__z3 *z3, rh_term term)
{
    return z3->bits.items[term] || z3->truths.items[term];
}

static void make_term(struct rh__z3 *z3, rh_term term)
{
    const struct rh_term_node *node = rh_term_get(z3->terms, term);
    bool is_variable = rh__is(node, RH_TERM_VARIABLE), is_truth = node->width == 1;
    Z3_ast truth = NULL;
    if (is_truth)
        truth = is_variable ? make_variable(z3, node) : make_truth(z3, node);
    if (truth)
        z3->truths.items[term] = truth;
    else
        z3->bits.items[term] = is_variable ? make_variable(z3, node) : make_bits(z3, node);
}

// Whether an operand is made; if not, it comes first.
static bool is_ready(struct rh__z3 *z3, rh_term operand)
{
    if (operand == 0 || is_made(z3, operand))
        return true;
    *rh_vector_push(&z3->stack) = operand;
    return false;
}

static Z3_ast condition(struct rh__z3 *z3, rh_term term)
{
    is_ready(z3, term);
    while (z3->stack.count > 0) {
        rh_term last = z3->stack.items[z3->stack.count - 1];
        const struct rh_term_node *node = rh_term_get(z3->terms, last);
        bool a = is_ready(z3, node->a), b = is_ready(z3, node->b), c = is_ready(z3, node->c);
        if (!a || !b || !c)
            continue;
        z3->stack.count--;
        if (!is_made(z3, last))
            make_term(z3, last);
    }
    return truth_of(z3, term);
}

// --- Asking. ---

// A question, and the answer if Z3 comes to one.
struct asked {
    struct rh__z3 *z3;
    const struct rh__question *question;
    Z3_solver solver;
    enum rh_answer answer;
};

static uint64_t value_of(struct rh__z3 *z3, Z3_model model, uint32_t variable)
{
    rh_term term = z3->terms->variables.items[variable].term;
    bool is_truth = rh_term_width(z3->terms, term) == 1;
    Z3_ast ast = is_truth ? z3->truths.items[term] : z3->bits.items[term];
    Z3_func_decl declaration = Z3_get_app_decl(z3->context, Z3_to_app(z3->context, ast));
    Z3_ast value = Z3_model_get_const_interp(z3->context, model, declaration);
    uint64_t bits = 0;
    if (!value)
        return 0;
    keep(z3, value);
    if (is_truth)
        return Z3_get_bool_value(z3->context, value) == Z3_L_TRUE;
    rh_assert(Z3_get_numeral_uint64(z3->context, value, &bits));
    return bits;
}

static void read_model(struct rh__z3 *z3, const struct asked *asked)
{
    const struct rh__question *question = asked->question;
    Z3_model model = Z3_solver_get_model(z3->context, asked->solver);
    Z3_model_inc_ref(z3->context, model);
    for (size_t i = 0; i < question->variable_count; i++)
        question->model[i] = value_of(z3, model, question->variables[i]);
    Z3_model_dec_ref(z3->context, model);
}

static enum rh_answer answer_of(Z3_lbool result)
{
    if (result == Z3_L_UNDEF)
        return RH_UNKNOWN;
    return result == Z3_L_TRUE ? RH_CAN : RH_CAN_NOT;
}

// Adds what the context has counted since it was asked last. Statistics take time, so that only
// every few questions they are made.
static void count_work(struct rh__z3 *z3, const struct asked *asked)
{
    enum { QUESTIONS = 16 };
    Z3_context c = z3->context;
    if (++z3->unread < QUESTIONS && asked->answer != RH_UNKNOWN)
        return;
    z3->unread = 0;
    Z3_stats statistics = Z3_solver_get_statistics(c, asked->solver);
    Z3_stats_inc_ref(c, statistics);
    for (unsigned i = 0; i < Z3_stats_size(c, statistics); i++) {
        if (!Z3_stats_is_uint(c, statistics, i) ||
            strcmp(Z3_stats_get_key(c, statistics, i), "rlimit count") != 0)
            continue;
        unsigned counted = Z3_stats_get_uint_value(c, statistics, i);
        z3->work += counted - z3->counted; // that it wraps does not matter
        z3->counted = counted;
    }
    Z3_stats_dec_ref(c, statistics);
}

static void ask(void *argument)
{
    struct asked *asked = argument;
    struct rh__z3 *z3 = asked->z3;
    const struct rh__question *question = asked->question;
    Z3_solver_push(z3->context, asked->solver);
    for (size_t i = 0; i < question->count; i++)
        Z3_solver_assert(z3->context, asked->solver, condition(z3, question->conditions[i]));
    enum rh_answer answer = answer_of(Z3_solver_check(z3->context, asked->solver));
    if (answer == RH_CAN)
        read_model(z3, asked);
    Z3_solver_pop(z3->context, asked->solver, 1);
    asked->answer = answer;
    count_work(z3, asked);
}

// A boolean of its own for each condition, from which the condition follows.
static Z3_ast assumption(struct rh__z3 *z3, size_t index)
{
    Z3_context c = z3->context;
    char name[32];
    snprintf(name, sizeof name, "holds%zu", index);
    return keep(z3, Z3_mk_const(c, Z3_mk_string_symbol(c, name), Z3_mk_bool_sort(c)));
}

static bool has(Z3_context context, Z3_ast_vector vector, Z3_ast ast)
{
    for (unsigned i = 0; i < Z3_ast_vector_size(context, vector); i++)
        if (Z3_ast_vector_get(context, vector, i) == ast)
            return true;
    return false;
}

static void read_core(struct rh__z3 *z3, const struct asked *asked)
{
    const struct rh__question *question = asked->question;
    Z3_ast_vector core = Z3_solver_get_unsat_core(z3->context, asked->solver);
    Z3_ast_vector_inc_ref(z3->context, core);
    for (size_t i = 0; i < question->count; i++)
        question->core[i] = has(z3->context, core, z3->assumptions.items[i]);
    Z3_ast_vector_dec_ref(z3->context, core);
}

static void assume(struct rh__z3 *z3, Z3_solver solver, size_t index, rh_term term)
{
    Z3_ast assumed = assumption(z3, index);
    Z3_ast implies = keep(z3, Z3_mk_implies(z3->context, assumed, condition(z3, term)));
    Z3_solver_assert(z3->context, solver, implies);
    *rh_vector_push(&z3->assumptions) = assumed;
}

static void ask_core(void *argument)
{
    struct asked *asked = argument;
    struct rh__z3 *z3 = asked->z3;
    const struct rh__question *question = asked->question;
    Z3_solver_push(z3->context, asked->solver);
    z3->assumptions.count = 0;
    for (size_t i = 0; i < question->count; i++)
        assume(z3, asked->solver, i, question->conditions[i]);
    Z3_lbool result = Z3_solver_check_assumptions(z3->context, asked->solver,
                                                  (unsigned)question->count, z3->assumptions.items);
    enum rh_answer answer = answer_of(result);
    if (answer == RH_CAN)
        read_model(z3, asked);
    else if (answer == RH_CAN_NOT)
        read_core(z3, asked);
    Z3_solver_pop(z3->context, asked->solver, 1);
    asked->answer = answer;
    count_work(z3, asked);
}

static void interrupt(void *argument)
{
    const struct asked *asked = argument;
    Z3_interrupt(asked->z3->context);
}

// After an error the context can still be freed. What was done without counting counts as much as
// it may take at most.
static void fail(struct rh__z3 *z3, enum rh__outcome outcome)
{
    z3->stack.count = 0;
    z3->work += (uint64_t)UNCOUNTED * z3->limit;
    if (outcome == RH__REFUSED)
        drop_context(z3);
    else
        forget_context(z3);
}

uint64_t rh__z3_work(const struct rh__z3 *z3)
{
    return z3->work;
}

enum rh_answer rh__z3_ask(struct rh__z3 *z3, const struct rh__question *question)
{
    enum rh__outcome outcome = RH__RETURNED;
    if (!z3->context)
        outcome = rh__guard_call(z3->guard, make_context, NULL, z3);
    struct asked asked = {z3, question,
                          rh__has_reals(z3->terms, question) ? z3->for_reals : z3->for_bits,
                          RH_UNKNOWN};
    while (z3->bits.count < z3->terms->nodes.count)
        *rh_vector_push(&z3->bits) = *rh_vector_push(&z3->truths) = NULL;
    if (outcome == RH__RETURNED)
        outcome = rh__guard_call(z3->guard, question->core ? ask_core : ask, interrupt, &asked);
    if (outcome == RH__RETURNED)
        return asked.answer;
    fail(z3, outcome);
    return RH_UNKNOWN;
}
