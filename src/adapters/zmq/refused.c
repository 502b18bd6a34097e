// SPDX-License-Identifier: MIT
// Functions of libc by which threads interrupt or wait for each other, and that are not under
// control: each ends the search with its name where the program relies on it, since what came of it
// would be no finding.
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/real.h"
#include "entry/process.h"

static _Noreturn void refuse(const char *call, const char *why)
{
    rh__zmq_give_up("%s is not supported: %s", call, why);
}

// Threads that end each other, and the threads of C11.

int pthread_cancel(pthread_t thread)
{
    if (rh__zmq_self())
        refuse(__func__, "threads that end other threads are not under control");
    return RH_ZMQ_REAL(pthread_cancel)(thread);
}

static const char of_c11[] = "what <threads.h> has is not under control, but pthreads are";

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    if (rh__zmq_self())
        refuse(__func__, of_c11);
    return RH_ZMQ_REAL(thrd_create)(thread, function, argument);
}

int mtx_init(mtx_t *mutex, int type)
{
    if (rh__zmq_self())
        refuse(__func__, of_c11);
    return RH_ZMQ_REAL(mtx_init)(mutex, type);
}

int cnd_init(cnd_t *condition)
{
    if (rh__zmq_self())
        refuse(__func__, of_c11);
    return RH_ZMQ_REAL(cnd_init)(condition);
}

// Libraries that are loaded once more for themselves, and do not call this library's functions.
void *dlmopen(Lmid_t namespace, const char *name, int flags)
{
    if (rh__zmq_self() && namespace != LM_ID_BASE)
        refuse(__func__, "libraries in a namespace of their own are not under control");
    return RH_ZMQ_REAL(dlmopen)(namespace, name, flags);
}

// Signals, which would have to interrupt threads that wait under control.

static const char of_signals[] =
    "signals that interrupt a thread which waits are not under control";

static bool is_own(const void *code)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    extern const char _end[] __attribute__((visibility("hidden")));
    return (const char *)code >= __ehdr_start && (const char *)code < _end;
}

// Whether the program has a handler for the signal; the tool's own handlers are for crashes.
static bool has_handler(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
           action.sa_handler != SIG_IGN && !is_own(*(const void **)&action.sa_handler);
}

int pthread_kill(pthread_t thread, int signal)
{
    if (rh__zmq_self() && !pthread_equal(thread, pthread_self()) && signal != 0 &&
        has_handler(signal))
        refuse(__func__, of_signals);
    return RH_ZMQ_REAL(pthread_kill)(thread, signal);
}

// Whether a signal to this process, or to this group if it is negative, would reach those that run
// the program. They are like processes of another user.
static bool reaches_tool(pid_t process)
{
    const int *tool = rh__process.tool_processes;
    bool is_group = process == -1 ||
                    (process < 0 && (-process == getpgid(tool[0]) || -process == getpgid(tool[1])));
    return is_group || (process > 0 && (process == tool[0] || process == tool[1]));
}

// The kernel gives a signal for a process to the first thread if that thread takes it.
int kill(pid_t process, int signal)
{
    const struct rh_zmq_thread *self = rh__zmq_self();
    if (self && reaches_tool(process)) {
        errno = EPERM;
        return -1;
    }
    if (!self || process != getpid())
        return RH_ZMQ_REAL(kill)(process, signal);
    if (signal == 0 || !has_handler(signal))
        return RH_ZMQ_REAL(kill)(RH_ZMQ_REAL(getpid)(), signal);
    if (self->number > 0)
        refuse(__func__, of_signals);
    return RH_ZMQ_REAL(pthread_kill)(pthread_self(), signal);
}

int killpg(pid_t group, int signal)
{
    return kill(-group, signal);
}

unsigned alarm(unsigned seconds)
{
    if (rh__zmq_self() && seconds > 0)
        refuse(__func__, of_signals);
    return RH_ZMQ_REAL(alarm)(seconds);
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict wanted,
              struct itimerval *restrict before)
{
    if (rh__zmq_self() && wanted && (wanted->it_value.tv_sec > 0 || wanted->it_value.tv_usec > 0))
        refuse(__func__, of_signals);
    return RH_ZMQ_REAL(setitimer)(which, wanted, before);
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
    if (rh__zmq_self() && !(event && event->sigev_notify == SIGEV_NONE))
        refuse(__func__, of_signals);
    return RH_ZMQ_REAL(timer_create)(clock, event, timer);
}

// Futexes: libstdc++ makes futures, latches and waiting atomics of them.

static bool is_wait(const int *word, int operation, int value)
{
    int command = operation & FUTEX_CMD_MASK;
    return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) &&
           __atomic_load_n(word, __ATOMIC_SEQ_CST) == value;
}

long syscall(long number, ...)
{
    long arguments[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex && rh__zmq_self() && !is_own(__builtin_return_address(0)) &&
        is_wait((const int *)(uintptr_t)arguments[0], (int)arguments[1], (int)arguments[2]))
        refuse("a futex",
               "a thread waits for memory that another one is to change, as std::future, "
               "std::latch and std::atomic do, which is not under control");
    return RH_ZMQ_REAL(syscall)(number, arguments[0], arguments[1], arguments[2], arguments[3],
                                arguments[4], arguments[5]);
}
