// SPDX-License-Identifier: MIT
// What the kernel keeps for the process and its threads besides files: masks of signals,
// priorities, names, who the process runs as. Undo does not reach the kernel, and all actors share
// these, so a change that lasts marks the execution.
#include "libc/real.h"

#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "libc/undeclared.h"

#define IN_process(...) __VA_ARGS__
#define RESOLVE rh__resolve_process
#include "libc/interposed.h"

// Blocking signals for a moment is common in libraries and undoes itself. The kernel ends a process
// in which a fault raises a blocked signal, and the world lives from SIGSEGV and SIGTRAP.
#define BLOCKING(name)                                                                             \
    RH_ENTRY(int, name, (int how, const sigset_t *restrict set, sigset_t *restrict old))           \
    {                                                                                              \
        sigset_t allowed;                                                                          \
        if (rh__controlled() && old) {                                                             \
            rh_globals_touch(old, sizeof *old);                                                    \
        }                                                                                          \
        if (rh__controlled() && set) {                                                             \
            rh_world_keep_signal_mask();                                                           \
        }                                                                                          \
        if (rh__controlled() && set && how != SIG_UNBLOCK) {                                       \
            allowed = *set;                                                                        \
            sigdelset(&allowed, SIGSEGV);                                                          \
            sigdelset(&allowed, SIGTRAP);                                                          \
            sigdelset(&allowed, SIGSYS);                                                           \
            set = &allowed;                                                                        \
        }                                                                                          \
        return REAL(name)(how, set, old);                                                          \
    }
BLOCKING(sigprocmask)
BLOCKING(pthread_sigmask)
INSIDE(
    int, sigaltstack, (const stack_t *stack, stack_t *old), (stack, old),
    if (stack) { CANNOT_UNDO; } rh_globals_touch(old, sizeof *old))

enum { NAME_SIZE = 16 };

// Whether the option decides which calls the kernel takes from this process: the search needs them
// when the handler is over, and asks about those of handlers.
static bool forbids_calls(int option)
{
    enum { SET_DISPATCH = 59 }; // older headers lack its name
    return option == PR_SET_SECCOMP || option == SET_DISPATCH;
}

RH_ENTRY(int, prctl, (int option, ...))
{
    unsigned long argument[4];
    va_list arguments;
    va_start(arguments, option);
    for (int i = 0; i < 4; i++) {
        argument[i] = va_arg(arguments, unsigned long);
    }
    va_end(arguments);
    if (rh__controlled() && forbids_calls(option)) {
        errno = EACCES;
        return -1;
    }
    if (rh__controlled() && option == PR_GET_NAME) {
        rh_globals_touch((void *)argument[0], NAME_SIZE);
    } else if (rh__controlled()) {
        CANNOT_UNDO;
    }
    return REAL(prctl)(option, argument[0], argument[1], argument[2], argument[3]);
}

// Asking for the mask changes nothing.
INSIDE(
    int, setlogmask, (int mask), (mask), if (mask != 0) { CANNOT_UNDO; })

RH_ENTRY_ANY(0, void, syslog, (int priority, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    vsyslog(priority, format, arguments);
    va_end(arguments);
}

RH_ENTRY_ANY(0, void, __syslog_chk, (int priority, int flag, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    __vsyslog_chk(priority, flag, format, arguments);
    va_end(arguments);
}

// To lock all memory is to have all of it, and the world has reserved much more than there is.
RH_ENTRY(int, mlockall, (int flags))
{
    bool is_valid = flags > MCL_ONFAULT ? flags <= (MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)
                                        : flags > 0 && flags < MCL_ONFAULT;
    if (!rh__controlled()) {
        return REAL(mlockall)(flags);
    }
    if (!is_valid) {
        errno = EINVAL;
    }
    return is_valid ? 0 : -1;
}

RH_ENTRY(int, munlockall, (void))
{
    return rh__controlled() ? 0 : REAL(munlockall)();
}

// A system call by its number. Calls that programs make like this because older libcs lack a
// function are answered as the function would; nothing is known of other calls.
static bool serve_call(long number, const long argument[6], long *result)
{
    switch (number) {
    case SYS_getpid:
        *result = getpid();
        return true;
    case SYS_gettid:
        *result = gettid();
        return true;
    case SYS_getppid:
        *result = getppid();
        return true;
    case SYS_kill:
        *result = kill((pid_t)argument[0], (int)argument[1]);
        return true;
    case SYS_tgkill:
        *result = tgkill((pid_t)argument[0], (pid_t)argument[1], (int)argument[2]);
        return true;
    case SYS_tkill:
        *result = tgkill(getpid(), (pid_t)argument[0], (int)argument[1]);
        return true;
    case SYS_mlockall:
        *result = mlockall((int)argument[0]);
        return true;
    case SYS_getrandom:
        *result = getrandom((void *)argument[0], (size_t)argument[1], (unsigned)argument[2]);
        return true;
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)argument[0], (struct timespec *)argument[1]);
        return true;
    default:
        return false;
    }
}

RH_ENTRY(long, syscall, (long number, ...))
{
    long argument[6], result;
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++) {
        argument[i] = va_arg(arguments, long);
    }
    va_end(arguments);
    if (rh__controlled()) {
        if (serve_call(number, argument, &result)) {
            return result;
        }
        CANNOT_UNDO;
    }
    return REAL(syscall)(number, argument[0], argument[1], argument[2], argument[3], argument[4],
                         argument[5]);
}
