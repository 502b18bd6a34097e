// SPDX-License-Identifier: MIT
// Read-write locks, spin locks, semaphores, barriers and pthread_once under control. Like mutexes
// (mutex.c), they live in a table of this library, by address, and threads that use the same object
// share it without sending.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/names.h"
#include "adapters/zmq/real.h"
#include "base/vector.h"

// The value that libc leaves in a pthread_once_t.
enum { ONCE_DONE = 2 };

// A lock, semaphore, barrier or pthread_once_t. Which fields are used depends on its kind.
struct object {
    const void *address; // NULL: destroyed
    const char *name;
    struct rh_zmq_shared shared;
    RH_VECTOR(struct rh_zmq_thread *) waiting;
    // Of a read-write lock: who writes. Of a pthread_once_t: who calls the function.
    const struct rh_zmq_thread *writer;
    unsigned readers;
    unsigned value;          // of a semaphore: its value
    unsigned limit, present; // of a barrier: how many threads it waits for, and how many wait
    uint64_t round; // of a barrier: how often it has opened; of a pthread_once_t: 1 when done
};

static struct {
    RH_VECTOR(struct object *) objects;
} own;

static struct object *find_object(const void *address)
{
    for (size_t i = 0; i < own.objects.count; i++)
        if (own.objects.items[i]->address == address)
            return own.objects.items[i];
    return NULL;
}

static struct object *add_object(const void *address, const char *name, uint64_t number)
{
    struct object *object = rh_alloc(sizeof *object);
    object->address = address;
    object->name = name;
    object->shared.number = number;
    *rh_vector_push(&own.objects) = object;
    return object;
}

static struct object *get_object(const void *address, const char *name)
{
    struct object *object = find_object(address);
    return object ? object : add_object(address, name, rh__zmq_number_at(address));
}

// Forgets the object that was at this address before.
static void forget(const void *address)
{
    struct object *object = find_object(address);
    if (object)
        object->address = NULL;
}

static struct object *initialise(const void *address, const char *name)
{
    forget(address);
    return add_object(address, name, rh__zmq_number_new(address));
}

// System libraries protect their own books with locks: their calls are no events.
static void begin(struct object *object, const char *call, const void *code)
{
    if (rh__zmq_is_library(code))
        return;
    rh__zmq_step_for(call, object->name, &object->shared);
    rh__zmq_touch(&object->shared);
}

static void apply_nothing(struct rh_zmq_thread *to, void *object, void *content)
{
    (void)to, (void)object, (void)content;
}

// All threads that wait look again.
static void wake_all(struct object *object)
{
    for (size_t i = 0; i < object->waiting.count; i++)
        rh__zmq_post(object->waiting.items[i], RH_ZMQ_UNLOCK, object->name,
                     (struct rh_zmq_parcel){apply_nothing, NULL, NULL, NULL});
}

static bool wait_for(struct object *object, const char *call, bool (*is_over)(const void *context),
                     const void *context, uint64_t deadline)
{
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = object->name,
                                     .is_over = is_over,
                                     .context = context,
                                     .shared = &object->shared,
                                     .deadline = deadline};
    struct rh_zmq_thread *caller = rh__zmq_self();
    size_t kept = 0;
    *rh_vector_push(&object->waiting) = caller;
    bool is_in_time = rh__zmq_wait(&wait);
    for (size_t i = 0; i < object->waiting.count; i++)
        if (object->waiting.items[i] != caller)
            object->waiting.items[kept++] = object->waiting.items[i];
    object->waiting.count = kept;
    rh__zmq_touch(&object->shared);
    return is_in_time;
}

// Read-write locks.

static const char lock_name[] = "read-write lock", spin_name[] = "spin lock",
                  semaphore_name[] = "semaphore", barrier_name[] = "barrier",
                  once_name[] = "what is done once";

static bool is_readable(const void *context)
{
    return !((const struct object *)context)->writer;
}

static bool is_writable(const void *context)
{
    const struct object *lock = context;
    return !lock->writer && lock->readers == 0;
}

static int take_lock(const void *address, const char *name, bool writes, const char *call,
                     const void *code, uint64_t deadline)
{
    struct object *lock = get_object(address, name);
    begin(lock, call, code);
    bool (*is_over)(const void *) = writes ? is_writable : is_readable;
    if (lock->writer == rh__zmq_self())
        return EDEADLK;
    if (!is_over(lock) && deadline <= rh__zmq_now())
        return deadline == 0 ? EBUSY : ETIMEDOUT;
    if (!is_over(lock) && !wait_for(lock, call, is_over, lock, deadline))
        return ETIMEDOUT;
    if (writes)
        lock->writer = rh__zmq_self();
    else
        lock->readers++;
    rh__zmq_expect(&lock->shared);
    return 0;
}

#define CODE __builtin_return_address(0)

int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
                        const pthread_rwlockattr_t *restrict attributes)
{
    initialise(lock, lock_name);
    return RH_ZMQ_REAL(pthread_rwlock_init)(lock, attributes);
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    forget(lock);
    return rh__zmq_self() ? 0 : RH_ZMQ_REAL(pthread_rwlock_destroy)(lock);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_rdlock)(lock);
    return take_lock(lock, lock_name, false, "pthread_rwlock_rdlock", CODE, RH_ZMQ_NEVER);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_wrlock)(lock);
    return take_lock(lock, lock_name, true, "pthread_rwlock_wrlock", CODE, RH_ZMQ_NEVER);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_tryrdlock)(lock);
    return take_lock(lock, lock_name, false, "pthread_rwlock_tryrdlock", CODE, 0);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_trywrlock)(lock);
    int error = take_lock(lock, lock_name, true, "pthread_rwlock_trywrlock", CODE, 0);
    return error == EDEADLK ? EBUSY : error;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_timedrdlock)(lock, deadline);
    return take_lock(lock, lock_name, false, "pthread_rwlock_timedrdlock", CODE,
                     rh__zmq_time_of(deadline, CLOCK_REALTIME));
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_timedwrlock)(lock, deadline);
    return take_lock(lock, lock_name, true, "pthread_rwlock_timedwrlock", CODE,
                     rh__zmq_time_of(deadline, CLOCK_REALTIME));
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_clockrdlock)(lock, clock, deadline);
    return take_lock(lock, lock_name, false, "pthread_rwlock_clockrdlock", CODE,
                     rh__zmq_time_of(deadline, clock));
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_clockwrlock)(lock, clock, deadline);
    return take_lock(lock, lock_name, true, "pthread_rwlock_clockwrlock", CODE,
                     rh__zmq_time_of(deadline, clock));
}

static int release_lock(struct object *lock, const void *code)
{
    if (lock->writer)
        lock->writer = NULL;
    else if (lock->readers > 0)
        lock->readers--;
    rh__zmq_expect_no_more(&lock->shared);
    if (!rh__zmq_is_library(code))
        rh__zmq_check(&lock->shared);
    rh__zmq_release(&lock->shared);
    wake_all(lock);
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_rwlock_unlock)(address);
    return release_lock(get_object(address, lock_name), CODE);
}

// Spin locks are locks that only write.

int pthread_spin_init(pthread_spinlock_t *lock, int is_shared)
{
    initialise((const void *)lock, spin_name);
    return RH_ZMQ_REAL(pthread_spin_init)(lock, is_shared);
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    forget((const void *)lock);
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_spin_lock)(lock);
    return take_lock((const void *)lock, spin_name, true, "pthread_spin_lock", CODE, RH_ZMQ_NEVER);
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_spin_trylock)(lock);
    int error = take_lock((const void *)lock, spin_name, true, "pthread_spin_trylock", CODE, 0);
    return error == EDEADLK ? EBUSY : error;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_spin_unlock)(lock);
    return release_lock(get_object((const void *)lock, spin_name), CODE);
}

// Semaphores. Named ones are shared with other processes.

int sem_init(sem_t *address, int is_shared, unsigned value)
{
    int result = RH_ZMQ_REAL(sem_init)(address, is_shared, value);
    initialise(address, semaphore_name)->value = value;
    return result;
}

int sem_destroy(sem_t *address)
{
    forget(address);
    return 0;
}

sem_t *sem_open(const char *name, int flags, ...)
{
    (void)name, (void)flags;
    rh__zmq_caller(__func__);
    rh__zmq_give_up("sem_open is not supported: named semaphores are not under control");
}

static bool is_positive(const void *context)
{
    return ((const struct object *)context)->value > 0;
}

static int take_semaphore(const void *address, const char *call, const void *code,
                          uint64_t deadline)
{
    struct object *semaphore = get_object(address, semaphore_name);
    begin(semaphore, call, code);
    bool is_taken =
        is_positive(semaphore) ||
        (deadline > rh__zmq_now() && wait_for(semaphore, call, is_positive, semaphore, deadline));
    if (!is_taken) {
        errno = deadline == 0 ? EAGAIN : ETIMEDOUT;
        return -1;
    }
    semaphore->value--;
    return 0;
}

int sem_wait(sem_t *semaphore)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sem_wait)(semaphore);
    return take_semaphore(semaphore, "sem_wait", CODE, RH_ZMQ_NEVER);
}

int sem_trywait(sem_t *semaphore)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sem_trywait)(semaphore);
    return take_semaphore(semaphore, "sem_trywait", CODE, 0);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sem_timedwait)(semaphore, deadline);
    return take_semaphore(semaphore, "sem_timedwait", CODE,
                          rh__zmq_time_of(deadline, CLOCK_REALTIME));
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                  const struct timespec *restrict deadline)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sem_clockwait)(semaphore, clock, deadline);
    return take_semaphore(semaphore, "sem_clockwait", CODE, rh__zmq_time_of(deadline, clock));
}

int sem_post(sem_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sem_post)(address);
    struct object *semaphore = get_object(address, semaphore_name);
    begin(semaphore, "sem_post", CODE);
    semaphore->value++;
    wake_all(semaphore);
    return 0;
}

int sem_getvalue(sem_t *restrict address, int *restrict value)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sem_getvalue)(address, value);
    struct object *semaphore = get_object(address, semaphore_name);
    begin(semaphore, "sem_getvalue", CODE);
    *value = (int)semaphore->value;
    return 0;
}

// Barriers.

// A round of a barrier that a thread waits for.
struct round {
    const struct object *barrier;
    uint64_t number;
};

static bool is_open(const void *context)
{
    const struct round *round = context;
    return round->barrier->round > round->number;
}

int pthread_barrier_init(pthread_barrier_t *restrict address,
                         const pthread_barrierattr_t *restrict attributes, unsigned count)
{
    int error = RH_ZMQ_REAL(pthread_barrier_init)(address, attributes, count);
    if (error == 0)
        initialise(address, barrier_name)->limit = count;
    return error;
}

int pthread_barrier_destroy(pthread_barrier_t *address)
{
    forget(address);
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *address)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pthread_barrier_wait)(address);
    struct object *barrier = get_object(address, barrier_name);
    begin(barrier, "pthread_barrier_wait", CODE);
    const struct round round = {barrier, barrier->round};
    if (++barrier->present < barrier->limit) {
        wait_for(barrier, "pthread_barrier_wait", is_open, &round, RH_ZMQ_NEVER);
        return 0;
    }
    barrier->present = 0;
    barrier->round++;
    wake_all(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

// Once.

static bool is_done(const void *context)
{
    return ((const struct object *)context)->round > 0;
}

// Who comes first, and whether the function has returned, is an event unless the caller knows.
static void begin_once(struct object *once, const void *code)
{
    if (!rh__zmq_is_alone() && !(is_done(once) && rh__zmq_knows_all(&once->shared)))
        begin(once, "pthread_once", code);
}

int pthread_once(pthread_once_t *address, void (*function)(void))
{
    struct object *once = find_object(address);
    if (!rh__zmq_self() || (!once && *address == ONCE_DONE))
        return RH_ZMQ_REAL(pthread_once)(address, function);
    if (!once)
        once = get_object(address, once_name);
    begin_once(once, CODE);
    if (once->writer && once->writer != rh__zmq_self() && !is_done(once))
        wait_for(once, "pthread_once", is_done, once, RH_ZMQ_NEVER);
    if (once->writer || is_done(once))
        return 0;
    once->writer = rh__zmq_self();
    function();
    once->round = 1;
    *address = ONCE_DONE;
    rh__zmq_check(&once->shared);
    rh__zmq_release(&once->shared);
    wake_all(once);
    return 0;
}
