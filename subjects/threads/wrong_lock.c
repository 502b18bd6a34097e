// SPDX-License-Identifier: MIT
// kind: refinement
// Two counters, and an operation on the first that takes the second's lock.
#include <pthread.h>
#include <rehearse/component.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};
static struct counter a = {PTHREAD_MUTEX_INITIALIZER, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 0};

static int add(struct counter *counter, struct counter *locked)
{
    pthread_mutex_lock(&locked->lock);
    int value = ++counter->value;
    pthread_mutex_unlock(&locked->lock);
    return value;
}

RH_THREADS(both)
{
    rh_thread
    {
        RH_CALL(add(&a, &a));
    }
#ifdef FIXED
    rh_thread
    {
        RH_CALL(add(&a, &a));
    }
    (void)b;
#else
    rh_thread
    {
        RH_CALL(add(&a, &b));
    }
#endif
}
