// SPDX-License-Identifier: MIT
// Z3 that crashes, gives up with an error, lies or goes on for ever: the query is unknown, and the
// next one is answered. Some of Z3's functions are replaced by some that do this when they are told
// to.
#include <dlfcn.h>
#include <signal.h>

#include "smt/asking.h"

// A context in which Z3 has crashed is left as it is.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libz3";
}

enum mishap {
    NONE,
    ABORTS,
    READS_NULL,
    RECURSES,
    REFUSES,
    LIES,
    GOES_ON,
    IS_DEAF,
    GIVES_WRONG_VALUES
};

static enum mishap mishap;
static volatile bool is_interrupted;

int Z3_solver_check(void *context, void *solver);

static unsigned recurse(volatile unsigned depth)
{
    volatile char frame[4096] = {0};
    if (depth == UINT32_MAX)
        return 0;
    frame[depth % sizeof frame] = (char)depth;
    return recurse(depth + 1) + (unsigned)frame[0];
}

static void pop_too_much(void *context, void *solver)
{
    void (*pop)(void *, void *, unsigned);
    *(void **)&pop = dlsym(RTLD_NEXT, "Z3_solver_pop");
    pop(context, solver, 1000);
}

void Z3_interrupt(void *context);
void Z3_interrupt(void *context)
{
    void (*real)(void *);
    *(void **)&real = dlsym(RTLD_NEXT, "Z3_interrupt");
    real(context);
    is_interrupted = true;
}

// Stays in the library for ever, or until it is asked to end.
static void go_on(void *context, bool is_deaf)
{
    void *(*sort)(void *, unsigned);
    *(void **)&sort = dlsym(RTLD_NEXT, "Z3_mk_bv_sort");
    is_interrupted = false;
    while (is_deaf || !is_interrupted)
        sort(context, 32);
}

int Z3_solver_check(void *context, void *solver)
{
    int (*real)(void *, void *);
    *(void **)&real = dlsym(RTLD_NEXT, "Z3_solver_check");
    enum mishap now = mishap;
    if (now != GIVES_WRONG_VALUES)
        mishap = NONE;
    if (now == ABORTS)
        abort();
    if (now == READS_NULL)
        raise(SIGSEGV);
    if (now == RECURSES)
        return (int)recurse(0);
    if (now == REFUSES)
        pop_too_much(context, solver);
    if (now == GOES_ON || now == IS_DEAF)
        go_on(context, now == IS_DEAF);
    if (now == GOES_ON)
        return 0;
    int answer = real(context, solver);
    return now == LIES ? -answer : answer;
}

bool Z3_get_numeral_uint64(void *context, void *ast, uint64_t *number);
bool Z3_get_numeral_uint64(void *context, void *ast, uint64_t *number)
{
    bool (*real)(void *, void *, uint64_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "Z3_get_numeral_uint64");
    bool is_number = real(context, ast, number);
    *number ^= mishap == GIVES_WRONG_VALUES;
    return is_number;
}

static rh_term squared(struct asking *asking, int64_t number)
{
    rh_term square = make(asking, RH_TERM_MULTIPLY, asking->v[0], asking->v[0]);
    return with(asking, RH_TERM_EQUAL, square, number);
}

// Enough for the questions here, and so little that what goes on for ever is ended soon.
enum { LIMIT = 100000 };

static void survives(enum mishap kind)
{
    struct asking asking;
    asking_init(&asking, LIMIT);
    uint64_t values[4] = {0};
    // That 3 is no square modulo 2^32 is for Z3 to say.
    rh_term first = squared(&asking, 3), second = squared(&asking, 7);
    mishap = kind;
    EXPECT(rh_solver_check(asking.solver, &first, 1, values) == RH_UNKNOWN);
    EXPECT(mishap == NONE);
    EXPECT(rh_solver_check(asking.solver, &second, 1, values) == RH_CAN_NOT);
    EXPECT(rh_solver_counts(asking.solver).unknown == 1);
    asking_fini(&asking);
}

static void wrong_values_are_noticed(void)
{
    struct asking asking;
    asking_init(&asking, 0);
    uint64_t values[4] = {0};
    rh_term first = squared(&asking, 17), second = squared(&asking, 33);
    mishap = GIVES_WRONG_VALUES;
    EXPECT(rh_solver_check(asking.solver, &first, 1, values) == RH_UNKNOWN && values[0] == 0);
    mishap = NONE;
    EXPECT(rh_solver_check(asking.solver, &second, 1, values) == RH_CAN);
    EXPECT((uint32_t)(values[0] * values[0]) == 33);
    asking_fini(&asking);
}

static void *handler_of(int number)
{
    struct sigaction action;
    EXPECT(sigaction(number, NULL, &action) == 0);
    void *handler;
    memcpy(&handler, &action.sa_handler, sizeof handler);
    return handler;
}

int main(void)
{
    void *abort_handler = handler_of(SIGABRT), *access_handler = handler_of(SIGSEGV);
    survives(ABORTS);
    survives(READS_NULL);
    survives(RECURSES);
    survives(REFUSES);
    survives(LIES);
    survives(GOES_ON);
    EXPECT(is_interrupted);
    survives(IS_DEAF);
    EXPECT(is_interrupted);
    wrong_values_are_noticed();
    // Signals are the process's own again.
    EXPECT(handler_of(SIGABRT) == abort_handler && handler_of(SIGSEGV) == access_handler);
    return 0;
}
