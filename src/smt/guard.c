// SPDX-License-Identifier: MIT
#include "smt/guard.h"

#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "base/status.h"
#include "base/text.h"

// Signals by which a crash shows.
static const int CRASHES[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
enum {
    CRASH_COUNT = sizeof CRASHES / sizeof *CRASHES,
    ON_TIME = SIGVTALRM,
    HANDLER_STACK_BYTES = 64 * 1024,
};

// A call that was asked to end is left after so many ticks of the timer, which is this fast then.
enum { GRACE_TICKS = 50, TICK_NANOSECONDS = 5 * 1000 * 1000 };

struct rh__guard {
    const char *library;
    uint64_t nanoseconds;
    timer_t timer;
    uintptr_t first, last; // where the library's code is
    void *stack;           // for a crash by a stack that is too deep

    // Of the call that is going on.
    sigjmp_buf target; // where a failure goes on
    void (*interrupt)(void *argument);
    void *argument;
    uint64_t ticks; // how often the timer has run out
};

// There is one call at a time in a thread, and a signal can't be told by other means.
static _Thread_local struct rh__guard *current;

static void on_crash(int number)
{
    (void)number;
    siglongjmp(current->target, RH__CRASHED);
}

_Noreturn void rh__guard_refuse(void)
{
    siglongjmp(current->target, RH__REFUSED);
}

// Other threads get the signal too, as far as there are any.
static void on_time(int number, siginfo_t *about, void *context)
{
    struct rh__guard *guard = current;
    (void)number, (void)about;
    if (!guard)
        return;
    uintptr_t place = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (guard->ticks++ == 0 && guard->interrupt)
        guard->interrupt(guard->argument);
    else if (guard->ticks > GRACE_TICKS && place >= guard->first && place < guard->last)
        siglongjmp(guard->target, RH__CRASHED);
}

// --- Where the library's code is. ---

static int find_code(struct dl_phdr_info *about, size_t size, void *argument)
{
    struct rh__guard *guard = argument;
    (void)size;
    bool is_library = strstr(about->dlpi_name, guard->library) != NULL;
    bool is_program = about->dlpi_name[0] == '\0' && guard->last == 0; // the first of all
    if (!is_library && !is_program)
        return 0;
    for (int i = 0; i < about->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &about->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        guard->first = about->dlpi_addr + part->p_vaddr;
        guard->last = guard->first + part->p_memsz;
    }
    return is_library;
}

struct rh__guard *rh__guard_new(const char *library, uint64_t nanoseconds)
{
    struct rh__guard *guard = rh_alloc(sizeof *guard);
    guard->library = library;
    guard->nanoseconds = nanoseconds;
    guard->stack = rh_alloc(HANDLER_STACK_BYTES);
    dl_iterate_phdr(find_code, guard);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = ON_TIME};
    rh_assert(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &guard->timer) == 0);
    return guard;
}

void rh__guard_free(struct rh__guard *guard)
{
    timer_delete(guard->timer);
    free(guard->stack);
    free(guard);
}

// --- A call. ---

// What was there before.
struct before {
    struct sigaction actions[CRASH_COUNT], on_time;
    stack_t stack;
};

// Asks for the first tick after so much of the process's time; 0: for none.
static void set_timer(struct rh__guard *guard, uint64_t nanoseconds)
{
    enum { SECOND = 1000 * 1000 * 1000 };
    struct itimerspec times = {
        .it_value = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)},
        .it_interval = {0, TICK_NANOSECONDS},
    };
    timer_settime(guard->timer, 0, &times, NULL);
}

static void begin(struct rh__guard *guard, struct before *before)
{
    struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    struct sigaction time = {.sa_sigaction = on_time,
                             .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART};
    stack_t alternate = {.ss_sp = guard->stack, .ss_size = HANDLER_STACK_BYTES};
    sigemptyset(&crash.sa_mask);
    sigemptyset(&time.sa_mask);
    sigaltstack(&alternate, &before->stack);
    for (int i = 0; i < CRASH_COUNT; i++)
        sigaction(CRASHES[i], &crash, &before->actions[i]);
    sigaction(ON_TIME, &time, &before->on_time);
    guard->ticks = 0;
    current = guard;
    set_timer(guard, guard->nanoseconds);
}

static void end(struct rh__guard *guard, const struct before *before)
{
    set_timer(guard, 0);
    current = NULL;
    for (int i = 0; i < CRASH_COUNT; i++)
        sigaction(CRASHES[i], &before->actions[i], NULL);
    sigaction(ON_TIME, &before->on_time, NULL);
    sigaltstack(&before->stack, NULL);
}

enum rh__outcome rh__guard_call(struct rh__guard *guard, void (*call)(void *argument),
                                void (*interrupt)(void *argument), void *argument)
{
    struct before before;
    guard->interrupt = interrupt;
    guard->argument = argument;
    int outcome = sigsetjmp(guard->target, 1);
    if (outcome == RH__RETURNED) {
        begin(guard, &before);
        call(argument);
    }
    end(guard, &before);
    if (outcome == RH__RETURNED && guard->ticks > 0)
        return RH__REFUSED;
    return (enum rh__outcome)outcome;
}
