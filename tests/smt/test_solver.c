// SPDX-License-Identifier: MIT
#include "smt/solver.h"

#include <sys/stat.h>

#include "smt/asking.h"
#include "smt/plain.h"

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

// --- Z3 computes as rh_term_value does: for values that are fixed a term can't have another one. ---

static void random_computation(uint64_t seed, int first, int last)
{
    static struct pool pool;
    rh_term conditions[COMPUTATION_CONDITIONS];
    uint64_t zeros[COMPUTATION_CONDITIONS] = {0};
    pool_init(&pool, seed);
    rh_term equal = computation(&pool, first, last, conditions);
    struct rh_solver *solver = new_solver(&pool.terms, 0);
    EXPECT(rh_solver_check(solver, conditions, COMPUTATION_CONDITIONS, zeros) == RH_CAN_NOT);
    conditions[COMPUTATION_CONDITIONS - 1] = equal;
    EXPECT(rh_solver_check(solver, conditions, COMPUTATION_CONDITIONS, zeros) == RH_CAN);
    rh_solver_free(solver);
    rh_terms_fini(&pool.terms);
}

static void z3_computes_alike(void)
{
    for (uint64_t seed = 0; seed < 200; seed++)
        random_computation(seed, RH_TERM_NOT, RH_TERM_ADD_REAL);
    for (uint64_t seed = 0; seed < 100; seed++)
        random_computation(seed, RH_TERM_ADD_REAL, RH_TERM_REAL_TO_UNSIGNED + 1);
}

// --- What a query does, one thing at a time. ---

static void groups_are_asked_apart(void)
{
    struct asking asking;
    asking_init(&asking, 0);
    // v0 < v1 and v2 < 7: v2 has its value already, and keeps it.
    rh_term conditions[] = {make(&asking, RH_TERM_LESS, asking.v[0], asking.v[1]),
                            with(&asking, RH_TERM_LESS, asking.v[2], 7),
                            with(&asking, RH_TERM_EQUAL, asking.v[0], 41)};
    uint64_t values[] = {9, 9, 5, 123};
    EXPECT(rh_solver_check(asking.solver, conditions, 3, values) == RH_CAN);
    EXPECT(values[0] == 41 && (int32_t)values[1] > 41 && values[2] == 5 && values[3] == 123);
    // What can't hold leaves all values as they are.
    conditions[2] = with(&asking, RH_TERM_EQUAL, asking.v[2], 8);
    uint64_t before[] = {1, 0, 0, 0};
    EXPECT(rh_solver_check(asking.solver, conditions, 3, before) == RH_CAN_NOT);
    EXPECT(before[0] == 1 && before[1] == 0 && before[2] == 0);
    asking_fini(&asking);
}

// The square of a number is no multiple of 4 plus 2: nothing but Z3 finds that.
static rh_term impossible(struct asking *asking, rh_term a)
{
    rh_term square = make(asking, RH_TERM_MULTIPLY, a, a);
    return with(asking, RH_TERM_EQUAL, with(asking, RH_TERM_AND, square, 3), 2);
}

static void answers_are_remembered(void)
{
    struct asking asking;
    asking_init(&asking, 0);
    rh_term conditions[] = {impossible(&asking, asking.v[0]),
                            with(&asking, RH_TERM_LESS, asking.v[1], 3)};
    uint64_t values[4] = {0};
    EXPECT(rh_solver_check(asking.solver, conditions, 1, values) == RH_CAN_NOT);
    struct rh_solver_counts counts = rh_solver_counts(asking.solver);
    EXPECT(counts.queries == 1 && counts.answered == 0 && counts.unknown == 0);
    // Again, and with a condition on something else.
    EXPECT(rh_solver_check(asking.solver, conditions, 1, values) == RH_CAN_NOT);
    EXPECT(rh_solver_check(asking.solver, conditions, 2, values) == RH_CAN_NOT);
    counts = rh_solver_counts(asking.solver);
    EXPECT(counts.queries == 3 && counts.answered == 2);
    // Constants, and the values at hand.
    EXPECT(rh_solver_check(asking.solver, conditions + 1, 1, values) == RH_CAN);
    rh_term no = rh_term_truth(&asking.terms, false);
    EXPECT(rh_solver_check(asking.solver, &no, 1, values) == RH_CAN_NOT);
    EXPECT(rh_solver_check(asking.solver, NULL, 0, values) == RH_CAN);
    counts = rh_solver_counts(asking.solver);
    EXPECT(counts.queries == 6 && counts.answered == 5);
    asking_fini(&asking);
}

// v (v - 1) (v - 2) (v - 3) is 120 for 5 and -2.
static rh_term product_of_four(struct asking *asking, rh_term v)
{
    rh_term product = v;
    for (int i = 1; i < 4; i++)
        product = make(asking, RH_TERM_MULTIPLY, product, with(asking, RH_TERM_ADD, v, -i));
    return with(asking, RH_TERM_EQUAL, product, 120);
}

static void a_limit_makes_it_unknown(void)
{
    struct asking asking;
    asking_init(&asking, 2000);
    uint64_t values[4] = {100, 0, 0, 0};
    rh_term hard = product_of_four(&asking, asking.v[3]);
    rh_term easy = impossible(&asking, rh_term_part(&asking.terms, asking.v[0], 0, 3));
    EXPECT(rh_solver_check(asking.solver, &hard, 1, values) == RH_UNKNOWN);
    EXPECT(rh_solver_counts(asking.solver).unknown == 1);
    EXPECT(rh_solver_check(asking.solver, &easy, 1, values) == RH_CAN_NOT);
    // What is unknown does not hide what can't hold, and what can't be known is not said to hold.
    rh_term both[] = {hard, easy}, other[] = {hard, with(&asking, RH_TERM_EQUAL, asking.v[1], 1)};
    EXPECT(rh_solver_check(asking.solver, both, 2, values) == RH_CAN_NOT);
    EXPECT(rh_solver_check(asking.solver, other, 2, values) == RH_UNKNOWN);
    EXPECT(values[0] == 100 && values[1] == 0);
    bool core[1];
    EXPECT(rh_solver_core(asking.solver, &hard, 1, core) == RH_UNKNOWN && !core[0]);
    asking_fini(&asking);
    asking_init(&asking, 0);
    hard = product_of_four(&asking, asking.v[0]);
    EXPECT(rh_solver_check(asking.solver, &hard, 1, values) == RH_CAN);
    struct rh_assignment model = {values, 4};
    EXPECT(rh_term_value(&asking.terms, hard, model) == 1);
    asking_fini(&asking);
}

static void a_core_leaves_out_what_is_not_needed(void)
{
    struct asking asking;
    asking_init(&asking, 0);
    rh_term conditions[] = {
        with(&asking, RH_TERM_LESS, asking.v[0], 5), with(&asking, RH_TERM_LESS, asking.v[1], 5),
        make(&asking, RH_TERM_LESS, asking.v[2], asking.v[0]),
        with(&asking, RH_TERM_EQUAL, asking.v[2], 9), rh_term_truth(&asking.terms, true)};
    bool core[6];
    EXPECT(rh_solver_core(asking.solver, conditions, 5, core) == RH_CAN_NOT);
    EXPECT(core[0] && !core[1] && core[2] && core[3] && !core[4]);
    EXPECT(rh_solver_core(asking.solver, conditions, 2, core) == RH_CAN && !core[0] && !core[1]);
    rh_term with_false[] = {conditions[0], rh_term_truth(&asking.terms, false)};
    EXPECT(rh_solver_core(asking.solver, with_false, 2, core) == RH_CAN_NOT);
    EXPECT(!core[0] && core[1]);
    asking_fini(&asking);
}

static void queries_are_recorded(void)
{
    struct asking asking;
    struct rh_text text = {0};
    asking_init(&asking, 0);
    mkdir("queries", 0777);
    rh_solver_record(asking.solver, "queries");
    rh_term condition = impossible(&asking, asking.v[0]);
    uint64_t values[4] = {0};
    EXPECT(rh_solver_check(asking.solver, &condition, 1, values) == RH_CAN_NOT);
    struct rh_status status = rh_text_read_file(&text, "queries/000000.smt2", 1 << 20);
    EXPECT_TEXT(status.text, "");
    EXPECT_PART(rh_text_get(&text), "(set-info :status unsat)\n(set-logic QF_BV)\n");
    EXPECT_PART(rh_text_get(&text), "(declare-const t1 (_ BitVec 32)) ; v0\n");
    EXPECT_PART(rh_text_get(&text), "(bvmul t1 t1)");
    EXPECT_PART(rh_text_get(&text), "(check-sat)\n");
    remove("queries/000000.smt2");
    remove("queries");
    rh_text_fini(&text);
    asking_fini(&asking);
}

int main(void)
{
    answers_are_those_of_all_values();
    z3_computes_alike();
    groups_are_asked_apart();
    answers_are_remembered();
    a_limit_makes_it_unknown();
    a_core_leaves_out_what_is_not_needed();
    queries_are_recorded();
    return 0;
}
