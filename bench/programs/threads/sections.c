// SPDX-License-Identifier: MIT
// Two threads with five sections of one lock each: of the orders of these there are 252.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(void)
{
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
}

RH_THREADS(sections)
{
    rh_thread
    {
        add();
    }
    rh_thread
    {
        add();
    }
}
