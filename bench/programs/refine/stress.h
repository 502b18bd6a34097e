// SPDX-License-Identifier: MIT
// What the programs of `make table-refine` have in common: threads that call operations at random.
// PROGRAM CALLS SEED: so many calls of each of four threads.
#ifndef STRESS_H
#define STRESS_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 4 };

static int calls;
static uint32_t seed;

static void call_one(uint32_t number);

static void *work(void *argument)
{
    uint32_t random = seed * 7919 + (uint32_t)(uintptr_t)argument;
    for (int i = 0; i < calls; i++) {
        random = random * 1664525 + 1013904223;
        call_one(random >> 8);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    calls = argc > 1 ? atoi(argv[1]) : 1000;
    seed = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

#endif
