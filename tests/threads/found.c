// SPDX-License-Identifier: MIT
// Programs that a reduced search has lost something of.
#include <pthread.h>
#include <rehearse/component.h>
#include <semaphore.h>

int x, y, z;
static _Atomic int a;
static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

// The lock comes after an unlock that is an event, and before the try that it belongs to.
RH_THREADS(tried)
{
    rh_thread
    {
        y++;
        pthread_mutex_lock(&n);
        if (!z)
            pthread_cond_wait(&c, &n);
        pthread_mutex_unlock(&n);
    }
    rh_thread
    {
        z = 2;
        if (pthread_mutex_trylock(&n) == 0)
            pthread_mutex_unlock(&n);
        else
            x++;
    }
}

// The race is in the part of an execution with a deadlock that later ones share.
RH_THREADS(beside_deadlock)
{
    rh_thread
    {
        pthread_mutex_lock(&m);
        if (!z)
            pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        z = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    rh_thread
    {
        pthread_mutex_lock(&n);
        if (!y)
            pthread_cond_wait(&c, &n);
        pthread_mutex_unlock(&n);
        sem_trywait(&s);
    }
    rh_thread
    {
        sem_post(&s);
        z = 1;
    }
}

// The second thread fails unless the first has been there before it: what the first one waits for
// then was in its way from the beginning, which is known only when it has come there.
RH_THREADS(behind_failure)
{
    rh_thread
    {
        a = 1;
        pthread_mutex_lock(&m);
        y = 5;
        pthread_mutex_unlock(&m);
    }
    rh_thread
    {
        pthread_mutex_lock(&m);
        int seen = y;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        y = seen + 1;
        RH_CHECK(y != 1);
        pthread_mutex_unlock(&m);
    }
    rh_at_end
    {
        RH_CHECK(a == 1);
    }
}
