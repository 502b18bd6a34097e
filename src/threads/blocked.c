// SPDX-License-Identifier: MIT
// Functions of libc that wait for something which is no thread of the program, or let something run
// beside its threads: each ends the search with its name, since what came of it would be no
// finding. Who asks first whether he would have to wait is let through where he would not.
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/kernel.h"
#include "threads/real.h"
#include "threads/tell.h"

#define HERE ((uintptr_t)__builtin_return_address(0))
#define SERVES (rh__has_engine && rh__engine->is_active)

// --- Always. ---

#define REFUSED(result, name, types, arguments)                                                    \
    result name types                                                                              \
    {                                                                                              \
        if (SERVES)                                                                                \
            rh__refuse(#name, HERE);                                                               \
        return RH_REAL(result, name, types) arguments;                                             \
    }

REFUSED(int, pthread_cancel, (pthread_t thread), (thread))
REFUSED(int, pthread_kill, (pthread_t thread, int number), (thread, number))
REFUSED(int, pthread_sigqueue, (pthread_t thread, int number, const union sigval value),
        (thread, number, value))
REFUSED(int, pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))
REFUSED(int, pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until),
        (thread, result, until))
REFUSED(int, pthread_clockjoin_np,
        (pthread_t thread, void **result, clockid_t clock, const struct timespec *until),
        (thread, result, clock, until))
REFUSED(pid_t, fork, (void), ())
REFUSED(int, system, (const char *command), (command))
REFUSED(FILE *, popen, (const char *command, const char *mode), (command, mode))
REFUSED(int, posix_spawn,
        (pid_t * process, const char *path, const posix_spawn_file_actions_t *actions,
         const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment),
        (process, path, actions, attributes, arguments, environment))
REFUSED(int, posix_spawnp,
        (pid_t * process, const char *path, const posix_spawn_file_actions_t *actions,
         const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment),
        (process, path, actions, attributes, arguments, environment))
REFUSED(pid_t, wait, (int *status), (status))
REFUSED(pid_t, waitpid, (pid_t process, int *status, int flags), (process, status, flags))
REFUSED(int, waitid, (idtype_t type, id_t number, siginfo_t *info, int flags),
        (type, number, info, flags))
REFUSED(pid_t, wait3, (int *status, int flags, struct rusage *use), (status, flags, use))
REFUSED(pid_t, wait4, (pid_t process, int *status, int flags, struct rusage *use),
        (process, status, flags, use))
REFUSED(int, pause, (void), ())
REFUSED(int, sigwait, (const sigset_t *set, int *number), (set, number))
REFUSED(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info))
REFUSED(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *most),
        (set, info, most))
REFUSED(int, sigsuspend, (const sigset_t *set), (set))
REFUSED(int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *timer),
        (clock, event, timer))
REFUSED(int, setitimer,
        (__itimer_which_t which, const struct itimerval *wanted, struct itimerval *before),
        (which, wanted, before))
REFUSED(unsigned, alarm, (unsigned seconds), (seconds))

// The child would return into a stack that it shares with its parent, and then use another one.
pid_t vfork(void)
{
    if (SERVES)
        rh__refuse("vfork", HERE);
    return (pid_t)syscall(SYS_fork);
}

// --- Where they would wait. ---

// Whether there is something to be had from the descriptor at once. Files always are.
static bool is_ready(int descriptor, short events)
{
    struct pollfd one = {.fd = descriptor, .events = events};
    return syscall(SYS_poll, &one, 1, 0) != 0;
}

static void check_ready(int descriptor, short events, const char *function, uintptr_t code)
{
    if (SERVES && !is_ready(descriptor, events))
        rh__refuse_wait(function, code);
}

int poll(struct pollfd *list, nfds_t count, int milliseconds)
{
    long ready = syscall(SYS_poll, list, count, SERVES ? 0 : milliseconds);
    if (SERVES && ready == 0 && milliseconds)
        rh__refuse_wait("poll", HERE);
    return (int)ready;
}

int ppoll(struct pollfd *list, nfds_t count, const struct timespec *most, const sigset_t *set)
{
    if (!SERVES)
        return RH_REAL(int, ppoll,
                       (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))(
            list, count, most, set);
    return poll(list, count, most && !most->tv_sec && !most->tv_nsec ? 0 : -1);
}

int select(int count, fd_set *restrict readable, fd_set *restrict writable,
           fd_set *restrict exceptional, struct timeval *restrict most)
{
    typedef int function(int, fd_set *, fd_set *, fd_set *, struct timeval *);
    function *call = RH_REAL(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *));
    struct timeval nothing = {0};
    if (!SERVES)
        return call(count, readable, writable, exceptional, most);
    int ready = call(count, readable, writable, exceptional, &nothing);
    if (ready == 0 && !(most && !most->tv_sec && !most->tv_usec))
        rh__refuse_wait("select", HERE);
    return ready;
}

int pselect(int count, fd_set *restrict readable, fd_set *restrict writable,
            fd_set *restrict exceptional, const struct timespec *restrict most,
            const sigset_t *restrict set)
{
    if (!SERVES)
        return RH_REAL(int, pselect,
                       (int, fd_set *, fd_set *, fd_set *, const struct timespec *,
                        const sigset_t *))(count, readable, writable, exceptional, most, set);
    struct timeval time = {.tv_sec = most ? most->tv_sec : 0,
                           .tv_usec = most ? (most->tv_nsec + 999) / 1000 : 0};
    return select(count, readable, writable, exceptional, most ? &time : NULL);
}

int epoll_wait(int group, struct epoll_event *events, int count, int milliseconds)
{
    typedef int function(int, struct epoll_event *, int, int);
    function *call = RH_REAL(int, epoll_wait, (int, struct epoll_event *, int, int));
    int ready = call(group, events, count, SERVES ? 0 : milliseconds);
    if (SERVES && ready == 0 && milliseconds)
        rh__refuse_wait("epoll_wait", HERE);
    return ready;
}

int accept(int descriptor, __SOCKADDR_ARG address, socklen_t *restrict size)
{
    check_ready(descriptor, POLLIN, "accept", HERE);
    return (int)syscall(SYS_accept, descriptor, address.__sockaddr__, size);
}

int accept4(int descriptor, __SOCKADDR_ARG address, socklen_t *restrict size, int flags)
{
    check_ready(descriptor, POLLIN, "accept4", HERE);
    return (int)syscall(SYS_accept4, descriptor, address.__sockaddr__, size, flags);
}

int flock(int descriptor, int operation)
{
    int result = (int)syscall(SYS_flock, descriptor, SERVES ? operation | LOCK_NB : operation);
    if (SERVES && result < 0 && errno == EWOULDBLOCK && !(operation & LOCK_NB))
        rh__refuse_wait("flock", HERE);
    return result;
}

ssize_t recvfrom(int descriptor, void *restrict to, size_t size, int flags, __SOCKADDR_ARG address,
                 socklen_t *restrict length)
{
    if (!(flags & MSG_DONTWAIT))
        check_ready(descriptor, POLLIN, "recvfrom", HERE);
    rh__tell_write(to, size, HERE);
    return syscall(SYS_recvfrom, descriptor, to, size, flags, address.__sockaddr__, length);
}

ssize_t recv(int descriptor, void *to, size_t size, int flags)
{
    if (!(flags & MSG_DONTWAIT))
        check_ready(descriptor, POLLIN, "recv", HERE);
    rh__tell_write(to, size, HERE);
    return syscall(SYS_recvfrom, descriptor, to, size, flags, NULL, NULL);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
    if (!(flags & MSG_DONTWAIT))
        check_ready(descriptor, POLLIN, "recvmsg", HERE);
    return syscall(SYS_recvmsg, descriptor, message, flags);
}

ssize_t read(int descriptor, void *to, size_t size)
{
    if (SERVES && !is_ready(descriptor, POLLIN) && !(fcntl(descriptor, F_GETFL) & O_NONBLOCK))
        rh__refuse_wait("read", HERE);
    rh__tell_write(to, size, HERE);
    return syscall(SYS_read, descriptor, to, size);
}

ssize_t write(int descriptor, const void *from, size_t size)
{
    if (SERVES && !is_ready(descriptor, POLLOUT) && !(fcntl(descriptor, F_GETFL) & O_NONBLOCK))
        rh__refuse_wait("write", HERE);
    rh__tell_read(from, size, HERE);
    return syscall(SYS_write, descriptor, from, size);
}

// libstdc++ makes futures, latches and waiting atomics of these.
static bool waits_for_word(const uint32_t *word, int operation, uint32_t value)
{
    int command = operation & FUTEX_CMD_MASK;
    return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) &&
           __atomic_load_n(word, __ATOMIC_SEQ_CST) == value;
}

long syscall(long number, ...)
{
    enum { ERRORS = 4095 };
    long given[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        given[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex && SERVES &&
        waits_for_word((const uint32_t *)given[0], (int)given[1], (uint32_t)given[2]))
        rh__refuse("futex", HERE);
    long result = rh__kernel(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    if (result >= 0 || result < -ERRORS)
        return result;
    errno = (int)-result;
    return -1;
}
