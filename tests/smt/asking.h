// SPDX-License-Identifier: MIT
// A solver with a few variables to ask about.
#ifndef REHEARSE_TESTS_SMT_ASKING_H
#define REHEARSE_TESTS_SMT_ASKING_H

#include "smt/solver.h"
#include "test.h"

struct asking {
    struct rh_terms terms;
    struct rh_solver *solver;
    rh_term v[4]; // variables: three of 32 bits and one of 64
};

// Skips the test where there is no Z3.
static inline struct rh_solver *new_solver(struct rh_terms *terms, uint64_t limit)
{
    struct rh_solver *solver;
    struct rh_status status = rh_solver_new(terms, limit, &solver);
    if (strstr(status.text, "needs Z3, which was not there")) {
        puts("no Z3 here: tools/install-deps symbolic");
        exit(77);
    }
    EXPECT_TEXT(status.text, "");
    return solver;
}

static inline void asking_init(struct asking *asking, uint64_t limit)
{
    static const char *const names[] = {"v0", "v1", "v2", "v3"};
    rh_terms_init(&asking->terms);
    for (int i = 0; i < 4; i++)
        asking->v[i] = rh_term_variable(&asking->terms, i < 3 ? 32 : 64, names[i]);
    asking->solver = new_solver(&asking->terms, limit);
}

static inline void asking_fini(struct asking *asking)
{
    rh_solver_free(asking->solver);
    rh_terms_fini(&asking->terms);
}

static inline rh_term make(struct asking *asking, enum rh_term_operation operation, rh_term a,
                           rh_term b)
{
    return rh_term_make2(&asking->terms, operation, a, b);
}

static inline rh_term with(struct asking *asking, enum rh_term_operation operation, rh_term a,
                           int64_t number)
{
    unsigned width = rh_term_width(&asking->terms, a);
    return make(asking, operation, a, rh_term_constant(&asking->terms, width, (uint64_t)number));
}

#endif
