// SPDX-License-Identifier: MIT
// pthreads under control: threads, and ends of the process.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/real.h"
#include "result/finding.h"

// The director must be able to join all threads of the program, whatever the program wants.
static int create_joinable(const pthread_attr_t *attributes, void *(*start)(void *), void *argument,
                           struct rh_zmq_thread **thread)
{
    int state = PTHREAD_CREATE_JOINABLE, error = 0;
    pthread_attr_t *own = (pthread_attr_t *)(uintptr_t)attributes;
    if (own) {
        pthread_attr_getdetachstate(own, &state);
        pthread_attr_setdetachstate(own, PTHREAD_CREATE_JOINABLE);
    }
    *thread = rh__zmq_spawn(start, argument, own, &error);
    if (own)
        pthread_attr_setdetachstate(own, state);
    if (*thread)
        (*thread)->is_detached = state == PTHREAD_CREATE_DETACHED;
    return error;
}

int pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument)
{
    struct rh_zmq_thread *thread = NULL;
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_create)(handle, attributes, start, argument);
    int error = create_joinable(attributes, start, argument, &thread);
    if (!thread)
        return error;
    *handle = thread->handle;
    rh__zmq_post(thread, RH_ZMQ_START, "", (struct rh_zmq_parcel){0});
    return 0;
}

int pthread_join(pthread_t handle, void **result)
{
    struct rh_zmq_thread *caller = rh__zmq_self();
    struct rh_zmq_thread *thread = caller ? rh__zmq_find(handle) : NULL;
    if (!thread)
        return RH_ZMQ_REAL(pthread_join)(handle, result);
    if (thread == caller)
        return EDEADLK;
    if (thread->is_detached || thread->was_joined)
        return EINVAL;
    rh__zmq_join(thread);
    thread->was_joined = true;
    if (result)
        *result = thread->result;
    return 0;
}

// Joins a thread until a deadline. The result depends on what the thread has done until then.
static int join_until(pthread_t handle, void **result, const char *call, uint64_t deadline,
                      int late)
{
    struct rh_zmq_thread *thread = rh__zmq_find(handle);
    if (thread == rh__zmq_self())
        return EDEADLK;
    if (!thread || thread->is_detached || thread->was_joined)
        return EINVAL;
    if (!rh__zmq_join_until(thread, call, deadline))
        return late;
    thread->was_joined = true;
    if (result)
        *result = thread->result;
    return 0;
}

int pthread_tryjoin_np(pthread_t handle, void **result)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_tryjoin_np)(handle, result);
    return join_until(handle, result, __func__, rh__zmq_now(), EBUSY);
}

int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_timedjoin_np)(handle, result, deadline);
    return join_until(handle, result, __func__, rh__zmq_time_of(deadline, CLOCK_REALTIME),
                      ETIMEDOUT);
}

int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                         const struct timespec *deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_clockjoin_np)(handle, result, clock, deadline);
    return join_until(handle, result, __func__, rh__zmq_time_of(deadline, clock), ETIMEDOUT);
}

int pthread_detach(pthread_t handle)
{
    struct rh_zmq_thread *thread = rh__zmq_self() ? rh__zmq_find(handle) : NULL;
    if (!thread)
        return RH_ZMQ_REAL(pthread_detach)(handle);
    if (thread->is_detached)
        return EINVAL;
    thread->is_detached = true;
    return 0;
}

// Ends of the process.

// Whether the tool itself ends the process, which it also does in a thread of the program that has
// crashed.
static bool is_own(const void *code)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    extern const char _end[] __attribute__((visibility("hidden")));
    return (const char *)code >= __ehdr_start && (const char *)code < _end;
}

void _exit(int status)
{
    if (rh__zmq_self() && !is_own(__builtin_return_address(0)))
        rh__zmq_leave(status);
    RH_ZMQ_REAL(_exit)(status);
    abort();
}

void _Exit(int status)
{
    if (rh__zmq_self())
        rh__zmq_leave(status);
    _exit(status);
}

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    if (rh__zmq_self())
        rh__zmq_fail(RH_FINDING_CRASH, file, (int)line, "assertion `%s` failed in %s", condition,
                     function);
    RH_ZMQ_REAL(__assert_fail)(condition, file, line, function);
    abort();
}

pid_t fork(void)
{
    if (rh__zmq_self())
        rh__zmq_give_up("fork is not supported: the processes of a program are not under control");
    return RH_ZMQ_REAL(fork)();
}
