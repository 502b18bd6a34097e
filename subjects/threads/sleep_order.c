// SPDX-License-Identifier: MIT
// kind: check
// The parent sleeps instead of joining its child.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic int result;

static void *child(void *argument)
{
    (void)argument;
    result = 42;
    return NULL;
}

RH_THREADS(asleep)
{
    rh_thread
    {
        pthread_t thread;
        pthread_create(&thread, NULL, child, NULL);
#ifdef FIXED
        pthread_join(thread, NULL);
#else
        usleep(100000);
#endif
        RH_CHECK(result == 42);
    }
}
