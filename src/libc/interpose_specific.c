// SPDX-License-Identifier: MIT
// Thread-specific data. What the program sets while it is under control lies in memory/specific.h,
// not in libc. Keys are libc's: those that a handler creates were reserved before, so that creating
// one changes nothing in libc, and a thread that a handler has started can use them.
#include "libc/real.h"

#include <pthread.h>
#include <threads.h>

#include "memory/specific.h"

#define IN_specific(...) __VA_ARGS__
#define RESOLVE rh__resolve_specific
#include "libc/interposed.h"

enum { RESERVED = 64 };

// Runs handlers. Another thread may use keys before it comes to a function of the program's, as
// those do that AddressSanitizer starts.
static pthread_t under_control;

void rh__reserve_keys(void)
{
    under_control = pthread_self();
    rh_specific_map();
    for (int i = 0; i < RESERVED; i++) {
        pthread_key_t key;
        if (REAL(pthread_key_create)(&key, NULL) == 0) {
            rh__specific[key].is_reserved = true;
        }
    }
}

// Whether the program's code is running on the thread under control; that of judges and guards too.
static bool is_program(void)
{
    return rh__process.world_stack && rh__specific && pthread_equal(pthread_self(), under_control);
}

static bool is_reserved(pthread_key_t key)
{
    return key < PTHREAD_KEYS_MAX && rh__specific[key].is_reserved;
}

// Whether the key is in use. libc is asked about its own by setting what is there already.
static bool is_key(pthread_key_t key)
{
    if (is_reserved(key)) {
        return rh__specific[key].is_created;
    }
    return REAL(pthread_setspecific)(key, REAL(pthread_getspecific)(key)) == 0;
}

static void put(pthread_key_t key, struct rh_specific specific)
{
    specific.is_reserved = rh__specific[key].is_reserved;
    rh_globals_touch(&rh__specific[key], sizeof specific);
    rh__specific[key] = specific;
}

static bool set(pthread_key_t key, const void *value)
{
    bool is_valid = is_key(key);
    if (is_valid) {
        put(key,
            (struct rh_specific){.value = value, .is_set = true, .is_created = is_reserved(key)});
    }
    return is_valid;
}

static bool create(pthread_key_t *key)
{
    for (pthread_key_t i = 0; i < PTHREAD_KEYS_MAX; i++) {
        if (is_reserved(i) && !rh__specific[i].is_created) {
            put(i, (struct rh_specific){.is_set = true, .is_created = true});
            *key = i;
            return true;
        }
    }
    return false;
}

// libc's own, for who has used up the reserved ones.
static int create_for_good(pthread_key_t *key, void (*destroy)(void *))
{
    if (rh__controlled()) {
        rh_world_cannot_undo("pthread_key_create");
    }
    int was_inside = rh__step_outside();
    int error = REAL(pthread_key_create)(key, destroy);
    rh__step_inside(was_inside);
    return error;
}

static int delete (pthread_key_t key)
{
    if (!is_key(key)) {
        return EINVAL;
    }
    put(key, (struct rh_specific){0});
    if (is_reserved(key)) {
        return 0;
    }
    if (rh__controlled()) {
        rh_world_cannot_undo("pthread_key_delete");
    }
    return REAL(pthread_key_delete)(key);
}

RH_ENTRY(int, pthread_key_create, (pthread_key_t * key, void (*destroy)(void *)))
{
    if (!is_program()) {
        return REAL(pthread_key_create)(key, destroy);
    }
    return create(key) ? 0 : create_for_good(key, destroy);
}

RH_ENTRY(int, pthread_key_delete, (pthread_key_t key))
{
    return is_program() ? delete (key) : REAL(pthread_key_delete)(key);
}

RH_ENTRY(int, pthread_setspecific, (pthread_key_t key, const void *value))
{
    if (!is_program()) {
        return REAL(pthread_setspecific)(key, value);
    }
    return set(key, value) ? 0 : EINVAL;
}

RH_ENTRY(void *, pthread_getspecific, (pthread_key_t key))
{
    if (is_program() && key < PTHREAD_KEYS_MAX && rh__specific[key].is_set) {
        return (void *)(uintptr_t)rh__specific[key].value;
    }
    return REAL(pthread_getspecific)(key);
}

RH_ENTRY(int, tss_create, (tss_t * key, tss_dtor_t destroy))
{
    return pthread_key_create(key, destroy) == 0 ? thrd_success : thrd_error;
}

RH_ENTRY_VOID(tss_delete, (tss_t key))
{
    pthread_key_delete(key);
}

RH_ENTRY(int, tss_set, (tss_t key, void *value))
{
    return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

RH_ENTRY(void *, tss_get, (tss_t key))
{
    return pthread_getspecific(key);
}
