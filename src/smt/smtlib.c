// SPDX-License-Identifier: MIT
// Conditions as SMT-LIB scripts. They are written from the terms and not by Z3, so that another
// solver judges how terms were put to Z3 too. Every term is a bit vector; each one that occurs
// is defined under its number, operands first.
#include <inttypes.h>

#include "smt/internal.h"

static const char *name_of(enum rh_term_operation operation)
{
    switch (operation) {
    case RH_TERM_NOT:
        return "bvnot";
    case RH_TERM_AND:
        return "bvand";
    case RH_TERM_OR:
        return "bvor";
    case RH_TERM_XOR:
        return "bvxor";
    case RH_TERM_ADD:
        return "bvadd";
    case RH_TERM_SUBTRACT:
        return "bvsub";
    case RH_TERM_MULTIPLY:
        return "bvmul";
    case RH_TERM_DIVIDE_UNSIGNED:
        return "bvudiv";
    case RH_TERM_DIVIDE_SIGNED:
        return "bvsdiv";
    case RH_TERM_REST_UNSIGNED:
        return "bvurem";
    case RH_TERM_REST_SIGNED:
        return "bvsrem";
    case RH_TERM_SHIFT_LEFT:
        return "bvshl";
    case RH_TERM_SHIFT_RIGHT:
        return "bvlshr";
    case RH_TERM_SHIFT_RIGHT_SIGNED:
        return "bvashr";
    case RH_TERM_EQUAL:
        return "=";
    case RH_TERM_BELOW:
        return "bvult";
    case RH_TERM_LESS:
        return "bvslt";
    case RH_TERM_JOIN:
        return "concat";
    case RH_TERM_ADD_REAL:
        return "fp.add";
    case RH_TERM_SUBTRACT_REAL:
        return "fp.sub";
    case RH_TERM_MULTIPLY_REAL:
        return "fp.mul";
    case RH_TERM_DIVIDE_REAL:
        return "fp.div";
    case RH_TERM_EQUAL_REAL:
        return "fp.eq";
    case RH_TERM_LESS_REAL:
        return "fp.lt";
    case RH_TERM_LESS_EQUAL_REAL:
        return "fp.leq";
    case RH_TERM_IS_NAN:
        return "fp.isNaN";
    default:
        return NULL;
    }
}

// What is being written.
struct script {
    struct rh_terms *terms;
    struct rh_text *text;
};

static unsigned width_of(const struct script *script, rh_term term)
{
    return rh_term_width(script->terms, term);
}

// (name a b) of bits.
static void print_call(struct script *script, const char *name, const struct rh_term_node *node)
{
    rh_text_addf(script->text, "(%s t%" PRIu32, name, node->a);
    if (node->b)
        rh_text_addf(script->text, " t%" PRIu32, node->b);
    rh_text_add(script->text, ")");
}

// A boolean as one bit.
static void open_truth(struct script *script)
{
    rh_text_add(script->text, "(ite ");
}

static void close_truth(struct script *script)
{
    rh_text_add(script->text, " #b1 #b0)");
}

// --- What leaves its range: computed in enough bits, and compared. ---

static const char *widening(enum rh_term_operation operation, bool *is_signed)
{
    *is_signed = operation == RH_TERM_OVERFLOWS_ADD_SIGNED ||
                 operation == RH_TERM_OVERFLOWS_SUBTRACT_SIGNED ||
                 operation == RH_TERM_OVERFLOWS_MULTIPLY_SIGNED;
    if (operation <= RH_TERM_OVERFLOWS_ADD_UNSIGNED)
        return "bvadd";
    return operation <= RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED ? "bvsub" : "bvmul";
}

static void print_overflows(struct script *script, const struct rh_term_node *node)
{
    bool is_signed;
    const char *name = widening(node->operation, &is_signed);
    const char *extend = is_signed ? "sign_extend" : "zero_extend";
    unsigned width = width_of(script, node->a);
    open_truth(script);
    rh_text_addf(script->text,
                 "(let ((r (%s ((_ %s %u) t%" PRIu32 ") ((_ %s %u) t%" PRIu32
                 ")))) (distinct r ((_ %s %u) ((_ extract %u 0) r))))",
                 name, extend, width, node->a, extend, width, node->b, extend, width, width - 1);
    close_truth(script);
}

// --- Reals. ---

static const char *real_sort(unsigned width)
{
    return width == 32 ? "8 24" : "11 53";
}

static void print_real(struct script *script, rh_term term)
{
    rh_text_addf(script->text, "((_ to_fp %s) t%" PRIu32 ")", real_sort(width_of(script, term)),
                 term);
}

// (name [rounding] a b) of reals.
static void print_real_call(struct script *script, const struct rh_term_node *node)
{
    bool is_rounded = node->operation <= RH_TERM_DIVIDE_REAL;
    rh_text_addf(script->text, "(%s %s", name_of(node->operation), is_rounded ? "RNE " : "");
    print_real(script, node->a);
    if (node->b) {
        rh_text_add(script->text, " ");
        print_real(script, node->b);
    }
    rh_text_add(script->text, ")");
}

static void print_converted(struct script *script, const struct rh_term_node *node)
{
    bool is_unsigned = rh__is(node, RH_TERM_UNSIGNED_TO_REAL);
    rh_text_addf(script->text, "((_ to_fp%s %s) RNE ", is_unsigned ? "_unsigned" : "",
                 real_sort(node->width));
    if (rh__is(node, RH_TERM_RESIZE_REAL))
        print_real(script, node->a);
    else
        rh_text_addf(script->text, "t%" PRIu32, node->a);
    rh_text_add(script->text, ")");
}

// SMT-LIB has no function from a real to its bits: they are some bits of which the real is made.
static void print_result(struct script *script, rh_term term, const struct rh_term_node *node)
{
    uint64_t nan = node->width == 32 ? UINT64_C(0x7FC00000) : UINT64_C(0x7FF8000000000000);
    rh_text_addf(script->text,
                 "(declare-const t%" PRIu32 " (_ BitVec %u))\n(define-fun r%" PRIu32
                 " () (_ FloatingPoint %s) ",
                 term, node->width, term, real_sort(node->width));
    if (node->operation <= RH_TERM_DIVIDE_REAL)
        print_real_call(script, node);
    else
        print_converted(script, node);
    rh_text_addf(script->text,
                 ")\n(assert (ite (fp.isNaN r%" PRIu32 ") (= t%" PRIu32 " (_ bv%" PRIu64
                 " %u)) (= r%" PRIu32 " ((_ to_fp %s) t%" PRIu32 "))))\n",
                 term, term, nan, node->width, term, real_sort(node->width), term);
}

// 2^exponent as a real.
static void print_power(struct script *script, unsigned exponent, bool is_negative, unsigned width)
{
    unsigned digits = width == 32 ? 23 : 52, bias = width == 32 ? 127 : 1023;
    rh_text_addf(script->text, "(fp #b%d (_ bv%u %u) (_ bv0 %u))", is_negative, exponent + bias,
                 width - 1 - digits, digits);
}

static void print_to_integer(struct script *script, const struct rh_term_node *node)
{
    bool is_signed = rh__is(node, RH_TERM_REAL_TO_SIGNED);
    unsigned of = width_of(script, node->a), exponent = node->width - (unsigned)is_signed;
    rh_text_add(script->text, "(let ((w (fp.roundToIntegral RTZ ");
    print_real(script, node->a);
    rh_text_add(script->text, "))) (ite (and (fp.geq w ");
    if (is_signed)
        print_power(script, exponent, true, of);
    else
        rh_text_addf(script->text, "(_ +zero %s)", real_sort(of));
    rh_text_add(script->text, ") (fp.lt w ");
    print_power(script, exponent, false, of);
    rh_text_addf(script->text, ")) ((_ fp.to_%cbv %u) RTZ %s) (_ bv%" PRIu64 " %u)))",
                 is_signed ? 's' : 'u', node->width, is_signed ? "w" : "(fp.abs w)",
                 UINT64_C(1) << (node->width - 1), node->width);
}

// --- Terms. ---

static void print_truth(struct script *script, const struct rh_term_node *node)
{
    open_truth(script);
    if (node->operation >= RH_TERM_ADD_REAL)
        print_real_call(script, node);
    else
        print_call(script, name_of(node->operation), node);
    close_truth(script);
}

static void print_value(struct script *script, const struct rh_term_node *node)
{
    struct rh_text *text = script->text;
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_CONSTANT:
        rh_text_addf(text, "(_ bv%" PRIu64 " %u)", node->number, node->width);
        break;
    case RH_TERM_EQUAL:
    case RH_TERM_BELOW:
    case RH_TERM_LESS:
    case RH_TERM_EQUAL_REAL:
    case RH_TERM_LESS_REAL:
    case RH_TERM_LESS_EQUAL_REAL:
    case RH_TERM_IS_NAN:
        print_truth(script, node);
        break;
    case RH_TERM_CHOICE:
        rh_text_addf(text, "(ite (= t%" PRIu32 " #b1) t%" PRIu32 " t%" PRIu32 ")", node->a, node->b,
                     node->c);
        break;
    case RH_TERM_PART:
        rh_text_addf(text, "((_ extract %u %u) t%" PRIu32 ")",
                     (unsigned)node->number + node->width - 1, (unsigned)node->number, node->a);
        break;
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        rh_text_addf(text, "((_ %s_extend %u) t%" PRIu32 ")",
                     rh__is(node, RH_TERM_EXTEND_ZERO) ? "zero" : "sign",
                     node->width - width_of(script, node->a), node->a);
        break;
    case RH_TERM_REAL_TO_SIGNED:
    case RH_TERM_REAL_TO_UNSIGNED:
        print_to_integer(script, node);
        break;
    default:
        if (name_of(node->operation))
            print_call(script, name_of(node->operation), node);
        else
            print_overflows(script, node);
    }
}

static bool gives_real(const struct rh_term_node *node)
{
    return (node->operation >= RH_TERM_ADD_REAL && node->operation <= RH_TERM_DIVIDE_REAL) ||
           (node->operation >= RH_TERM_RESIZE_REAL && node->operation <= RH_TERM_UNSIGNED_TO_REAL);
}

static void print_definition(struct script *script, rh_term term)
{
    const struct rh_term_node *node = rh_term_get(script->terms, term);
    if (rh__is(node, RH_TERM_VARIABLE)) {
        rh_text_addf(script->text, "(declare-const t%" PRIu32 " (_ BitVec %u)) ; %s\n", term,
                     node->width, script->terms->variables.items[node->number].name);
    } else if (gives_real(node)) {
        print_result(script, term, node);
    } else {
        rh_text_addf(script->text, "(define-fun t%" PRIu32 " () (_ BitVec %u) ", term, node->width);
        print_value(script, node);
        rh_text_add(script->text, ")\n");
    }
}

void rh__smtlib_print(struct rh_terms *terms, const struct rh__question *question,
                      enum rh_answer answer, struct rh_text *text)
{
    static const char *const answers[] = {
        [RH_CAN_NOT] = "unsat", [RH_CAN] = "sat", [RH_UNKNOWN] = "unknown"};
    struct script script = {terms, text};
    struct rh__order order = {0};
    rh__walk_begin(terms);
    for (size_t i = 0; i < question->count; i++)
        rh__walk_order(terms, question->conditions[i], &order);
    rh_text_addf(text, "(set-info :status %s)\n(set-logic %s)\n", answers[answer],
                 rh__has_reals(terms, question) ? "QF_BVFP" : "QF_BV");
    for (size_t i = 0; i < order.count; i++)
        print_definition(&script, order.items[i]);
    for (size_t i = 0; i < question->count; i++)
        rh_text_addf(text, "(assert (= t%" PRIu32 " #b1))\n", question->conditions[i]);
    rh_text_add(text, "(check-sat)\n");
    rh_vector_fini(&order);
}
