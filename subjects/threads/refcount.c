// SPDX-License-Identifier: MIT
// kind: crash
// get finds the object and then takes a reference; in between put may drop the last one and free
// it.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object {
    _Atomic int count;
} * _Atomic object;

static void put(struct object *used)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    if (atomic_fetch_sub(&used->count, 1) == 1) {
        object = NULL;
        free(used);
    }
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
}

static struct object *get(void)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    struct object *found = object;
    if (found)
        atomic_fetch_add(&found->count, 1);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return found;
}

static void setup(void)
{
    object = calloc(1, sizeof *object);
    object->count = 1;
}

RH_COMPONENT(object){.setup = setup};

RH_THREADS(freed)
{
    rh_thread
    {
        struct object *found = get();
        if (found)
            put(found);
    }
    rh_thread
    {
        put(object);
    }
}
