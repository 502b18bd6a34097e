// SPDX-License-Identifier: MIT
// Terms as a C programmer would write them. A term does not know whether its variables have a sign:
// where an operation takes numbers without one, a constant says so (10u) or a cast.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "smt/internal.h"

// What operators bind, as in C.
enum level {
    CONDITIONAL,
    OR_ELSE,
    AND_ALSO,
    OR,
    XOR,
    AND,
    EQUALITY,
    ORDER,
    SHIFT,
    SUM,
    PRODUCT,
    UNARY
};

// How the bits of a constant are read.
enum style { SIGNED, UNSIGNED, REAL };

// Terms may be deep, and what they share is printed each time: text beyond these is "...".
enum { DEPTH_MOST = 200, LENGTH_MOST = 4000 };

struct printer {
    const struct rh_terms *terms;
    struct rh_text *text;
    size_t start;   // the text's length before the term
    unsigned depth; // of operands
};

static void print(struct printer *printer, rh_term term, enum level level, enum style style);

static const struct rh_term_node *get(const struct printer *printer, rh_term term)
{
    return rh_term_get(printer->terms, term);
}

static bool is_constant(const struct printer *printer, rh_term term)
{
    return rh__is(get(printer, term), RH_TERM_CONSTANT);
}

// --- Constants. ---

// With as few digits as tell it from all others.
static void print_real(struct printer *printer, uint64_t bits, unsigned width)
{
    double real = rh__real(bits, width);
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, real);
        if (width == 64 ? strtod(text, NULL) == real : strtof(text, NULL) == (float)real)
            break;
    }
    rh_text_add(printer->text, text);
    if (text[strspn(text, "-0123456789")] == '\0')
        rh_text_add(printer->text, ".0");
}

static bool is_of_type(unsigned width)
{
    return width == 8 || width == 16 || width == 32;
}

static void print_constant(struct printer *printer, const struct rh_term_node *node,
                           enum style style)
{
    if (style == REAL && node->width >= 32)
        print_real(printer, node->number, node->width);
    else if (node->width == 1)
        rh_text_add(printer->text, node->number ? "true" : "false");
    else if (style == UNSIGNED)
        rh_text_addf(printer->text, "%lluu", (unsigned long long)node->number);
    else
        rh_text_addf(printer->text, "%lld", (long long)rh__signed(node->number, node->width));
}

// --- Operators. ---

static void open_group(struct printer *printer, enum level own, enum level level)
{
    if (own < level)
        rh_text_add(printer->text, "(");
}

static void close_group(struct printer *printer, enum level own, enum level level)
{
    if (own < level)
        rh_text_add(printer->text, ")");
}

// An operator with what it takes on both sides, each bound at least so well.
struct binary {
    const char *operator;
    enum level level, left, right;
    enum style style;
};

static void print_binary(struct printer *printer, rh_term a, rh_term b, struct binary binary,
                         enum level level)
{
    open_group(printer, binary.level, level);
    print(printer, a, binary.left, binary.style);
    rh_text_addf(printer->text, " %s ", binary.operator);
    print(printer, b, binary.right, binary.style);
    close_group(printer, binary.level, level);
}

// Operands may be grouped in any way.
static void print_group(struct printer *printer, const struct rh_term_node *node,
                        const char *operator, enum level own, enum level level)
{
    struct binary binary = {operator, own, own, own, SIGNED};
    print_binary(printer, node->a, node->b, binary, level);
}

// Groups to the left.
static void print_left(struct printer *printer, const struct rh_term_node *node,
                       const char *operator, enum level own, enum level level, enum style style)
{
    struct binary binary = {operator, own, own, own + 1, style};
    print_binary(printer, node->a, node->b, binary, level);
}

static void print_unary(struct printer *printer, const char *operator, rh_term a, enum level level)
{
    open_group(printer, UNARY, level);
    rh_text_add(printer->text, operator);
    print(printer, a, UNARY, SIGNED);
    close_group(printer, UNARY, level);
}

static void print_cast(struct printer *printer, bool is_signed, unsigned width, rh_term a,
                       enum level level)
{
    char cast[20];
    snprintf(cast, sizeof cast, "(%sint%u_t)", is_signed ? "" : "u", width);
    print_unary(printer, cast, a, level);
}

// An operator on numbers without a sign: one of the operands has to say so.
static void print_unsigned(struct printer *printer, const struct rh_term_node *node,
                           struct binary binary, enum level level)
{
    if (is_constant(printer, node->a) || is_constant(printer, node->b)) {
        print_binary(printer, node->a, node->b, binary, level);
        return;
    }
    open_group(printer, binary.level, level);
    print_cast(printer, false, get(printer, node->a)->width, node->a, UNARY);
    rh_text_addf(printer->text, " %s ", binary.operator);
    print(printer, node->b, binary.right, UNSIGNED);
    close_group(printer, binary.level, level);
}

// --- Comparisons. ---

static const char *order_operator(bool is_turned, bool is_negated)
{
    if (is_turned)
        return is_negated ? "<=" : ">";
    return is_negated ? ">=" : "<";
}

// a < b, or what it is not; a constant stands on the right.
static void print_order(struct printer *printer, struct rh_term_node node, bool is_negated,
                        enum level level)
{
    bool is_turned = is_constant(printer, node.a);
    if (is_turned)
        node = (struct rh_term_node){node.operation, 1, .a = node.b, .b = node.a};
    bool is_real = rh__is(&node, RH_TERM_LESS_REAL) || rh__is(&node, RH_TERM_LESS_EQUAL_REAL);
    bool is_below = rh__is(&node, RH_TERM_BELOW);
    struct binary binary = {order_operator(is_turned, is_negated), ORDER, ORDER, SHIFT,
                            is_real    ? REAL
                            : is_below ? UNSIGNED
                                       : SIGNED};
    if (rh__is(&node, RH_TERM_LESS_EQUAL_REAL))
        binary.operator= is_turned ? ">=" : "<=";
    if (is_below)
        print_unsigned(printer, &node, binary, level);
    else
        print_binary(printer, node.a, node.b, binary, level);
}

static void print_equal(struct printer *printer, const struct rh_term_node *node, bool is_negated,
                        enum level level)
{
    const struct rh_term_node *a = get(printer, node->a), *b = get(printer, node->b);
    bool is_masked = (rh__is(a, RH_TERM_PART) || rh__is(b, RH_TERM_PART)) &&
                     !is_of_type(a->width) && a->width > 1;
    enum style style = rh__is(node, RH_TERM_EQUAL_REAL) ? REAL : is_masked ? UNSIGNED : SIGNED;
    struct binary binary = {is_negated ? "!=" : "==", EQUALITY, EQUALITY, ORDER, style};
    print_binary(printer, node->a, node->b, binary, level);
}

static void print_not(struct printer *printer, const struct rh_term_node *node, enum level level)
{
    const struct rh_term_node *a = get(printer, node->a);
    if (node->width != 1)
        print_unary(printer, "~", node->a, level);
    else if (rh__is(a, RH_TERM_EQUAL) || rh__is(a, RH_TERM_EQUAL_REAL))
        print_equal(printer, a, true, level);
    else if (rh__is(a, RH_TERM_BELOW) || rh__is(a, RH_TERM_LESS))
        print_order(printer, *a, true, level);
    else
        print_unary(printer, "!", node->a, level);
}

// --- Sums, bits, the rest. ---

static void print_sum(struct printer *printer, const struct rh_term_node *node, enum level level)
{
    uint64_t number;
    bool has_constant = rh_term_is_constant(printer->terms, node->b, &number);
    int64_t difference = rh__signed(number, node->width);
    if (!has_constant || difference >= 0 || node->width == 1) {
        print_group(printer, node, "+", SUM, level);
        return;
    }
    open_group(printer, SUM, level);
    print(printer, node->a, SUM, SIGNED);
    rh_text_addf(printer->text, " - %llu", (unsigned long long)-(uint64_t)difference);
    close_group(printer, SUM, level);
}

static void print_difference(struct printer *printer, const struct rh_term_node *node,
                             enum level level)
{
    if (rh__is_number(get(printer, node->a), 0))
        print_unary(printer, "-", node->b, level);
    else
        print_left(printer, node, "-", SUM, level, SIGNED);
}

static void print_product(struct printer *printer, const struct rh_term_node *node,
                          enum level level)
{
    bool is_chain = rh__is(get(printer, node->b), RH_TERM_MULTIPLY);
    struct binary binary = {"*", PRODUCT, PRODUCT, is_chain ? PRODUCT : UNARY, SIGNED};
    print_binary(printer, node->a, node->b, binary, level);
}

static void print_join(struct printer *printer, const struct rh_term_node *node, enum level level)
{
    bool has_zeros = rh__is_number(get(printer, node->b), 0);
    enum level own = has_zeros ? SHIFT : OR;
    open_group(printer, own, level);
    print(printer, node->a, SHIFT, SIGNED);
    rh_text_addf(printer->text, " << %u", (unsigned)get(printer, node->b)->width);
    if (!has_zeros) {
        rh_text_add(printer->text, " | ");
        print(printer, node->b, OR, SIGNED);
    }
    close_group(printer, own, level);
}

static void print_masked(struct printer *printer, const struct rh_term_node *node, unsigned shift,
                         enum level level)
{
    open_group(printer, AND, level);
    print(printer, node->a, shift ? SHIFT : AND, SIGNED);
    if (shift)
        rh_text_addf(printer->text, " >> %u", shift);
    uint64_t mask = rh__mask(node->width) << (node->number - shift);
    rh_text_addf(printer->text, " & %llu", (unsigned long long)mask);
    close_group(printer, AND, level);
}

// Some bits: a cast, a shift or a mask. One bit is asked for where it stands.
static void print_part(struct printer *printer, const struct rh_term_node *node, bool is_signed,
                       enum level level)
{
    unsigned from = (unsigned)node->number, width = get(printer, node->a)->width;
    if (from == 0 && is_of_type(node->width)) {
        print_cast(printer, is_signed, node->width, node->a, level);
    } else if (from > 0 && from + node->width == width && node->width > 1) {
        open_group(printer, SHIFT, level);
        print_cast(printer, is_signed, width, node->a, SHIFT);
        rh_text_addf(printer->text, " >> %u", from);
        close_group(printer, SHIFT, level);
    } else {
        print_masked(printer, node, node->width == 1 ? 0 : from, level);
    }
}

// C extends by itself.
static void print_extend(struct printer *printer, const struct rh_term_node *node, enum level level,
                         enum style style)
{
    const struct rh_term_node *a = get(printer, node->a);
    if (rh__is(a, RH_TERM_PART) && a->width > 1)
        print_part(printer, a, rh__is(node, RH_TERM_EXTEND_SIGN), level);
    else
        print(printer, node->a, level, style);
}

static void print_choice(struct printer *printer, const struct rh_term_node *node, enum level level,
                         enum style style)
{
    open_group(printer, CONDITIONAL, level);
    print(printer, node->a, OR_ELSE, SIGNED);
    rh_text_add(printer->text, " ? ");
    print(printer, node->b, CONDITIONAL, style);
    rh_text_add(printer->text, " : ");
    print(printer, node->c, CONDITIONAL, style);
    close_group(printer, CONDITIONAL, level);
}

static void print_overflows(struct printer *printer, const struct rh_term_node *node,
                            const char *operator, bool is_signed)
{
    struct binary binary = {operator, SUM, SUM, PRODUCT, is_signed ? SIGNED : UNSIGNED};
    rh_text_add(printer->text, is_signed ? "overflows(" : "wraps(");
    print_binary(printer, node->a, node->b, binary, CONDITIONAL);
    rh_text_add(printer->text, ")");
}

static const char *real_cast(unsigned width)
{
    return width == 32 ? "(float)" : "(double)";
}

static void print_unsigned_to_real(struct printer *printer, const struct rh_term_node *node,
                                   enum level level)
{
    open_group(printer, UNARY, level);
    rh_text_add(printer->text, real_cast(node->width));
    print_cast(printer, false, get(printer, node->a)->width, node->a, UNARY);
    close_group(printer, UNARY, level);
}

static void print_is_nan(struct printer *printer, const struct rh_term_node *node)
{
    rh_text_add(printer->text, "isnan(");
    print(printer, node->a, CONDITIONAL, REAL);
    rh_text_add(printer->text, ")");
}

static void print_real_operation(struct printer *printer, const struct rh_term_node *node,
                                 enum level level)
{
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_ADD_REAL:
        print_left(printer, node, "+", SUM, level, REAL);
        break;
    case RH_TERM_SUBTRACT_REAL:
        print_left(printer, node, "-", SUM, level, REAL);
        break;
    case RH_TERM_MULTIPLY_REAL:
        print_left(printer, node, "*", PRODUCT, level, REAL);
        break;
    case RH_TERM_DIVIDE_REAL:
        print_left(printer, node, "/", PRODUCT, level, REAL);
        break;
    case RH_TERM_EQUAL_REAL:
        print_equal(printer, node, false, level);
        break;
    case RH_TERM_LESS_REAL:
    case RH_TERM_LESS_EQUAL_REAL:
        print_order(printer, *node, false, level);
        break;
    case RH_TERM_IS_NAN:
        print_is_nan(printer, node);
        break;
    case RH_TERM_UNSIGNED_TO_REAL:
        print_unsigned_to_real(printer, node, level);
        break;
    case RH_TERM_REAL_TO_SIGNED:
    case RH_TERM_REAL_TO_UNSIGNED:
        print_cast(printer, rh__is(node, RH_TERM_REAL_TO_SIGNED), node->width, node->a, level);
        break;
    default:
        print_unary(printer, real_cast(node->width), node->a, level);
    }
}

// The one switch over all operations but those on reals.
static void print_node(struct printer *printer, const struct rh_term_node *node, enum level level,
                       enum style style)
{
    bool is_truth = node->width == 1;
    switch ((enum rh_term_operation)node->operation) {
    case RH_TERM_CONSTANT:
        print_constant(printer, node, style);
        break;
    case RH_TERM_VARIABLE:
        rh_text_add(printer->text, printer->terms->variables.items[node->number].name);
        break;
    case RH_TERM_NOT:
        print_not(printer, node, level);
        break;
    case RH_TERM_AND:
        print_group(printer, node, is_truth ? "&&" : "&", is_truth ? AND_ALSO : AND, level);
        break;
    case RH_TERM_OR:
        print_group(printer, node, is_truth ? "||" : "|", is_truth ? OR_ELSE : OR, level);
        break;
    case RH_TERM_XOR:
        print_group(printer, node, "^", XOR, level);
        break;
    case RH_TERM_ADD:
        print_sum(printer, node, level);
        break;
    case RH_TERM_SUBTRACT:
        print_difference(printer, node, level);
        break;
    case RH_TERM_MULTIPLY:
        print_product(printer, node, level);
        break;
    case RH_TERM_DIVIDE_UNSIGNED:
        print_unsigned(printer, node, (struct binary){"/", PRODUCT, PRODUCT, UNARY, UNSIGNED},
                       level);
        break;
    case RH_TERM_REST_UNSIGNED:
        print_unsigned(printer, node, (struct binary){"%", PRODUCT, PRODUCT, UNARY, UNSIGNED},
                       level);
        break;
    case RH_TERM_DIVIDE_SIGNED:
        print_left(printer, node, "/", PRODUCT, level, SIGNED);
        break;
    case RH_TERM_REST_SIGNED:
        print_left(printer, node, "%", PRODUCT, level, SIGNED);
        break;
    case RH_TERM_SHIFT_LEFT:
        print_left(printer, node, "<<", SHIFT, level, SIGNED);
        break;
    case RH_TERM_SHIFT_RIGHT:
        print_unsigned(printer, node, (struct binary){">>", SHIFT, SHIFT, SUM, UNSIGNED}, level);
        break;
    case RH_TERM_SHIFT_RIGHT_SIGNED:
        print_left(printer, node, ">>", SHIFT, level, SIGNED);
        break;
    case RH_TERM_EQUAL:
        print_equal(printer, node, false, level);
        break;
    case RH_TERM_BELOW:
    case RH_TERM_LESS:
        print_order(printer, *node, false, level);
        break;
    case RH_TERM_CHOICE:
        print_choice(printer, node, level, style);
        break;
    case RH_TERM_JOIN:
        print_join(printer, node, level);
        break;
    case RH_TERM_PART:
        print_part(printer, node, style == SIGNED, level);
        break;
    case RH_TERM_EXTEND_ZERO:
    case RH_TERM_EXTEND_SIGN:
        print_extend(printer, node, level, style);
        break;
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
        print_overflows(printer, node, "+", rh__is(node, RH_TERM_OVERFLOWS_ADD_SIGNED));
        break;
    case RH_TERM_OVERFLOWS_SUBTRACT_SIGNED:
    case RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED:
        print_overflows(printer, node, "-", rh__is(node, RH_TERM_OVERFLOWS_SUBTRACT_SIGNED));
        break;
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED:
        print_overflows(printer, node, "*", rh__is(node, RH_TERM_OVERFLOWS_MULTIPLY_SIGNED));
        break;
    default:
        print_real_operation(printer, node, level);
    }
}

static void print(struct printer *printer, rh_term term, enum level level, enum style style)
{
    if (printer->depth >= DEPTH_MOST || printer->text->length - printer->start > LENGTH_MOST) {
        rh_text_add(printer->text, "...");
        return;
    }
    printer->depth++;
    print_node(printer, get(printer, term), level, style);
    printer->depth--;
}

void rh_term_print(const struct rh_terms *terms, rh_term term, struct rh_text *text)
{
    struct printer printer = {terms, text, text->length, 0};
    print(&printer, term, CONDITIONAL, SIGNED);
}
