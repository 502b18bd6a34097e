// SPDX-License-Identifier: MIT
#include "smt/solver.h"

#include <dirent.h>

#include "smt/plain.h"

static struct rh_solver *new_solver(struct rh_terms *terms, uint64_t limit)
{
    struct rh_solver *solver;
    struct rh_status status = rh_solver_new(terms, limit, &solver);
    EXPECT_TEXT(status.text, "");
    return solver;
}

// --- Random conditions on a few bits: all values are tried beside. ---

enum { BITS_MOST = 10, CONDITIONS_MOST = 4 };

// Whether all conditions hold, by the plain evaluator.
static bool hold_plainly(struct pool *pool, const struct plain *const *conditions, size_t count,
                         const uint64_t *values)
{
    plain_evaluate(pool, values);
    for (size_t i = 0; i < count; i++)
        if (conditions[i]->value != 1)
            return false;
    return true;
}

static bool can_hold_plainly(struct pool *pool, const struct plain *const *conditions, size_t count)
{
    for (uint32_t all = 0; all < UINT32_C(1) << BITS_MOST; all++) {
        uint64_t values[] = {all & 7, all >> 3 & 15, all >> 7 & 7};
        if (hold_plainly(pool, conditions, count, values))
            return true;
    }
    return false;
}

static void choose_conditions(struct pool *pool, const struct plain **conditions, size_t count)
{
    static const int comparisons[] = {RH_TERM_EQUAL,
                                      RH_TERM_BELOW,
                                      RH_TERM_LESS,
                                      RH_TERM_OVERFLOWS_ADD_SIGNED,
                                      RH_TERM_OVERFLOWS_ADD_UNSIGNED,
                                      RH_TERM_OVERFLOWS_SUBTRACT_SIGNED,
                                      RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED,
                                      RH_TERM_OVERFLOWS_MULTIPLY_SIGNED,
                                      RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED};
    for (size_t i = 0; i < count; i++) {
        int comparison = comparisons[random_below(pool, sizeof comparisons / sizeof(int))];
        conditions[i] = random_operation(pool, comparison, 1 + random_below(pool, 6));
        if (random_below(pool, 3) == 0)
            conditions[i] = pool_make(pool, (struct plain){RH_TERM_NOT, 1, 0, .a = conditions[i]});
    }
}

static void random_conditions(uint64_t seed, unsigned *answers)
{
    static struct pool pool;
    pool_init(&pool, seed);
    pool_variable(&pool, 3);
    pool_variable(&pool, 4);
    pool_variable(&pool, 3);
    unsigned widest = seed % 2 ? 4 : 8;
    for (int i = 0; i < 10; i++)
        random_operation(&pool, RH_TERM_NOT + (int)random_below(&pool, RH_TERM_EQUAL - RH_TERM_NOT),
                         1 + random_below(&pool, widest));
    for (int i = 0; i < 4; i++)
        random_operation(&pool, RH_TERM_CHOICE + (int)random_below(&pool, 5),
                         1 + random_below(&pool, widest));
    const struct plain *conditions[CONDITIONS_MOST];
    rh_term terms[CONDITIONS_MOST];
    choose_conditions(&pool, conditions, CONDITIONS_MOST);
    struct rh_solver *solver = new_solver(&pool.terms, 0);
    for (size_t count = 1; count <= CONDITIONS_MOST; count++) {
        uint64_t values[3] = {random_below(&pool, 8), 0, 0};
        bool core[CONDITIONS_MOST];
        terms[count - 1] = conditions[count - 1]->term;
        bool can = can_hold_plainly(&pool, conditions, count);
        enum rh_answer answer = rh_solver_check(solver, terms, count, values);
        EXPECT(answer == (can ? RH_CAN : RH_CAN_NOT));
        EXPECT(!can || hold_plainly(&pool, conditions, count, values));
        EXPECT(rh_solver_core(solver, terms, count, core) == answer);
        const struct plain *in_core[CONDITIONS_MOST];
        size_t core_count = 0;
        for (size_t i = 0; i < count; i++)
            if (core[i])
                in_core[core_count++] = conditions[i];
        EXPECT(can ? core_count == 0 : !can_hold_plainly(&pool, in_core, core_count));
        answers[answer]++;
    }
    rh_solver_free(solver);
    rh_terms_fini(&pool.terms);
}

static void answers_are_those_of_all_values(void)
{
    unsigned answers[3] = {0};
    for (uint64_t seed = 0; seed < 150; seed++)
        random_conditions(seed, answers);
    EXPECT(answers[RH_CAN] > 100 && answers[RH_CAN_NOT] > 100 && answers[RH_UNKNOWN] == 0);
}

int main(void)
{
    answers_are_those_of_all_values();
    return 0;
}
