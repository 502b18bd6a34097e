// SPDX-License-Identifier: MIT
// kind: deadlock
// A thread waits for a message while it holds the lock that the sender needs.
#include <pthread.h>
#include <rehearse/component.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t messages;

static void receive(void)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
    sem_wait(&messages);
#else
    sem_wait(&messages);
    pthread_mutex_unlock(&lock);
#endif
}

static void send(void)
{
    pthread_mutex_lock(&lock);
    sem_post(&messages);
    pthread_mutex_unlock(&lock);
}

static void setup(void)
{
    sem_init(&messages, 0, 0);
}

RH_COMPONENT(messages){.setup = setup};

RH_THREADS(held)
{
    rh_thread
    {
        receive();
    }
    rh_thread
    {
        send();
    }
}
