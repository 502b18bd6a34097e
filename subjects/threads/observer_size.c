// SPDX-License-Identifier: MIT
// kind: refinement
// size sums the counters of two stripes without locks: while an element moves from one to the other
// it may be counted twice, or not at all.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int counts[2] = {1, 1};

static int size(void)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    int sum = counts[0] + counts[1];
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return sum;
}

static void move(void)
{
    pthread_mutex_lock(&lock);
    counts[0]--;
    counts[1]++;
    pthread_mutex_unlock(&lock);
}

RH_THREADS(moving)
{
    rh_thread
    {
        RH_CALL(size());
    }
    rh_thread
    {
        RH_CALL(move());
    }
}
