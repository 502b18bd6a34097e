// SPDX-License-Identifier: MIT
// Whether conditions contradict each other as inequalities between whole numbers (Fourier and
// Motzkin). Sums and differences count as such only where a condition says that they do not
// overflow; anything else is a number of which only the range is known. So what is refuted here
// can't hold; what is not refuted may hold or not.
#include <stdlib.h>
#include <string.h>

#include "smt/internal.h"

enum { UNKNOWNS_MOST = 12, ROWS_MOST = 256, DEPTH_MOST = 32 };
#define NUMBER_MOST ((rh__wide)1 << 80)

// The sum of factor times number is at most `most`.
struct row {
    rh__wide factors[UNKNOWNS_MOST];
    rh__wide most;
};

struct linear {
    struct rh_terms *terms;
    const rh_term *conditions;
    size_t condition_count;
    rh_term unknowns[UNKNOWNS_MOST];
    size_t unknown_count;
    struct row *rows;
    size_t row_count;
    bool has_failed; // too much, or too large
};

static struct rh_term_node node_of(const struct linear *linear, rh_term term)
{
    return *rh_term_get(linear->terms, term);
}

// --- What does not overflow. ---

// The condition in a negation; 0: it is none.
static rh_term negated(const struct linear *linear, rh_term condition)
{
    struct rh_term_node node = node_of(linear, condition);
    return rh__is(&node, RH_TERM_NOT) ? node.a : 0;
}

static bool is_known_not(const struct linear *linear, enum rh_term_operation operation, rh_term a,
                         rh_term b)
{
    for (size_t i = 0; i < linear->condition_count; i++) {
        rh_term inner = negated(linear, linear->conditions[i]);
        struct rh_term_node node = node_of(linear, inner ? inner : linear->conditions[i]);
        if (inner && rh__is(&node, operation) &&
            ((node.a == a && node.b == b) ||
             (operation != RH_TERM_OVERFLOWS_SUBTRACT_SIGNED && node.a == b && node.b == a)))
            return true;
    }
    return false;
}

// A sum with 1 or -1 overflows at one number only, and such a condition is folded to that.
static bool is_known_step(const struct linear *linear, rh_term a, rh_term b, unsigned width)
{
    struct rh_term_node step = node_of(linear, b);
    if (!rh__is(&step, RH_TERM_CONSTANT))
        return false;
    int64_t by = rh__signed(step.number, width);
    uint64_t least = UINT64_C(1) << (width - 1);
    if (by != 1 && by != -1)
        return false;
    return is_known_not(linear, RH_TERM_EQUAL, a,
                        rh_term_constant(linear->terms, width, by < 0 ? least : least - 1));
}

static bool is_exact(const struct linear *linear, const struct rh_term_node *node)
{
    if (rh__is(node, RH_TERM_SUBTRACT))
        return is_known_not(linear, RH_TERM_OVERFLOWS_SUBTRACT_SIGNED, node->a, node->b);
    return is_known_not(linear, RH_TERM_OVERFLOWS_ADD_SIGNED, node->a, node->b) ||
           is_known_step(linear, node->a, node->b, node->width) ||
           is_known_step(linear, node->b, node->a, node->width);
}

// --- Rows. ---

static void add_row(struct linear *linear, const struct row *row)
{
    if (linear->row_count == ROWS_MOST)
        linear->has_failed = true;
    else
        linear->rows[linear->row_count++] = *row;
}

// The unknown that stands for a term, which is a number of its width with a sign.
static size_t unknown_of(struct linear *linear, rh_term term)
{
    for (size_t i = 0; i < linear->unknown_count; i++)
        if (linear->unknowns[i] == term)
            return i;
    if (linear->unknown_count == UNKNOWNS_MOST) {
        linear->has_failed = true;
        return 0;
    }
    size_t index = linear->unknown_count++;
    rh__wide half = (rh__wide)1 << (rh_term_width(linear->terms, term) - 1);
    struct row least = {.most = half}, most = {.most = half - 1};
    linear->unknowns[index] = term;
    least.factors[index] = -1;
    most.factors[index] = 1;
    add_row(linear, &least);
    add_row(linear, &most);
    return index;
}

// Adds `times` the term to the left side of a row.
static void add_term(struct linear *linear, struct row *row, rh_term term, int times,
                     unsigned depth)
{
    struct rh_term_node node = node_of(linear, term);
    bool is_sum = rh__is(&node, RH_TERM_ADD) || rh__is(&node, RH_TERM_SUBTRACT);
    if (rh__is(&node, RH_TERM_CONSTANT)) {
        row->most -= times * (rh__wide)rh__signed(node.number, node.width);
    } else if (rh__is(&node, RH_TERM_EXTEND_SIGN) && depth < DEPTH_MOST) {
        add_term(linear, row, node.a, times, depth + 1);
    } else if (is_sum && depth < DEPTH_MOST && is_exact(linear, &node)) {
        add_term(linear, row, node.a, times, depth + 1);
        add_term(linear, row, node.b, rh__is(&node, RH_TERM_ADD) ? times : -times, depth + 1);
    } else {
        size_t index = unknown_of(linear, term);
        row->factors[index] += times;
    }
}

// a - b is at most `most`.
static void add_difference(struct linear *linear, rh_term a, rh_term b, int most)
{
    struct row row = {.most = most};
    add_term(linear, &row, a, 1, 0);
    add_term(linear, &row, b, -1, 0);
    add_row(linear, &row);
}

static void add_condition(struct linear *linear, rh_term condition)
{
    rh_term inner = negated(linear, condition);
    struct rh_term_node node = node_of(linear, inner ? inner : condition);
    if (rh__is(&node, RH_TERM_LESS) && inner)
        add_difference(linear, node.b, node.a, 0);
    else if (rh__is(&node, RH_TERM_LESS))
        add_difference(linear, node.a, node.b, -1);
    if (!rh__is(&node, RH_TERM_EQUAL) || inner || rh_term_width(linear->terms, node.a) == 1)
        return;
    add_difference(linear, node.a, node.b, 0);
    add_difference(linear, node.b, node.a, 0);
}

// --- Elimination. ---

static bool is_large(rh__wide number)
{
    return number > NUMBER_MOST || number < -NUMBER_MOST;
}

// Adds multiples of two rows such that the unknown is gone.
static void combine(struct linear *linear, const struct row *above, const struct row *below,
                    size_t unknown)
{
    struct row row = {0};
    rh__wide a = -below->factors[unknown], b = above->factors[unknown];
    bool is_too_large = is_large(a) || is_large(b);
    for (size_t i = 0; i < linear->unknown_count && !is_too_large; i++) {
        is_too_large = a > UINT32_MAX || b > UINT32_MAX || is_large(above->factors[i]) ||
                       is_large(below->factors[i]);
        if (!is_too_large)
            row.factors[i] = a * above->factors[i] + b * below->factors[i];
    }
    is_too_large = is_too_large || is_large(above->most) || is_large(below->most);
    linear->has_failed = linear->has_failed || is_too_large;
    if (is_too_large)
        return;
    row.most = a * above->most + b * below->most;
    add_row(linear, &row);
}

static void eliminate(struct linear *linear, size_t unknown)
{
    size_t count = linear->row_count, kept = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && !linear->has_failed; k++)
            if (linear->rows[i].factors[unknown] > 0 && linear->rows[k].factors[unknown] < 0) {
                struct row above = linear->rows[i], below = linear->rows[k];
                combine(linear, &above, &below, unknown);
            }
    for (size_t i = 0; i < linear->row_count; i++)
        if (linear->rows[i].factors[unknown] == 0)
            linear->rows[kept++] = linear->rows[i];
    linear->row_count = kept;
}

// Whether a row without unknowns asks for nothing to be less than nothing.
static bool is_contradiction(const struct linear *linear)
{
    for (size_t i = 0; i < linear->row_count; i++) {
        bool has_unknown = false;
        for (size_t k = 0; k < linear->unknown_count; k++)
            has_unknown = has_unknown || linear->rows[i].factors[k];
        if (!has_unknown && linear->rows[i].most < 0)
            return true;
    }
    return false;
}

bool rh__linear_refutes(struct rh_terms *terms, const rh_term *conditions, size_t count)
{
    struct linear linear = {.terms = terms, .conditions = conditions, .condition_count = count};
    linear.rows = rh_alloc(ROWS_MOST * sizeof *linear.rows);
    for (size_t i = 0; i < count && !linear.has_failed; i++)
        add_condition(&linear, conditions[i]);
    bool is_refuted = false;
    for (size_t i = 0; i < linear.unknown_count && !linear.has_failed && !is_refuted; i++) {
        eliminate(&linear, i);
        is_refuted = !linear.has_failed && is_contradiction(&linear);
    }
    free(linear.rows);
    return is_refuted;
}
