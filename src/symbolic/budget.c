// SPDX-License-Identifier: MIT
// How much may be spent on following what nobody knows.
#include "symbolic/internal.h"

// Terms are never given back, so that they are what memory goes to: some 600 MB.
enum { TERMS_MOST = 10000000 };

// So much work counts as a question more: a hundredth of what one may take by default.
enum { WORK_OF_A_QUERY = 80000 };

// And so many situations as much as one question: where nothing is unknown there are no questions,
// and orders without end.
enum { SITUATIONS_A_QUERY = 8 };

uint64_t rh__sym_spent(const struct rh__sym *sym)
{
    struct rh_solver_counts counts = rh_solver_counts(sym->solver);
    return counts.queries + counts.work / WORK_OF_A_QUERY + sym->situations / SITUATIONS_A_QUERY;
}

static bool is_spent(uint64_t most, uint64_t count)
{
    return most && count >= most;
}

// Why nothing more is followed; NULL: it goes on.
static const char *budget_that_ended(const struct rh__sym *sym)
{
    if (is_spent(sym->options->tests_most, sym->result->tests.count) ||
        is_spent(sym->tests_end, sym->result->tests.count))
        return "the rest, after the tests of --max-tests";
    if (sym->ends_with_unknown && rh_solver_counts(sym->solver).unknown)
        return "the rest, after a question that the solver gave up";
    if (is_spent(sym->options->queries_most, rh__sym_spent(sym)))
        return "the rest, after the queries of --max-queries";
    if (sym->terms.nodes.count >= TERMS_MOST)
        return "the rest, for lack of memory";
    return NULL;
}

bool rh__sym_is_over(struct rh__sym *sym)
{
    const char *ended = budget_that_ended(sym);
    if (ended && !sym->may_go_on)
        rh__sym_note(sym, ended, (struct rh_ir_place){0});
    return ended;
}
