// SPDX-License-Identifier: MIT
// Functions of libc that end a program, wait, or tell the time, while the program runs under
// control. A crash ends the execution and not the process: what was written is put back.
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/status.h"
#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/real.h"
#include "trace/finding_kind.h"

#define HERE ((uintptr_t)__builtin_return_address(0))
#define SERVES (rh__has_engine && rh__engine->is_active)

// --- Crashes. ---

// The lowest part of each stack can't be touched.
static bool is_below_stack(uintptr_t address)
{
    enum { BELOW = 1 << 16 };
    uintptr_t offset = address - RH_STACKS_ADDRESS;
    return offset < RH_THREADS_MOST * RH_STACK_SIZE && offset % RH_STACK_SIZE < BELOW;
}

static void crash(int number, siginfo_t *info, void *context)
{
    const ucontext_t *machine = context;
    if (!SERVES) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    rh__fail(RH_FINDING_CRASH, (uintptr_t)machine->uc_mcontext.gregs[REG_RIP] + 1,
             number == SIGFPE                           ? "divides by zero, or the like"
             : is_below_stack((uintptr_t)info->si_addr) ? "needs more than 960 KB of stack"
             : number == SIGSEGV || number == SIGBUS    ? "accesses memory that it must not"
                                                        : "executes what is no code");
}

// The handler leaves by another stack, and so must not stay blocked.
void rh__crashes_start(void)
{
    enum { SIGNAL_STACK = 1 << 16 };
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    stack_t stack = {.ss_size = SIGNAL_STACK};
    stack.ss_sp =
        mmap(NULL, SIGNAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rh_assert(stack.ss_sp != MAP_FAILED);
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = crash,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

void abort(void)
{
    if (SERVES)
        rh__fail(RH_FINDING_CRASH, HERE, "calls abort");
    RH_REAL(void, abort, (void))();
    __builtin_unreachable();
}

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    if (SERVES)
        rh__fail_at(RH_FINDING_CRASH, file, (int)line, "assertion failed: %s", condition);
    RH_REAL(void, __assert_fail, (const char *, const char *, unsigned, const char *))
    (condition, file, line, function);
    __builtin_unreachable();
}

// The end of the process is the end of the execution; anything but success is a finding.
static _Noreturn void end_process(int status, uintptr_t code)
{
    if (status)
        rh__fail(RH_FINDING_EXIT, code, "ends the process with status %d", status);
    rh__leave(RH_OUTCOME_COMPLETE);
}

void exit(int status)
{
    if (SERVES)
        end_process(status, HERE);
    RH_REAL(void, exit, (int))(status);
    __builtin_unreachable();
}

void _exit(int status)
{
    if (SERVES)
        end_process(status, HERE);
    RH_REAL(void, _exit, (int))(status);
    __builtin_unreachable();
}

// --- Time. Nothing takes any, so that nobody may count on somebody else having been faster; what
// clocks say moves with what threads have slept, and with waiting that ran out of time. If a thread
// looks at a clock, sleeping comes before or after that. ---

#define CLOCK ((uintptr_t)&rh__engine->sleeping_ns)

static void use_clock(enum rh_act_kind kind, const char *deed, uintptr_t code)
{
    rh__wait(&(struct rh_act){
        .address = CLOCK, .code = code, .size = 1, .kind = (uint8_t)kind, .deed = deed});
}

// Calls in always, so that schedules have the same number of calls whatever is an event.
static void begin_sleep(uintptr_t code)
{
    if (rh__engine->quiet)
        return;
    if (rh__is_tried(CLOCK)) {
        use_clock(RH_ACT_SYNC, "sleeps by", code);
        return;
    }
    rh__current()->calls++;
    if (rh__engine->mode == RH_MODE_FOLLOW)
        rh__follow();
}

static void let_pass(int64_t seconds, int64_t nanoseconds, uintptr_t code)
{
    begin_sleep(code);
    rh__engine->sleeping_ns += seconds * 1000000000 + nanoseconds;
}

static void look_at_clock(uintptr_t code)
{
    if (rh__engine->quiet)
        return;
    rh__note_tried(CLOCK);
    use_clock(RH_ACT_SHARE, "looks at", code);
}

static struct timespec now(void)
{
    enum { START = 1000000000 };
    int64_t passed = rh__engine->sleeping_ns;
    return (struct timespec){.tv_sec = START + passed / 1000000000, .tv_nsec = passed % 1000000000};
}

void rh__let_pass_until(const struct timespec *time, uintptr_t code)
{
    begin_sleep(code);
    const struct timespec present = now();
    int64_t seconds = time->tv_sec - present.tv_sec, left = time->tv_nsec - present.tv_nsec;
    // Whoever waits for the end of the world does not take the clock there.
    enum { SECONDS_MOST = 1 << 30 };
    if (seconds < SECONDS_MOST && seconds * 1000000000 + left > 0)
        rh__engine->sleeping_ns += seconds * 1000000000 + left;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
    if (!SERVES)
        return RH_REAL(int, nanosleep, (const struct timespec *, struct timespec *))(time, left);
    let_pass(time->tv_sec, time->tv_nsec, HERE);
    return 0;
}

int usleep(useconds_t time)
{
    if (!SERVES)
        return RH_REAL(int, usleep, (useconds_t))(time);
    let_pass(0, (int64_t)time * 1000, HERE);
    return 0;
}

unsigned sleep(unsigned time)
{
    if (!SERVES)
        return RH_REAL(unsigned, sleep, (unsigned))(time);
    let_pass(time, 0, HERE);
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    if (!SERVES)
        return RH_REAL(int, clock_nanosleep,
                       (clockid_t, int, const struct timespec *, struct timespec *))(clock, flags,
                                                                                     time, left);
    if (!(flags & TIMER_ABSTIME))
        let_pass(time->tv_sec, time->tv_nsec, HERE);
    else
        rh__let_pass_until(time, HERE);
    return 0;
}

int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return nanosleep(time, left);
}

void thrd_yield(void)
{
    sched_yield();
}

int sched_yield(void)
{
    return SERVES ? 0 : RH_REAL(int, sched_yield, (void))();
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!SERVES)
        return RH_REAL(int, clock_gettime, (clockid_t, struct timespec *))(clock, time);
    look_at_clock(HERE);
    *time = now();
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    if (!SERVES)
        return RH_REAL(int, gettimeofday, (struct timeval *, void *))(time, zone);
    look_at_clock(HERE);
    *time = (struct timeval){.tv_sec = now().tv_sec, .tv_usec = now().tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result)
{
    if (!SERVES)
        return RH_REAL(time_t, time, (time_t *))(result);
    look_at_clock(HERE);
    if (result)
        *result = now().tv_sec;
    return now().tv_sec;
}
