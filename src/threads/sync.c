// SPDX-License-Identifier: MIT
// Functions of pthreads, as the engine serves them while the program runs under control.
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "threads/engine.h"
#include "threads/hooks.h"
#include "trace/finding_kind.h"

#define HERE ((uintptr_t)__builtin_return_address(0))
#define SERVES (rh__has_engine && rh__engine->is_active)

// Calls libc's function of this name.
#define REAL(result, name, types, ...)                                                             \
    (__extension__({                                                                               \
        result(*real) types;                                                                       \
        void *symbol = dlsym(RTLD_NEXT, #name);                                                    \
        memcpy(&real, &symbol, sizeof real);                                                       \
        real(__VA_ARGS__);                                                                         \
    }))

struct rh_mutex *rh__mutex_at(uintptr_t address)
{
    struct rh_engine *engine = rh__engine;
    for (int i = 0; i < engine->mutex_count; i++)
        if (engine->mutexes[i].address == address)
            return &engine->mutexes[i];
    rh_assert(engine->mutex_count < RH_MUTEXES_MOST);
    struct rh_mutex *mutex = &engine->mutexes[engine->mutex_count++];
    *mutex = (struct rh_mutex){.address = address, .owner = -1, .released = UINT16_MAX};
    return mutex;
}

// --- Threads. ---

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    if (!SERVES)
        return REAL(int, pthread_create,
                    (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), handle,
                    attributes, function, argument);
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
        return REAL(int, pthread_join, (pthread_t, void **), handle, result);
    int number = thread_of(handle);
    if (number < 0)
        return ESRCH;
    if (number == rh__engine->current)
        return EDEADLK;
    rh__point(RH_EVENT_JOIN, (uintptr_t)number, 1, false, HERE);
    if (result)
        *result = rh__engine->threads[number].result;
    return 0;
}

// --- Mutexes. ---

int pthread_mutex_lock(pthread_mutex_t *address)
{
    if (!SERVES)
        return REAL(int, pthread_mutex_lock, (pthread_mutex_t *), address);
    if (rh__engine->quiet)
        return 0;
    rh__point(RH_EVENT_LOCK, (uintptr_t)address, 1, false, HERE);
    rh__mutex_at((uintptr_t)address)->owner = rh__engine->current;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *address)
{
    if (!SERVES)
        return REAL(int, pthread_mutex_unlock, (pthread_mutex_t *), address);
    if (rh__engine->quiet)
        return 0;
    struct rh_mutex *mutex = rh__mutex_at((uintptr_t)address);
    if (mutex->owner != rh__engine->current)
        rh__fail(RH_FINDING_CHECK, HERE, "unlocks a mutex that it does not hold");
    mutex->owner = -1;
    mutex->released = rh__current()->last;
    return 0;
}

// --- Deadlocks. ---

static void say_wait(struct rh_text *text, int number)
{
    const struct rh_fiber *thread = &rh__engine->threads[number];
    rh_text_add(text, text->length ? ", " : "");
    rh__thread_print(number, text);
    if (thread->pending.kind == RH_EVENT_JOIN) {
        rh_text_add(text, " waits for the end of ");
        rh__thread_print((int)thread->pending.address, text);
    } else {
        rh_text_add(text, " waits for a lock that ");
        rh__thread_print(rh__mutex_at(thread->pending.address)->owner, text);
        rh_text_add(text, " holds");
    }
}

void rh__deadlock(void)
{
    struct rh_text text = {0};
    uintptr_t code = 0;
    rh__engine->is_serving = false;
    for (int i = 0; i < rh__engine->thread_count; i++) {
        if (rh__engine->threads[i].state != RH_THREAD_ALIVE)
            continue;
        say_wait(&text, i);
        if (rh__engine->threads[i].pending.kind != RH_EVENT_JOIN && !code)
            code = rh__engine->threads[i].pending.code;
    }
    char sentence[RH_TEXT_MOST];
    strncpy(sentence, rh_text_get(&text), sizeof sentence - 1);
    sentence[sizeof sentence - 1] = '\0';
    rh_text_fini(&text);
    rh__fail(RH_FINDING_DEADLOCK, code, "%s", sentence);
}
