// SPDX-License-Identifier: MIT
// In the place of z3.c where there is no Z3.
#include "smt/internal.h"

struct rh_status rh__z3_new(struct rh_terms *terms, uint64_t limit, struct rh__z3 **z3)
{
    (void)terms, (void)limit;
    *z3 = NULL;
    return rh_bad_input("generate needs Z3, which was not there when Rehearse was built: "
                        "tools/install-deps symbolic (apt install libz3-dev), then make");
}

void rh__z3_free(struct rh__z3 *z3)
{
    rh_assert(!z3);
}

uint64_t rh__z3_work(const struct rh__z3 *z3)
{
    rh_assert(z3);
    return 0;
}

enum rh_answer rh__z3_ask(struct rh__z3 *z3, const struct rh__question *question)
{
    (void)question;
    rh_assert(z3);
    return RH_UNKNOWN;
}
