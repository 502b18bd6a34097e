// SPDX-License-Identifier: MIT
// What is refuted as inequalities between whole numbers: never what some values make true, by trying all values of small
// numbers; and the contradictions that programs have.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "smt/internal.h"
#include "test.h"

enum { WIDTH = 4, VARIABLES = 3, VALUES = 16 * 16 * 16, CONDITIONS_MOST = 12, ROUNDS = 4000 };

struct made {
    struct rh_terms terms;
    struct rh_rng rng;
    rh_term variables[VARIABLES];
    rh_term conditions[CONDITIONS_MOST];
    size_t count;
};

static uint64_t below(struct made *made, uint64_t limit)
{
    return rh_rng_below(&made->rng, limit);
}

static void add(struct made *made, rh_term condition)
{
    uint64_t number;
    if (made->count < CONDITIONS_MOST && !rh_term_is_constant(&made->terms, condition, &number))
        made->conditions[made->count++] = condition;
}

// A sum or difference, which mostly is said not to overflow.
static rh_term make_number(struct made *made, unsigned depth)
{
    if (depth == 0 || below(made, 3) == 0)
        return below(made, 4) ? made->variables[below(made, VARIABLES)]
                              : rh_term_constant(&made->terms, WIDTH, below(made, 16));
    bool adds = below(made, 2);
    rh_term a = make_number(made, depth - 1), b = make_number(made, depth - 1);
    if (below(made, 4))
        add(made, rh_term_not(&made->terms, rh_term_make2(&made->terms,
                                                          adds ? RH_TERM_OVERFLOWS_ADD_SIGNED
                                                               : RH_TERM_OVERFLOWS_SUBTRACT_SIGNED,
                                                          a, b)));
    return rh_term_make2(&made->terms, adds ? RH_TERM_ADD : RH_TERM_SUBTRACT, a, b);
}

static void make_condition(struct made *made)
{
    rh_term a = make_number(made, 2), b = make_number(made, 2);
    if (below(made, 5) == 0) {
        a = rh_term_resize(&made->terms, RH_TERM_EXTEND_SIGN, a, 2 * WIDTH);
        b = rh_term_resize(&made->terms, RH_TERM_EXTEND_SIGN, b, 2 * WIDTH);
    }
    rh_term truth =
        rh_term_make2(&made->terms, below(made, 4) ? RH_TERM_LESS : RH_TERM_EQUAL, a, b);
    add(made, below(made, 2) ? truth : rh_term_not(&made->terms, truth));
}

static bool can_hold(struct made *made)
{
    for (uint64_t i = 0; i < VALUES; i++) {
        uint64_t values[VARIABLES] = {i & 15, i >> 4 & 15, i >> 8};
        struct rh_assignment assignment = {values, VARIABLES};
        size_t held = 0;
        while (held < made->count &&
               rh_term_value(&made->terms, made->conditions[held], assignment))
            held++;
        if (held == made->count)
            return true;
    }
    return false;
}

static void test_small_numbers(void)
{
    size_t refuted = 0, impossible = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct made made = {0};
        rh_terms_init(&made.terms);
        rh_rng_seed(&made.rng, round + 1);
        static const char *const names[] = {"x", "y", "z"};
        for (int i = 0; i < VARIABLES; i++)
            made.variables[i] = rh_term_variable(&made.terms, WIDTH, names[i]);
        for (uint64_t i = 0; i < 4; i++)
            make_condition(&made);
        bool can = can_hold(&made);
        bool is_refuted = rh__linear_refutes(&made.terms, made.conditions, made.count);
        EXPECT(!(can && is_refuted));
        impossible += !can;
        refuted += is_refuted;
        rh_terms_fini(&made.terms);
    }
    // Most of what can't hold here can't for other reasons; but it would be of no use if it never refuted anything.
    EXPECT(refuted > ROUNDS / 40 && refuted <= impossible);
}

// Work that is handed on while there is more than one can do: n > m, n - m > m, n - m - m > m, and the rest is not
// more than m, and not positive.
static void test_rest_of_work(void)
{
    struct rh_terms terms;
    rh_terms_init(&terms);
    rh_term n = rh_term_variable(&terms, 32, "n"), m = rh_term_variable(&terms, 32, "m");
    rh_term zero = rh_term_constant(&terms, 32, 0), rest = n;
    rh_term conditions[16];
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        conditions[count++] = rh_term_make2(&terms, RH_TERM_LESS, m, rest);
        conditions[count++] =
            rh_term_not(&terms, rh_term_make2(&terms, RH_TERM_OVERFLOWS_SUBTRACT_SIGNED, rest, m));
        rest = rh_term_make2(&terms, RH_TERM_SUBTRACT, rest, m);
    }
    EXPECT(!rh__linear_refutes(&terms, conditions, count));
    conditions[count++] = rh_term_not(&terms, rh_term_make2(&terms, RH_TERM_LESS, zero, rest));
    EXPECT(rh__linear_refutes(&terms, conditions, count));
    // Without the last difference being exact nothing is known of it.
    conditions[5] = conditions[0];
    EXPECT(!rh__linear_refutes(&terms, conditions, count));
    rh_terms_fini(&terms);
}

int main(void)
{
    test_small_numbers();
    test_rest_of_work();
    return 0;
}
