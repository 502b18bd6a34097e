// SPDX-License-Identifier: MIT
// kind: deadlock
// A buffer for one element; producers and consumers wait at one condition variable, and a signal
// may wake the wrong one.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_full;

static void notify(void)
{
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
}

static void put(void)
{
    pthread_mutex_lock(&lock);
    while (is_full)
        pthread_cond_wait(&changed, &lock);
    is_full = true;
    notify();
    pthread_mutex_unlock(&lock);
}

static void get(void)
{
    pthread_mutex_lock(&lock);
    while (!is_full)
        pthread_cond_wait(&changed, &lock);
    is_full = false;
    notify();
    pthread_mutex_unlock(&lock);
}

RH_THREADS(wrong_one)
{
    rh_thread
    {
        get();
    }
    rh_thread
    {
        get();
    }
    rh_thread
    {
        put();
    }
    rh_thread
    {
        put();
    }
}
