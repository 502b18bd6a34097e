// SPDX-License-Identifier: MIT
// kind: deadlock
// A barrier without a phase: whoever comes to the second round early is counted in the first.
#include <pthread.h>
#include <rehearse/component.h>

enum { THREADS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int count, phase;

static void meet(void)
{
    pthread_mutex_lock(&lock);
    count++;
#ifdef FIXED
    int own = phase;
    if (count == THREADS) {
        count = 0;
        phase++;
        pthread_cond_broadcast(&all);
    }
    while (own == phase)
        pthread_cond_wait(&all, &lock);
#else
    if (count == THREADS)
        pthread_cond_broadcast(&all);
    while (count < THREADS)
        pthread_cond_wait(&all, &lock);
    count = 0;
    (void)phase;
#endif
    pthread_mutex_unlock(&lock);
}

RH_THREADS(twice)
{
    rh_thread
    {
        meet();
        meet();
    }
    rh_thread
    {
        meet();
        meet();
    }
}
