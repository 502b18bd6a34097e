// SPDX-License-Identifier: MIT
// kind: refinement
// The object's address is published before the object is filled, and read without the lock.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct object {
    int value;
};
#ifdef FIXED
static struct object *_Atomic object;
#else
static struct object *object;
#endif

static int get(void)
{
    if (!object) {
        pthread_mutex_lock(&lock);
        if (!object) {
            struct object *made = malloc(sizeof *made);
#ifdef FIXED
            made->value = 42;
            object = made;
#else
            object = made;
            made->value = 42;
#endif
        }
        pthread_mutex_unlock(&lock);
    }
    return object->value;
}

RH_THREADS(early)
{
    rh_thread
    {
        RH_CALL(get());
    }
    rh_thread
    {
        RH_CALL(get());
    }
}
