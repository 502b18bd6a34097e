// SPDX-License-Identifier: MIT
// kind: deadlock
// The master gives up without telling the workers, which wait for work for ever.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int work;
static bool is_over;
static _Atomic bool is_broken;

static void worker(void)
{
    pthread_mutex_lock(&lock);
    while (!work && !is_over)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void master(void)
{
#ifndef FIXED
    if (is_broken)
        return;
#endif
    pthread_mutex_lock(&lock);
    if (is_broken)
        is_over = true;
    else
        work++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

RH_THREADS(alone)
{
    rh_thread
    {
        master();
    }
    rh_thread
    {
        worker();
    }
    rh_thread
    {
        is_broken = true;
    }
}
