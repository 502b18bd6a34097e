// SPDX-License-Identifier: MIT
// Starts threads that race with each other: no order of deliveries says how that ends.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

#include "beside.h"

enum { ROUNDS = 1000 };

#if defined C11
static int count(void *argument)
#else
static void *count(void *argument)
#endif
{
    volatile int *total = argument;
    for (int i = 0; i < ROUNDS; i++)
        ++*total;
    return 0;
}

#ifdef TIMER
static void ring(union sigval value)
{
    (void)value;
}
#endif

static void harm(struct victim *victim, const rh_message *message)
{
    (void)message;
#if defined C11
    thrd_t one, other;
    thrd_create(&one, count, &victim->count);
    thrd_create(&other, count, &victim->count);
    thrd_join(one, NULL);
    thrd_join(other, NULL);
#elif defined TIMER
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring};
    timer_t timer;
    (void)count;
    (void)victim;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_delete(timer);
#else
    pthread_t one, other;
    pthread_create(&one, NULL, count, &victim->count);
    pthread_create(&other, NULL, count, &victim->count);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#endif
    victim->count = 2;
}
