// SPDX-License-Identifier: MIT
// Mutexes and condition variables under control. They live in tables of this library, by address:
// libc's own are never locked, so that a program may also destroy or copy them as it likes.
//
// Threads that use the same mutex share it without sending. Locking a mutex is an event of its own,
// and so is signalling a condition variable: the step declares what it uses, and so do all messages
// by which a thread goes on that has a mutex or waits for one. System
// libraries protect their own books with mutexes; locking one of those is no event unless somebody
// has it.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/names.h"
#include "adapters/zmq/real.h"
#include "base/vector.h"
#include "world/world.h"

struct mutex {
    const void *address; // NULL: destroyed
    struct rh_zmq_thread *owner;
    unsigned depth;
    bool is_recursive, checks_errors;
    bool is_of_program; // whether the program's own code has used it, and not only a system library
    struct rh_zmq_shared shared;
    RH_VECTOR(struct rh_zmq_thread *) waiting;
    char name[RH_ZMQ_NAME_MOST];
};

struct condition {
    const void *address;
    struct rh_zmq_shared shared;
    RH_VECTOR(struct rh_zmq_thread *) waiting;
    char name[RH_ZMQ_NAME_MOST];
};

static struct {
    RH_VECTOR(struct mutex *) mutexes;
    RH_VECTOR(struct condition *) conditions;
} own;

// Makes a name such as "mutex lock", where debug information knows the variable `lock` at the
// address.
static void make_name(char *name, const char *what, const void *address)
{
    struct rh_debug *debug = rh__process.world->options.debug;
    struct rh_text variable = {0};
    bool is_known = debug && rh_debug_variable_at(debug, (uintptr_t)address, &variable, NULL, NULL);
    snprintf(name, RH_ZMQ_NAME_MOST, "%s%s%.60s", what, is_known ? " " : "",
             is_known ? rh_text_get(&variable) : "");
    rh_text_fini(&variable);
}

// The type is what can be read of a mutex that was initialised.
static int type_of(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & 3;
}

static struct mutex *add_mutex(const pthread_mutex_t *address, uint64_t number)
{
    struct mutex *mutex = rh_alloc(sizeof *mutex);
    mutex->address = address;
    mutex->shared.number = number;
    mutex->is_recursive = type_of(address) == PTHREAD_MUTEX_RECURSIVE;
    mutex->checks_errors = type_of(address) == PTHREAD_MUTEX_ERRORCHECK;
    make_name(mutex->name, "mutex", address);
    *rh_vector_push(&own.mutexes) = mutex;
    return mutex;
}

static struct mutex *find_mutex(const pthread_mutex_t *address)
{
    for (size_t i = 0; i < own.mutexes.count; i++)
        if (own.mutexes.items[i]->address == address)
            return own.mutexes.items[i];
    return add_mutex(address, rh__zmq_number_at(address));
}

static struct condition *add_condition(const void *address, uint64_t number)
{
    struct condition *condition = rh_alloc(sizeof *condition);
    condition->address = address;
    condition->shared.number = number;
    make_name(condition->name, "condition variable", address);
    *rh_vector_push(&own.conditions) = condition;
    return condition;
}

static struct condition *find_condition(const void *address)
{
    for (size_t i = 0; i < own.conditions.count; i++)
        if (own.conditions.items[i]->address == address)
            return own.conditions.items[i];
    return add_condition(address, rh__zmq_number_at(address));
}

static bool is_free(const void *context)
{
    const struct mutex *mutex = context;
    return !mutex->owner;
}

// Another thread may have taken the mutex since it was freed: then the wait goes on.
static void apply_unlock(struct rh_zmq_thread *to, void *object, void *content)
{
    (void)to, (void)object, (void)content;
}

static void forget_waiting(struct mutex *mutex, const struct rh_zmq_thread *thread)
{
    size_t kept = 0;
    for (size_t i = 0; i < mutex->waiting.count; i++)
        if (mutex->waiting.items[i] != thread)
            mutex->waiting.items[kept++] = mutex->waiting.items[i];
    mutex->waiting.count = kept;
}

static void own_mutex(struct mutex *mutex, struct rh_zmq_thread *thread)
{
    mutex->owner = thread;
    mutex->depth = 1;
    rh__zmq_expect(&mutex->shared);
}

// Gives false if the deadline came first.
static bool take(struct mutex *mutex, const char *call, uint64_t deadline)
{
    struct rh_zmq_thread *caller = rh__zmq_self();
    if (mutex->owner) {
        *rh_vector_push(&mutex->waiting) = caller;
        const struct rh_zmq_wait wait = {.call = call,
                                         .object = mutex->name,
                                         .is_over = is_free,
                                         .context = mutex,
                                         .shared = &mutex->shared,
                                         .holder = &mutex->owner,
                                         .deadline = deadline};
        bool is_taken = rh__zmq_wait(&wait);
        forget_waiting(mutex, caller);
        if (!is_taken)
            return false;
    }
    own_mutex(mutex, caller);
    return true;
}

// A call of the program is an event of its own, and is noted as a use of the mutex. A call of a
// system library is noted only if the program uses the mutex too, or somebody has it: nothing tells
// when that thread has taken it.
static void touch(struct mutex *mutex, const void *code, const char *call)
{
    bool is_library = rh__zmq_is_library(code);
    mutex->is_of_program |= !is_library;
    if (!is_library)
        rh__zmq_step_for(call, mutex->name, &mutex->shared);
    else if (mutex->owner)
        rh__zmq_tie(rh__zmq_self(), mutex->owner);
    if (mutex->is_of_program || mutex->owner)
        rh__zmq_touch(&mutex->shared);
}

static int lock(pthread_mutex_t *address, const char *call, uint64_t deadline, const void *code)
{
    struct mutex *mutex = find_mutex(address);
    if (mutex->owner == rh__zmq_self() && mutex->is_recursive) {
        mutex->depth++;
        return 0;
    }
    if (mutex->owner == rh__zmq_self() && mutex->checks_errors)
        return EDEADLK;
    touch(mutex, code, call);
    if (!take(mutex, call, deadline))
        return ETIMEDOUT;
    if (!rh__zmq_is_library(code))
        rh__zmq_touch(&mutex->shared);
    return 0;
}

static void release(struct mutex *mutex)
{
    mutex->owner = NULL;
    rh__zmq_expect_no_more(&mutex->shared);
    if (mutex->is_of_program)
        rh__zmq_check(&mutex->shared);
    rh__zmq_release(&mutex->shared);
    for (size_t i = 0; i < mutex->waiting.count; i++)
        rh__zmq_post(mutex->waiting.items[i], RH_ZMQ_UNLOCK, mutex->name,
                     (struct rh_zmq_parcel){apply_unlock, NULL, NULL, NULL});
}

int pthread_mutex_init(pthread_mutex_t *address, const pthread_mutexattr_t *attributes)
{
    int error = RH_ZMQ_REAL(pthread_mutex_init)(address, attributes);
    for (size_t i = 0; i < own.mutexes.count; i++)
        if (own.mutexes.items[i]->address == address)
            own.mutexes.items[i]->address = NULL;
    if (rh__zmq_self())
        add_mutex(address, rh__zmq_number_new(address));
    return error;
}

int pthread_mutex_destroy(pthread_mutex_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_mutex_destroy)(address);
    struct mutex *mutex = find_mutex(address);
    if (mutex->owner)
        return EBUSY;
    mutex->address = NULL;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_mutex_lock)(address);
    return lock(address, "pthread_mutex_lock", RH_ZMQ_NEVER, __builtin_return_address(0));
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict address,
                            const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_mutex_timedlock)(address, deadline);
    return lock(address, "pthread_mutex_timedlock", rh__zmq_time_of(deadline, CLOCK_REALTIME),
                __builtin_return_address(0));
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict address, clockid_t clock,
                            const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_mutex_clocklock)(address, clock, deadline);
    return lock(address, "pthread_mutex_clocklock", rh__zmq_time_of(deadline, clock),
                __builtin_return_address(0));
}

int pthread_mutex_trylock(pthread_mutex_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_mutex_trylock)(address);
    struct mutex *mutex = find_mutex(address);
    if (mutex->owner == rh__zmq_self() && mutex->is_recursive) {
        mutex->depth++;
        return 0;
    }
    touch(mutex, __builtin_return_address(0), "pthread_mutex_trylock");
    if (mutex->owner)
        return EBUSY;
    own_mutex(mutex, rh__zmq_self());
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_mutex_unlock)(address);
    struct mutex *mutex = find_mutex(address);
    if (mutex->owner != rh__zmq_self() && (mutex->is_recursive || mutex->checks_errors))
        return EPERM;
    if (mutex->owner && --mutex->depth == 0)
        release(mutex);
    return 0;
}

// Condition variables.

int pthread_cond_init(pthread_cond_t *restrict address,
                      const pthread_condattr_t *restrict attributes)
{
    int error = RH_ZMQ_REAL(pthread_cond_init)(address, attributes);
    for (size_t i = 0; i < own.conditions.count; i++)
        if (own.conditions.items[i]->address == address)
            own.conditions.items[i]->address = NULL;
    if (rh__zmq_self())
        add_condition(address, rh__zmq_number_new(address));
    return error;
}

int pthread_cond_destroy(pthread_cond_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_cond_destroy)(address);
    find_condition(address)->address = NULL;
    return 0;
}

static void wake(struct condition *condition, size_t index)
{
    struct rh_zmq_thread *thread = condition->waiting.items[index];
    condition->waiting.count--;
    for (size_t i = index; i < condition->waiting.count; i++)
        condition->waiting.items[i] = condition->waiting.items[i + 1];
    rh__zmq_post(thread, RH_ZMQ_WAKE, condition->name, (struct rh_zmq_parcel){0});
}

// Gives whether the thread was still among those that wait: then nobody has woken it.
static bool forget_waiter(struct condition *condition, const struct rh_zmq_thread *thread)
{
    size_t kept = 0, before = condition->waiting.count;
    for (size_t i = 0; i < before; i++)
        if (condition->waiting.items[i] != thread)
            condition->waiting.items[kept++] = condition->waiting.items[i];
    condition->waiting.count = kept;
    return kept < before;
}

static int wait_for(pthread_cond_t *address, pthread_mutex_t *mutex_address, const char *call,
                    uint64_t deadline)
{
    struct condition *condition = find_condition(address);
    struct mutex *mutex = find_mutex(mutex_address);
    if (mutex->owner != rh__zmq_self())
        return EPERM;
    rh__zmq_touch(&condition->shared);
    unsigned depth = mutex->depth;
    *rh_vector_push(&condition->waiting) = rh__zmq_self();
    release(mutex);
    // Whoever goes on takes the mutex again.
    rh__zmq_expect(&mutex->shared);
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = condition->name,
                                     .shared = &condition->shared,
                                     .deadline = deadline};
    rh__zmq_wait(&wait);
    rh__zmq_expect_no_more(&mutex->shared);
    bool is_late = forget_waiter(condition, rh__zmq_self());
    rh__zmq_touch(&mutex->shared);
    take(mutex, call, RH_ZMQ_NEVER);
    rh__zmq_touch(&mutex->shared);
    mutex->depth = depth;
    return is_late ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *restrict address, pthread_mutex_t *restrict mutex)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_cond_wait)(address, mutex);
    return wait_for(address, mutex, "pthread_cond_wait", RH_ZMQ_NEVER);
}

int pthread_cond_timedwait(pthread_cond_t *restrict address, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_cond_timedwait)(address, mutex, deadline);
    // libc keeps the clock here that the attributes of the condition variable have named.
    bool is_monotonic = address->__data.__wrefs & 2;
    return wait_for(address, mutex, "pthread_cond_timedwait",
                    rh__zmq_time_of(deadline, is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME));
}

int pthread_cond_clockwait(pthread_cond_t *restrict address, pthread_mutex_t *restrict mutex,
                           clockid_t clock, const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_cond_clockwait)(address, mutex, clock, deadline);
    return wait_for(address, mutex, "pthread_cond_clockwait", rh__zmq_time_of(deadline, clock));
}

static struct condition *begin_signal(const pthread_cond_t *address, const char *call)
{
    struct condition *condition = find_condition(address);
    rh__zmq_step_for(call, condition->name, &condition->shared);
    rh__zmq_touch(&condition->shared);
    return condition;
}

int pthread_cond_signal(pthread_cond_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_cond_signal)(address);
    struct condition *condition = begin_signal(address, "pthread_cond_signal");
    int count = (int)condition->waiting.count;
    if (count > 0)
        wake(condition, count == 1
                            ? 0
                            : (size_t)rh__zmq_choose(
                                  count, "which of those that wait goes on: ", condition->name));
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_cond_broadcast)(address);
    struct condition *condition = begin_signal(address, "pthread_cond_broadcast");
    while (condition->waiting.count > 0)
        wake(condition, 0);
    return 0;
}
