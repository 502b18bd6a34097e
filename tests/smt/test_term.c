// SPDX-License-Identifier: MIT
#include "smt/term.h"

#include "smt/plain.h"

// --- Values of folded terms are those of what was asked for. ---

static void say(struct pool *pool, const struct plain *plain, const uint64_t *values)
{
    struct rh_text text = {0};
    rh_term_print(&pool->terms, plain->term, &text);
    printf("operation %d width %u number %llu: %s\n", plain->operation, plain->width,
           (unsigned long long)plain->number, rh_text_get(&text));
    const struct plain *operands[] = {plain->a, plain->b, plain->c};
    for (int i = 0; i < 3 && operands[i]; i++) {
        rh_text_clear(&text);
        rh_term_print(&pool->terms, operands[i]->term, &text);
        printf("  operand width %u value %llx: %s\n", operands[i]->width,
               (unsigned long long)operands[i]->value, rh_text_get(&text));
    }
    for (size_t i = 0; i < pool->variables; i++)
        printf("  v%zu = %llx\n", i, (unsigned long long)values[i]);
    rh_text_fini(&text);
}

static void compare_values(struct pool *pool, const uint64_t *values)
{
    plain_evaluate(pool, values);
    for (size_t i = 0; i < pool->count; i++) {
        const struct plain *plain = &pool->items[i];
        struct rh_assignment assignment = {values, pool->variables};
        uint64_t value = rh_term_value(&pool->terms, plain->term, assignment);
        if (value != (uint64_t)plain->value)
            say(pool, plain, values);
        EXPECT(value == (uint64_t)plain->value);
    }
}

static void random_terms(struct pool *pool, uint64_t seed, int first, int last, bool is_narrow)
{
    pool_init(pool, seed);
    pool->has_reals = last > RH_TERM_ADD_REAL;
    unsigned widest = is_narrow ? 4 : 64;
    unsigned width = 1 + random_below(pool, widest);
    for (int i = 0; i < 3; i++)
        pool_variable(pool, pool->has_reals ? random_real_width(pool) : width);
    pool_variable(pool, 1 + random_below(pool, widest));
    for (int i = 0; i < 60; i++) {
        unsigned of = random_below(pool, 3) ? width : 1 + random_below(pool, widest);
        random_operation(pool, first + (int)random_below(pool, (unsigned)(last - first)), of);
    }
    for (int i = 0; i < 12; i++) {
        uint64_t values[4];
        for (int k = 0; k < 4; k++)
            values[k] = pool->has_reals && i % 2 ? random_real(pool, pool->items[k].width)
                                                 : random_number(pool, pool->items[k].width);
        compare_values(pool, values);
    }
    rh_terms_fini(&pool->terms);
}

static void folds_keep_values(void)
{
    static struct pool pool;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        random_terms(&pool, seed, RH_TERM_NOT, RH_TERM_ADD_REAL, seed % 2);
        if (seed % 8 == 0)
            random_terms(&pool, seed, RH_TERM_NOT, RH_TERM_REAL_TO_UNSIGNED + 1, false);
    }
}

// --- Normal forms, and terms in C. ---

struct names {
    struct rh_terms terms;
    rh_term n, m, k, byte, other, truth, real;
};

static void names_init(struct names *names)
{
    rh_terms_init(&names->terms);
    names->n = rh_term_variable(&names->terms, 32, "n");
    names->m = rh_term_variable(&names->terms, 32, "mx");
    names->k = rh_term_variable(&names->terms, 64, "k");
    names->byte = rh_term_variable(&names->terms, 8, "byte");
    names->other = rh_term_variable(&names->terms, 8, "other");
    names->truth = rh_term_variable(&names->terms, 1, "truth");
    names->real = rh_term_variable(&names->terms, 64, "real");
}

static rh_term number(struct names *names, rh_term like, int64_t value)
{
    return rh_term_constant(&names->terms, rh_term_width(&names->terms, like), (uint64_t)value);
}

#define MAKE(operation, a, b) rh_term_make2(&names.terms, RH_TERM_##operation, (a), (b))
#define WITH(operation, a, value) MAKE(operation, (a), number(&names, (a), (value)))
#define RESIZE(operation, a, width) rh_term_resize(&names.terms, RH_TERM_##operation, (a), (width))
#define PART(a, from, width) rh_term_part(&names.terms, (a), (from), (width))
#define NOT(a) rh_term_not(&names.terms, (a))
#define CHOICE(a, b, c) rh_term_choice(&names.terms, (a), (b), (c))
#define SAYS(term, text) expect_print(&names, (term), (text))

static void expect_print(struct names *names, rh_term term, const char *expected)
{
    struct rh_text text = {0};
    rh_term_print(&names->terms, term, &text);
    EXPECT_TEXT(rh_text_get(&text), expected);
    rh_text_fini(&text);
}

static void sums_have_one_constant(void)
{
    struct names names;
    names_init(&names);
    rh_term n = names.n, m = names.m;
    EXPECT(WITH(ADD, WITH(ADD, n, 1), 2) == WITH(ADD, n, 3));
    EXPECT(WITH(SUBTRACT, n, 1) == WITH(ADD, n, -1));
    EXPECT(WITH(ADD, WITH(SUBTRACT, n, 1), 1) == n);
    EXPECT(MAKE(ADD, WITH(ADD, n, 4), WITH(ADD, m, 5)) == WITH(ADD, MAKE(ADD, m, n), 9));
    EXPECT(MAKE(SUBTRACT, MAKE(ADD, n, m), m) == n);
    EXPECT(MAKE(ADD, MAKE(SUBTRACT, n, m), m) == n);
    EXPECT(MAKE(SUBTRACT, n, MAKE(SUBTRACT, n, m)) == m);
    EXPECT(WITH(MULTIPLY, WITH(ADD, n, 2), 8) == WITH(ADD, WITH(MULTIPLY, n, 8), 16));
    SAYS(MAKE(SUBTRACT, n, WITH(ADD, m, 3)), "n - mx - 3");
    SAYS(MAKE(SUBTRACT, number(&names, n, 0), n), "-n");
    SAYS(MAKE(SUBTRACT, n, MAKE(ADD, m, MAKE(MULTIPLY, n, m))), "n - (mx + n * mx)");
    rh_terms_fini(&names.terms);
}

static void bits_become_parts_and_joins(void)
{
    struct names names;
    names_init(&names);
    rh_term n = names.n, byte = names.byte, other = names.other;
    rh_term low = RESIZE(EXTEND_ZERO, byte, 32), high = RESIZE(EXTEND_ZERO, other, 32);
    EXPECT(MAKE(JOIN, PART(n, 8, 24), PART(n, 0, 8)) == n);
    EXPECT(MAKE(JOIN, PART(n, 24, 8), MAKE(JOIN, PART(n, 16, 8), PART(n, 0, 16))) == n);
    EXPECT(MAKE(OR, low, WITH(SHIFT_LEFT, high, 8)) ==
           RESIZE(EXTEND_ZERO, MAKE(JOIN, other, byte), 32));
    EXPECT(PART(MAKE(JOIN, byte, other), 8, 8) == byte);
    EXPECT(PART(low, 0, 8) == byte && PART(low, 8, 8) == number(&names, byte, 0));
    EXPECT(PART(WITH(ADD, RESIZE(EXTEND_SIGN, byte, 32), 1), 0, 8) == WITH(ADD, byte, 1));
    EXPECT(RESIZE(EXTEND_SIGN, RESIZE(EXTEND_SIGN, byte, 16), 32) == RESIZE(EXTEND_SIGN, byte, 32));
    EXPECT(WITH(AND, n, 255) == RESIZE(EXTEND_ZERO, PART(n, 0, 8), 32));
    rh_term whole = RESIZE(EXTEND_SIGN, n, 64);
    EXPECT(MAKE(JOIN, PART(whole, 32, 32), PART(whole, 0, 32)) == whole);
    // A field of four bits that is written.
    rh_term rest = WITH(AND, n, 0xFFFFFF0F), field = RESIZE(EXTEND_ZERO, PART(byte, 0, 4), 32);
    rh_term written = MAKE(OR, rest, WITH(SHIFT_LEFT, field, 4));
    EXPECT(PART(written, 4, 4) == PART(byte, 0, 4) && PART(written, 8, 24) == PART(n, 8, 24));
    SAYS(WITH(AND, n, 7), "n & 7");
    SAYS(WITH(AND, n, 255), "(uint8_t)n");
    SAYS(WITH(SHIFT_RIGHT, n, 8), "(uint32_t)n >> 8");
    SAYS(WITH(SHIFT_LEFT, n, 2), "(n & 1073741823) << 2");
    SAYS(NOT(WITH(EQUAL, WITH(AND, n, 4), 0)), "n & 4");
    rh_terms_fini(&names.terms);
}

static void comparisons_are_on_the_least(void)
{
    struct names names;
    names_init(&names);
    rh_term n = names.n, m = names.m, byte = names.byte;
    EXPECT(WITH(EQUAL, WITH(ADD, n, 3), 5) == WITH(EQUAL, n, 2));
    EXPECT(WITH(EQUAL, WITH(MULTIPLY, n, 3), 6) == WITH(EQUAL, n, 2));
    EXPECT(WITH(EQUAL, WITH(MULTIPLY, n, 4), 6) == rh_term_truth(&names.terms, false));
    EXPECT(WITH(EQUAL, RESIZE(EXTEND_ZERO, byte, 32), 256) == rh_term_truth(&names.terms, false));
    EXPECT(WITH(EQUAL, RESIZE(EXTEND_SIGN, byte, 32), -3) == WITH(EQUAL, byte, -3));
    EXPECT(WITH(EQUAL, RESIZE(EXTEND_ZERO, names.truth, 32), 0) == NOT(names.truth));
    EXPECT(WITH(EQUAL, CHOICE(names.truth, number(&names, n, 1), number(&names, n, 2)), 2) ==
           NOT(names.truth));
    EXPECT(MAKE(EQUAL, MAKE(ADD, n, m), n) == WITH(EQUAL, m, 0));
    EXPECT(MAKE(LESS, n, n) == rh_term_truth(&names.terms, false));
    EXPECT(WITH(LESS, RESIZE(EXTEND_ZERO, byte, 32), 256) == rh_term_truth(&names.terms, true));
    EXPECT(WITH(LESS, RESIZE(EXTEND_ZERO, byte, 32), 10) == WITH(BELOW, byte, 10));
    EXPECT(WITH(BELOW, n, 1) == WITH(EQUAL, n, 0));
    EXPECT(NOT(NOT(names.truth)) == names.truth);
    EXPECT(CHOICE(names.truth, n, n) == n);
    SAYS(MAKE(LESS, number(&names, n, 0), MAKE(SUBTRACT, n, m)), "n - mx > 0");
    SAYS(NOT(WITH(LESS, n, 5)), "n >= 5");
    SAYS(NOT(WITH(EQUAL, n, 5)), "n != 5");
    SAYS(WITH(BELOW, n, 10), "n < 10u");
    SAYS(MAKE(BELOW, n, m), "(uint32_t)n < mx");
    SAYS(WITH(OVERFLOWS_ADD_SIGNED, n, 1), "n == 2147483647");
    SAYS(MAKE(OVERFLOWS_MULTIPLY_SIGNED, n, m), "overflows(n * mx)");
    rh_terms_fini(&names.terms);
}

static void terms_read_as_c(void)
{
    struct names names;
    names_init(&names);
    rh_term n = names.n, m = names.m, less = MAKE(LESS, n, m), more = WITH(LESS, n, 3);
    SAYS(MAKE(AND, less, MAKE(OR, more, names.truth)), "n < mx && (truth || n < 3)");
    rh_term next = WITH(ADD, n, 1), quotient = MAKE(DIVIDE_SIGNED, n, m);
    SAYS(MAKE(MULTIPLY, quotient, next), "(n + 1) * (n / mx)");
    SAYS(WITH(DIVIDE_UNSIGNED, n, 3), "n / 3u");
    SAYS(CHOICE(less, n, m), "n < mx ? n : mx");
    SAYS(NOT(names.truth), "!truth");
    SAYS(RESIZE(EXTEND_SIGN, MAKE(ADD, n, m), 64), "n + mx");
    rh_term half = rh_term_constant(&names.terms, 64, UINT64_C(0x3FE0000000000000));
    SAYS(MAKE(LESS_REAL, MAKE(ADD_REAL, names.real, half), half), "real + 0.5 < 0.5");
    SAYS(RESIZE(SIGNED_TO_REAL, n, 64), "(double)n");
    rh_terms_fini(&names.terms);
}

// --- Walks. ---

static void variables_are_found_and_replaced(void)
{
    struct names names;
    names_init(&names);
    rh_term sum = MAKE(ADD, names.n, WITH(MULTIPLY, names.m, 3));
    struct rh_variable_set set = {0};
    rh_term_variables(&names.terms, names.k, &set);
    rh_term_variables(&names.terms, MAKE(MULTIPLY, sum, names.m), &set);
    EXPECT(set.indexes.count == 3 && set.indexes.items[0] == 0 && set.indexes.items[1] == 1 &&
           set.indexes.items[2] == 2);
    rh_vector_fini(&set.indexes);
    rh_term seven = number(&names, names.m, 7);
    EXPECT(rh_term_substitute(&names.terms, sum, names.m, seven) == WITH(ADD, names.n, 21));
    EXPECT(rh_term_substitute(&names.terms, sum, names.k, names.k) == sum);
    rh_terms_fini(&names.terms);
}

// Walks and folds need no deep stack, and what is shared is computed once: as a tree the second
// term has 2^200 leaves.
static void terms_may_be_deep(void)
{
    struct names names;
    names_init(&names);
    rh_term deep = names.n;
    for (int i = 0; i < 200000; i++)
        deep = MAKE(XOR, MAKE(MULTIPLY, deep, names.m), names.n);
    uint64_t values[] = {3, 2};
    uint32_t expected = 3;
    for (int i = 0; i < 200000; i++)
        expected = expected * 2 ^ 3;
    EXPECT(rh_term_value(&names.terms, deep, (struct rh_assignment){values, 2}) == expected);
    rh_term shared = RESIZE(EXTEND_SIGN, names.n, 64);
    for (int i = 0; i < 200; i++)
        shared = CHOICE(WITH(LESS, shared, i), WITH(MULTIPLY, shared, 3), WITH(XOR, shared, i));
    EXPECT(rh_term_width(&names.terms, PART(shared, 0, 16)) == 16);
    rh_term three = number(&names, names.n, 3);
    rh_term value = rh_term_substitute(&names.terms, shared, names.n, three);
    EXPECT(rh_term_get(&names.terms, value)->number ==
           rh_term_value(&names.terms, shared, (struct rh_assignment){values, 1}));
    rh_terms_fini(&names.terms);
}

int main(void)
{
    folds_keep_values();
    sums_have_one_constant();
    bits_become_parts_and_joins();
    comparisons_are_on_the_least();
    terms_read_as_c();
    variables_are_found_and_replaced();
    terms_may_be_deep();
    return 0;
}
