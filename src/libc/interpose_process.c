// SPDX-License-Identifier: MIT
// What the kernel keeps for the process and its threads besides files: masks of signals, priorities, names, who it runs as.
// Undo does not reach there, and all actors have it in common, so a change that lasts marks the execution.
#include "libc/real.h"

#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

// Defined by libc, but in none of its headers.
void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments);
void __syslog_chk(int priority, int flag, const char *format, ...);

// The list reads as a table; clang-format would take it for code.
// clang-format off
#define FUNCTIONS(X)                                                                               \
    X(sigprocmask) X(pthread_sigmask) X(sigaltstack)                                               \
    X(setpriority) X(sched_setscheduler) X(sched_setparam) X(sched_setaffinity)                    \
    X(pthread_setschedparam) X(pthread_setaffinity_np) X(pthread_setname_np) X(prctl)              \
    X(setuid) X(setgid) X(seteuid) X(setegid) X(setreuid) X(setregid) X(setresuid) X(setresgid)    \
    X(setgroups) X(initgroups) X(setpgid) X(setpgrp) X(setsid)                                     \
    X(openlog) X(closelog) X(setlogmask) X(vsyslog) X(__vsyslog_chk) X(syscall)
RH_REAL_TABLE(rh__resolve_process)
// clang-format on

#define MARKED(type, name, parameters, arguments)                                                  \
    INSIDE(type, name, parameters, arguments, CANNOT_UNDO)

// Blocking signals for a moment is common in libraries and undoes itself. The kernel ends a process whose blocked signal is
// due to a fault, and the world lives from these.
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

MARKED(int, setpriority, (__priority_which_t which, id_t who, int priority), (which, who, priority))
MARKED(int, sched_setscheduler, (pid_t process, int policy, const struct sched_param *parameters),
       (process, policy, parameters))
MARKED(int, sched_setparam, (pid_t process, const struct sched_param *parameters),
       (process, parameters))
MARKED(int, sched_setaffinity, (pid_t process, size_t size, const cpu_set_t *set),
       (process, size, set))
MARKED(int, pthread_setschedparam,
       (pthread_t thread, int policy, const struct sched_param *parameters),
       (thread, policy, parameters))
MARKED(int, pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t *set),
       (thread, size, set))
MARKED(int, pthread_setname_np, (pthread_t thread, const char *name), (thread, name))

enum { NAME_SIZE = 16 };

RH_ENTRY(int, prctl, (int option, ...))
{
    unsigned long argument[4];
    va_list arguments;
    va_start(arguments, option);
    for (int i = 0; i < 4; i++) {
        argument[i] = va_arg(arguments, unsigned long);
    }
    va_end(arguments);
    if (rh__controlled() && option == PR_GET_NAME) {
        rh_globals_touch((void *)argument[0], NAME_SIZE);
    } else if (rh__controlled()) {
        CANNOT_UNDO;
    }
    return REAL(prctl)(option, argument[0], argument[1], argument[2], argument[3]);
}

MARKED(int, setuid, (uid_t user), (user))
MARKED(int, setgid, (gid_t group), (group))
MARKED(int, seteuid, (uid_t user), (user))
MARKED(int, setegid, (gid_t group), (group))
MARKED(int, setreuid, (uid_t real_user, uid_t user), (real_user, user))
MARKED(int, setregid, (gid_t real_group, gid_t group), (real_group, group))
MARKED(int, setresuid, (uid_t real_user, uid_t user, uid_t saved), (real_user, user, saved))
MARKED(int, setresgid, (gid_t real_group, gid_t group, gid_t saved), (real_group, group, saved))
MARKED(int, setgroups, (size_t count, const gid_t *groups), (count, groups))
MARKED(int, initgroups, (const char *user, gid_t group), (user, group))
MARKED(int, setpgid, (pid_t process, pid_t group), (process, group))
MARKED(int, setpgrp, (void), ())
MARKED(pid_t, setsid, (void), ())

// The system's log: libc keeps a name, a mask and a socket. It formats with memory of its own.
OUTSIDE_VOID(openlog, (const char *name, int options, int facility), (name, options, facility),
             CANNOT_UNDO)
OUTSIDE_VOID(closelog, (void), (), CANNOT_UNDO)
INSIDE(
    int, setlogmask, (int mask), (mask), if (mask != 0) { CANNOT_UNDO; })
OUTSIDE_VOID(vsyslog, (int priority, const char *format, va_list arguments),
             (priority, format, arguments), CANNOT_UNDO)
OUTSIDE_VOID(__vsyslog_chk, (int priority, int flag, const char *format, va_list arguments),
             (priority, flag, format, arguments), CANNOT_UNDO)

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

// A call by its number. Those that programs make like this because older libcs lack a function are answered as the
// function would; of the others nothing is known.
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
