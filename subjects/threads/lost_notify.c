// SPDX-License-Identifier: MIT
// kind: deadlock
// The flag is tested outside of the lock: if it is set, and the signal sent, between the test and
// the wait, nobody wakes the waiter.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_there = PTHREAD_COND_INITIALIZER;
static _Atomic bool flag;

static void wait_for(void)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    while (!flag)
        pthread_cond_wait(&is_there, &lock);
    pthread_mutex_unlock(&lock);
#else
    if (flag)
        return;
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&is_there, &lock);
    pthread_mutex_unlock(&lock);
#endif
}

static void set(void)
{
    pthread_mutex_lock(&lock);
    flag = true;
    pthread_cond_signal(&is_there);
    pthread_mutex_unlock(&lock);
}

RH_THREADS(lost)
{
    rh_thread
    {
        wait_for();
    }
    rh_thread
    {
        set();
    }
}
