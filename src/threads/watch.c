// SPDX-License-Identifier: MIT
// Executions that do not end. A thread that comes to points for ever is cut off after so many
// events; here are those that come to none: they compute, or wait for something outside. A signal
// looks every so often, and ends the execution as a crash does.
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "threads/engine.h"
#include "trace/finding_kind.h"

enum { TICK_MS = 50, WAIT_FACTOR = 10, SIGNAL_OFFSET = 1 };

// The program sees another clock.
static int64_t clock_ms(clockid_t clock)
{
    struct timespec time = {0};
    syscall(SYS_clock_gettime, clock, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void look(int number, siginfo_t *info, void *context)
{
    const ucontext_t *machine = context;
    __typeof__(&rh__engine->watch) watch = &rh__engine->watch;
    int64_t computed_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID), now_ms = clock_ms(CLOCK_MONOTONIC);
    (void)number;
    (void)info;
    if (!rh__engine->is_active || rh__engine->steps != watch->steps) {
        watch->steps = rh__engine->steps;
        watch->computed_ms = computed_ms;
        watch->now_ms = now_ms;
        return;
    }
    uintptr_t code = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP] + 1;
    if (computed_ms - watch->computed_ms >= watch->hang_ms)
        rh__fail(RH_FINDING_HANG, code, "computes for %u ms without coming to an end",
                 watch->hang_ms);
    // Where others use the processors too, who computes waits for those.
    bool computes = computed_ms - watch->computed_ms > watch->hang_ms / WAIT_FACTOR;
    if (!computes && now_ms - watch->now_ms >= (int64_t)watch->hang_ms * WAIT_FACTOR)
        rh__fail(RH_FINDING_HANG, code, "waits for something outside of the program's threads");
}

_Noreturn void rh__watch_silent(uintptr_t code)
{
    rh__fail(RH_FINDING_HANG, code,
             "goes on for 134,217,728 accesses that no other thread could notice");
}

// Threads that lend their thread-locals must not get the signal: their stacks are not watched.
void rh__watch_start(uint32_t hang_ms)
{
    struct sigaction action = {.sa_sigaction = look,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGRTMAX - SIGNAL_OFFSET};
    struct itimerspec period = {.it_interval = {.tv_nsec = TICK_MS * 1000000L},
                                .it_value = {.tv_nsec = TICK_MS * 1000000L}};
    timer_t timer;
    rh__engine->watch.hang_ms = hang_ms;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    sigaction(event.sigev_signo, &action, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &period, NULL);
}
