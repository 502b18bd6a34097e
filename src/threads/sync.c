// SPDX-License-Identifier: MIT
// Functions of pthreads, as the engine serves them while the program runs under control. An object
// is known by its address, from its first use in an execution; what lies at that address is libc's,
// and only looked at for the type of a mutex.
#include <errno.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/real.h"
#include "trace/finding_kind.h"

#define HERE ((uintptr_t)__builtin_return_address(0))
#define SERVES (rh__has_engine && rh__engine->is_active)

struct rh_waitable *rh__object_at(uintptr_t address)
{
    struct rh_engine *engine = rh__engine;
    for (int i = 0; i < engine->object_count; i++)
        if (engine->objects[i].address == address)
            return &engine->objects[i];
    if (engine->object_count == RH_OBJECTS_MOST)
        rh__exceed("uses more than 1,024 locks and the like");
    struct rh_waitable *object = &engine->objects[engine->object_count++];
    *object = (struct rh_waitable){.address = address, .owner = -1, .released = UINT16_MAX};
    return object;
}

static struct rh_waitable *forget(uintptr_t address)
{
    struct rh_waitable *object = rh__object_at(address);
    *object = (struct rh_waitable){.address = address, .owner = -1, .released = UINT16_MAX};
    return object;
}

static void check_freed(uintptr_t address, uintptr_t code)
{
    if (rh__heap_is_freed(address))
        rh__fail(RH_FINDING_CRASH, code, "uses a lock or the like in memory that was freed");
}

// Uses the object as the event says. Somebody may free it meanwhile.
static void wait_for(const struct rh_act *event)
{
    rh__note_object(event->address);
    rh__wait(event);
    check_freed(event->address, event->code);
}

static void use(const void *object, enum rh_act_kind kind, enum rh_need need, const char *deed,
                uintptr_t code)
{
    wait_for(&(struct rh_act){.address = (uintptr_t)object,
                              .code = code,
                              .size = 1,
                              .kind = (uint8_t)kind,
                              .need = (uint8_t)need,
                              .is_atomic = true,
                              .deed = deed});
}

// What uses an object and has no order of its own by that: condition variables.
static void notify(const void *object, const char *deed, uintptr_t code)
{
    wait_for(&(struct rh_act){
        .address = (uintptr_t)object, .code = code, .size = 1, .kind = RH_ACT_SYNC, .deed = deed});
}

// What a wait with a time limit gives that has tried once. If it was in vain, time has passed.
static int late_unless(int error, const struct timespec *until, uintptr_t code)
{
    if (error)
        rh__let_pass_until(until, code);
    return error ? ETIMEDOUT : 0;
}

// --- Threads. ---

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    if (!SERVES)
        return RH_REAL(int, pthread_create,
                       (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))(
            handle, attributes, function, argument);
    int number = rh__thread_create(function, argument);
    if (number < 0)
        return EAGAIN;
    *handle = rh__engine->threads[number].handle;
    return 0;
}

static int thread_of(pthread_t handle)
{
    for (int i = 0; i < rh__engine->thread_count; i++)
        if (pthread_equal(rh__engine->threads[i].handle, handle))
            return i;
    return -1;
}

int pthread_join(pthread_t handle, void **result)
{
    if (!SERVES)
        return RH_REAL(int, pthread_join, (pthread_t, void **))(handle, result);
    int number = thread_of(handle);
    if (number < 0)
        return ESRCH;
    if (number == rh__engine->current)
        return EDEADLK;
    rh__wait(&(struct rh_act){.address = (uintptr_t)number,
                              .code = HERE,
                              .size = 1,
                              .kind = RH_ACT_JOIN,
                              .need = RH_NEED_ENDED});
    if (result)
        *result = rh__engine->threads[number].result;
    return 0;
}

int pthread_detach(pthread_t handle)
{
    return SERVES ? 0 : RH_REAL(int, pthread_detach, (pthread_t))(handle);
}

void pthread_exit(void *result)
{
    if (!SERVES)
        RH_REAL(void, pthread_exit, (void *))(result);
    rh__keys_end();
    rh__current()->has_left = true;
    rh__thread_end(result);
}

// --- Mutexes. ---

static int type_of(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & 3;
}

// Takes the mutex if it is the thread's own already; -1: it is not.
static int lock_again(struct rh_waitable *object, const pthread_mutex_t *mutex)
{
    if (object->owner != rh__engine->current)
        return -1;
    if (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE)
        return object->depth++, 0;
    return type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : -1;
}

static void take(uintptr_t address)
{
    struct rh_waitable *object = rh__object_at(address);
    object->owner = rh__engine->current;
    object->depth = 1;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (!SERVES)
        return RH_REAL(int, pthread_mutex_lock, (pthread_mutex_t *))(mutex);
    if (rh__engine->quiet)
        return 0;
    int again = lock_again(rh__object_at((uintptr_t)mutex), mutex);
    if (again >= 0)
        return again;
    use(mutex, RH_ACT_LOCK, RH_NEED_FREE, NULL, HERE);
    take((uintptr_t)mutex);
    return 0;
}

static int try_lock(const void *object, uintptr_t code)
{
    rh__note_tried((uintptr_t)object);
    use(object, RH_ACT_SYNC, RH_NEED_NOTHING, "tries", code);
    struct rh_waitable *found = rh__object_at((uintptr_t)object);
    if (found->owner >= 0 || found->readers)
        return EBUSY;
    take((uintptr_t)object);
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    if (!SERVES)
        return RH_REAL(int, pthread_mutex_trylock, (pthread_mutex_t *))(mutex);
    if (rh__engine->quiet)
        return 0;
    int again = lock_again(rh__object_at((uintptr_t)mutex), mutex);
    return again == 0 ? 0 : again > 0 ? EBUSY : try_lock(mutex, HERE);
}

// Time passes as it likes: a lock that is not free may be waited for in vain.
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_mutex_timedlock,
                       (pthread_mutex_t *, const struct timespec *))(mutex, until);
    return late_unless(pthread_mutex_trylock(mutex), until, HERE);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_mutex_clocklock,
                       (pthread_mutex_t *, clockid_t, const struct timespec *))(mutex, clock,
                                                                                until);
    return pthread_mutex_timedlock(mutex, until);
}

// Gives the object back. It is an event only if somebody could tell when it happens, but calls in
// always, so that schedules have the same number of calls whatever is an event.
static void give_back(uintptr_t address, uintptr_t code)
{
    if (rh__is_tried(address) || rh__is_object_shared(address)) {
        use((const void *)address, RH_ACT_SYNC, RH_NEED_NOTHING, "unlocks", code);
    } else {
        check_freed(address, code);
        rh__current()->calls++;
        if (rh__engine->mode == RH_MODE_FOLLOW)
            rh__follow();
    }
    struct rh_waitable *object = rh__object_at(address);
    object->owner = -1;
    object->released = rh__current()->last;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (!SERVES)
        return RH_REAL(int, pthread_mutex_unlock, (pthread_mutex_t *))(mutex);
    if (rh__engine->quiet)
        return 0;
    struct rh_waitable *object = rh__object_at((uintptr_t)mutex);
    if (object->owner != rh__engine->current && type_of(mutex) != PTHREAD_MUTEX_NORMAL)
        return EPERM;
    if (object->owner != rh__engine->current)
        rh__fail(RH_FINDING_CHECK, HERE, "unlocks a mutex that it does not hold");
    if (--object->depth == 0)
        give_back((uintptr_t)mutex, HERE);
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    if (SERVES)
        forget((uintptr_t)mutex);
    return RH_REAL(int, pthread_mutex_init,
                   (pthread_mutex_t *, const pthread_mutexattr_t *))(mutex, attributes);
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    if (SERVES && rh__object_at((uintptr_t)mutex)->owner >= 0)
        return EBUSY;
    return RH_REAL(int, pthread_mutex_destroy, (pthread_mutex_t *))(mutex);
}

// --- Locks for readers and writers. ---

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    if (SERVES)
        forget((uintptr_t)lock);
    return RH_REAL(int, pthread_rwlock_init,
                   (pthread_rwlock_t *, const pthread_rwlockattr_t *))(lock, attributes);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_rdlock, (pthread_rwlock_t *))(lock);
    if (rh__engine->quiet)
        return 0;
    use(lock, RH_ACT_SHARE, RH_NEED_UNLOCKED, NULL, HERE);
    rh__object_at((uintptr_t)lock)->readers++;
    return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_wrlock, (pthread_rwlock_t *))(lock);
    if (rh__engine->quiet)
        return 0;
    use(lock, RH_ACT_LOCK, RH_NEED_FREE, NULL, HERE);
    take((uintptr_t)lock);
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *))(lock);
    rh__note_tried((uintptr_t)lock);
    use(lock, RH_ACT_SYNC, RH_NEED_NOTHING, "tries", HERE);
    struct rh_waitable *object = rh__object_at((uintptr_t)lock);
    if (object->owner >= 0)
        return EBUSY;
    object->readers++;
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *))(lock);
    return try_lock(lock, HERE);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_timedrdlock,
                       (pthread_rwlock_t *, const struct timespec *))(lock, until);
    return late_unless(pthread_rwlock_tryrdlock(lock), until, HERE);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_timedwrlock,
                       (pthread_rwlock_t *, const struct timespec *))(lock, until);
    return late_unless(pthread_rwlock_trywrlock(lock), until, HERE);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_clockrdlock,
                       (pthread_rwlock_t *, clockid_t, const struct timespec *))(lock, clock,
                                                                                 until);
    return pthread_rwlock_timedrdlock(lock, until);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_clockwrlock,
                       (pthread_rwlock_t *, clockid_t, const struct timespec *))(lock, clock,
                                                                                 until);
    return pthread_rwlock_timedwrlock(lock, until);
}

// A reader's is an event always: whoever writes next comes after all readers, and not only after
// the last.
int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    if (!SERVES)
        return RH_REAL(int, pthread_rwlock_unlock, (pthread_rwlock_t *))(lock);
    if (rh__engine->quiet)
        return 0;
    struct rh_waitable *object = rh__object_at((uintptr_t)lock);
    if (object->owner == rh__engine->current) {
        give_back((uintptr_t)lock, HERE);
        return 0;
    }
    if (object->readers == 0)
        rh__fail(RH_FINDING_CHECK, HERE, "unlocks a lock that it does not hold");
    use(lock, RH_ACT_SYNC, RH_NEED_NOTHING, "unlocks", HERE);
    object->readers--;
    object->released = rh__current()->last;
    return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    if (SERVES)
        forget((uintptr_t)lock);
    return RH_REAL(int, pthread_spin_init, (pthread_spinlock_t *, int))(lock, shared);
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    if (!SERVES)
        return RH_REAL(int, pthread_spin_lock, (pthread_spinlock_t *))(lock);
    use((const void *)lock, RH_ACT_LOCK, RH_NEED_FREE, NULL, HERE);
    take((uintptr_t)lock);
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    return SERVES ? try_lock((const void *)lock, HERE)
                  : RH_REAL(int, pthread_spin_trylock, (pthread_spinlock_t *))(lock);
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    if (!SERVES)
        return RH_REAL(int, pthread_spin_unlock, (pthread_spinlock_t *))(lock);
    if (rh__object_at((uintptr_t)lock)->owner != rh__engine->current)
        rh__fail(RH_FINDING_CHECK, HERE, "unlocks a lock that it does not hold");
    give_back((uintptr_t)lock, HERE);
    return 0;
}

// --- Condition variables. ---

// Whether the thread wakes for no reason, which it need not do: who waits in vain is found too.
// Once in an execution: a loop around it would have no end.
static bool wakes_alone(struct rh_fiber *thread)
{
    bool is_alone = rh__engine->has_spurious && !thread->has_woken_alone && rh__choice(2);
    thread->has_woken_alone = thread->has_woken_alone || is_alone;
    return is_alone;
}

static int wait_at(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until,
                   uintptr_t code)
{
    struct rh_fiber *thread = rh__current();
    if (rh__object_at((uintptr_t)mutex)->owner != rh__engine->current)
        rh__fail(RH_FINDING_CHECK, code, "waits with a mutex that it does not hold");
    notify(condition, "waits at", code);
    bool is_alone = !until && wakes_alone(thread);
    thread->waits = (uintptr_t)condition;
    thread->is_woken = false;
    int depth = rh__object_at((uintptr_t)mutex)->depth;
    give_back((uintptr_t)mutex, code);
    thread->relock = (struct rh_act){.address = (uintptr_t)mutex,
                                     .code = code,
                                     .size = 1,
                                     .kind = RH_ACT_LOCK,
                                     .need = RH_NEED_FREE,
                                     .is_atomic = true};
    thread->times_out = (until || is_alone) && !thread->is_woken;
    if (thread->is_woken) // before it had given the mutex back
        thread->woken_by = thread->signalled_by;
    if (thread->times_out)
        notify(condition, is_alone ? "wakes alone at" : "times out at", code);
    else
        rh__wait(&thread->relock);
    thread->times_out = false;
    bool is_late = !thread->is_woken;
    thread->waits = 0;
    if (is_late)
        rh__wait(&thread->relock);
    take((uintptr_t)mutex);
    rh__object_at((uintptr_t)mutex)->depth = depth;
    return is_late && until ? late_unless(ETIMEDOUT, until, code) : 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    if (!SERVES)
        return RH_REAL(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *))(condition,
                                                                                      mutex);
    return wait_at(condition, mutex, NULL, HERE);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_cond_timedwait,
                       (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))(
            condition, mutex, until);
    return wait_at(condition, mutex, until, HERE);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, pthread_cond_clockwait,
                       (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))(
            condition, mutex, clock, until);
    return wait_at(condition, mutex, until, HERE);
}

static void wake(struct rh_fiber *thread)
{
    thread->is_woken = true;
    thread->signalled_by = rh__current()->last;
    bool has_mutex = thread->pending.kind != RH_ACT_LOCK && !thread->times_out;
    if (has_mutex)
        return;
    thread->woken_by = thread->signalled_by;
    if (thread->pending.kind == RH_ACT_LOCK)
        return;
    // It would have timed out; now it wants its mutex back.
    int number = (int)(thread - rh__engine->threads);
    thread->calls++;
    thread->pending = thread->relock;
    thread->pending.thread = (uint8_t)number;
    thread->pending.call = thread->calls;
}

static int find_waiting(const pthread_cond_t *condition, int *threads)
{
    int count = 0;
    for (int i = 0; i < rh__engine->thread_count; i++) {
        const struct rh_fiber *thread = &rh__engine->threads[i];
        if (thread->waits == (uintptr_t)condition && !thread->is_woken)
            threads[count++] = i;
    }
    return count;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    int waiting[RH_THREADS_MOST];
    if (!SERVES)
        return RH_REAL(int, pthread_cond_signal, (pthread_cond_t *))(condition);
    notify(condition, "signals", HERE);
    int count = find_waiting(condition, waiting);
    if (count)
        wake(&rh__engine->threads[waiting[rh__choice(count)]]);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    int waiting[RH_THREADS_MOST];
    if (!SERVES)
        return RH_REAL(int, pthread_cond_broadcast, (pthread_cond_t *))(condition);
    notify(condition, "signals all at", HERE);
    int count = find_waiting(condition, waiting);
    for (int i = 0; i < count; i++)
        wake(&rh__engine->threads[waiting[i]]);
    return 0;
}

// --- Semaphores. ---

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    if (rh__has_engine && rh__engine->is_serving && !SERVES)
        return RH_REAL(int, sem_init, (sem_t *, int, unsigned))(semaphore, shared, value);
    if (SERVES)
        *forget((uintptr_t)semaphore) = (struct rh_waitable){.address = (uintptr_t)semaphore,
                                                             .owner = -1,
                                                             .is_semaphore = true,
                                                             .value = value,
                                                             .released = UINT16_MAX};
    return RH_REAL(int, sem_init, (sem_t *, int, unsigned))(semaphore, shared, value);
}

// A semaphore that was made before the execution has its value from libc.
static struct rh_waitable *semaphore_at(sem_t *semaphore)
{
    int count = rh__engine->object_count;
    struct rh_waitable *object = rh__object_at((uintptr_t)semaphore);
    int value = 0;
    object->is_semaphore = true;
    if (rh__engine->object_count > count &&
        RH_REAL(int, sem_getvalue, (sem_t *, int *))(semaphore, &value) == 0)
        object->value = value;
    return object;
}

int sem_post(sem_t *semaphore)
{
    if (!SERVES)
        return RH_REAL(int, sem_post, (sem_t *))(semaphore);
    semaphore_at(semaphore);
    use(semaphore, RH_ACT_SYNC, RH_NEED_NOTHING, "posts", HERE);
    semaphore_at(semaphore)->value++;
    return 0;
}

int sem_wait(sem_t *semaphore)
{
    if (!SERVES)
        return RH_REAL(int, sem_wait, (sem_t *))(semaphore);
    semaphore_at(semaphore);
    use(semaphore, RH_ACT_SYNC, RH_NEED_POSITIVE, "takes", HERE);
    semaphore_at(semaphore)->value--;
    return 0;
}

int sem_trywait(sem_t *semaphore)
{
    if (!SERVES)
        return RH_REAL(int, sem_trywait, (sem_t *))(semaphore);
    semaphore_at(semaphore);
    use(semaphore, RH_ACT_SYNC, RH_NEED_NOTHING, "tries", HERE);
    struct rh_waitable *object = semaphore_at(semaphore);
    if (object->value == 0) {
        errno = EAGAIN;
        return -1;
    }
    object->value--;
    return 0;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, sem_timedwait, (sem_t *, const struct timespec *))(semaphore, until);
    int result = sem_trywait(semaphore);
    if (result < 0)
        errno = late_unless(errno, until, HERE);
    return result;
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    if (!SERVES)
        return RH_REAL(int, sem_clockwait,
                       (sem_t *, clockid_t, const struct timespec *))(semaphore, clock, until);
    return sem_timedwait(semaphore, until);
}

int sem_getvalue(sem_t *semaphore, int *value)
{
    if (!SERVES)
        return RH_REAL(int, sem_getvalue, (sem_t *, int *))(semaphore, value);
    semaphore_at(semaphore);
    use(semaphore, RH_ACT_SYNC, RH_NEED_NOTHING, "looks at", HERE);
    *value = (int)semaphore_at(semaphore)->value;
    return 0;
}

// --- Barriers. ---

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                         unsigned count)
{
    if (rh__has_engine && rh__engine->is_serving && count) {
        // Before executions too: libc does not tell how many it waits for.
        memcpy(barrier, &count, sizeof count);
        if (SERVES)
            forget((uintptr_t)barrier)->capacity = count;
        return 0;
    }
    return RH_REAL(int, pthread_barrier_init,
                   (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned))(
        barrier, attributes, count);
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    return SERVES ? 0 : RH_REAL(int, pthread_barrier_destroy, (pthread_barrier_t *))(barrier);
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    if (!SERVES)
        return RH_REAL(int, pthread_barrier_wait, (pthread_barrier_t *))(barrier);
    use(barrier, RH_ACT_SYNC, RH_NEED_NOTHING, "comes to", HERE);
    struct rh_waitable *object = rh__object_at((uintptr_t)barrier);
    unsigned count;
    memcpy(&count, barrier, sizeof count);
    rh__current()->passed = object->passed;
    if (++object->value < (int64_t)count) {
        use(barrier, RH_ACT_PASS, RH_NEED_PASSED, NULL, HERE);
        return 0;
    }
    object->value = 0;
    object->passed++;
    object->released = rh__current()->last;
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

// --- Once, and a thread's own values. ---

int pthread_once(pthread_once_t *once, void (*function)(void))
{
    enum { DONE = 2 };
    if (!SERVES)
        return RH_REAL(int, pthread_once, (pthread_once_t *, void (*)(void)))(once, function);
    use(once, RH_ACT_LOCK, RH_NEED_FREE, NULL, HERE);
    if (rh__object_at((uintptr_t)once)->state == DONE || *once == DONE)
        return 0;
    take((uintptr_t)once);
    function();
    rh__object_at((uintptr_t)once)->state = DONE;
    give_back((uintptr_t)once, HERE);
    return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    struct rh_engine *engine = rh__engine;
    if (!SERVES)
        return RH_REAL(int, pthread_key_create, (pthread_key_t *, void (*)(void *)))(key,
                                                                                     destructor);
    if (engine->key_count == RH_KEYS_MOST)
        return EAGAIN;
    engine->destructors[engine->key_count] = destructor;
    *key = RH_OWN_KEYS + (pthread_key_t)engine->key_count++;
    return 0;
}

static bool is_own_key(pthread_key_t key)
{
    return SERVES && key - RH_OWN_KEYS < RH_KEYS_MOST;
}

int pthread_key_delete(pthread_key_t key)
{
    if (is_own_key(key))
        rh__engine->destructors[key - RH_OWN_KEYS] = NULL;
    return is_own_key(key) ? 0 : RH_REAL(int, pthread_key_delete, (pthread_key_t))(key);
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (!is_own_key(key))
        return RH_REAL(int, pthread_setspecific, (pthread_key_t, const void *))(key, value);
    rh__current()->values[key - RH_OWN_KEYS] = (void *)(uintptr_t)value;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    return is_own_key(key) ? rh__current()->values[key - RH_OWN_KEYS]
                           : RH_REAL(void *, pthread_getspecific, (pthread_key_t))(key);
}

void rh__keys_end(void)
{
    for (int i = 0; i < rh__engine->key_count; i++) {
        void *value = rh__current()->values[i];
        rh__current()->values[i] = NULL;
        if (value && rh__engine->destructors[i])
            rh__engine->destructors[i](value);
    }
}

// --- Deadlocks. ---

static void say_wait(struct rh_text *text, int number)
{
    const struct rh_fiber *thread = &rh__engine->threads[number];
    rh_text_add(text, text->length ? ", " : "");
    rh__thread_print(number, text);
    if (thread->pending.need == RH_NEED_ENDED) {
        rh_text_add(text, " waits for the end of ");
        rh__thread_print((int)thread->pending.address, text);
        return;
    }
    if (thread->waits && !thread->is_woken) {
        rh_text_add(text, " waits for a signal");
        return;
    }
    if (thread->pending.need == RH_NEED_NOTHING) {
        rh_text_add(text, " goes round a loop");
        return;
    }
    int owner = rh__object_at(thread->pending.address)->owner;
    if (thread->pending.need == RH_NEED_PASSED) {
        rh_text_add(text, " waits at a barrier");
    } else if (thread->pending.need == RH_NEED_POSITIVE) {
        rh_text_add(text, " waits for a semaphore");
    } else if (owner < 0) {
        rh_text_add(text, " waits for a lock that others hold");
    } else {
        rh_text_add(text, " waits for a lock that ");
        rh__thread_print(owner, text);
        rh_text_add(text, " holds");
    }
}

void rh__deadlock(void)
{
    struct rh_text text = {0};
    uintptr_t code = 0;
    int first = 0;
    rh__engine->is_active = rh__engine->is_serving = false;
    for (int i = 0; i < rh__engine->thread_count; i++) {
        if (rh__engine->threads[i].state != RH_THREAD_ALIVE)
            continue;
        say_wait(&text, i);
        if (rh__engine->threads[i].pending.need != RH_NEED_ENDED && !code) {
            code = rh__engine->threads[i].pending.code;
            first = i;
        }
    }
    char sentence[RH_TEXT_MOST];
    strncpy(sentence, rh_text_get(&text), sizeof sentence - 1);
    sentence[sizeof sentence - 1] = '\0';
    rh_text_fini(&text);
    rh__engine->current = first;
    rh__fail(RH_FINDING_DEADLOCK, code, "%s", sentence);
}
