// SPDX-License-Identifier: MIT
// Tests of RH_THREADS with threads of the system: what a program does that has no main of its own.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <rehearse/component.h>

#include "threads/role.h"

extern const struct rh_threads_test *const __start_rh_threads_tests[] __attribute__((weak));
extern const struct rh_threads_test *const __stop_rh_threads_tests[] __attribute__((weak));

enum { THREADS_MOST = 64 };

static const struct rh_threads_test *running;

static void *run_block(void *argument)
{
    struct rh__role role = {.wanted = (int)(intptr_t)argument};
    running->body(&role);
    return NULL;
}

static void run(const struct rh_threads_test *test)
{
    pthread_t threads[THREADS_MOST];
    struct rh__role count = {0}, after = {.wanted = -1};
    running = test;
    running->body(&count);
    int made = 0;
    for (; made < count.seen && made < THREADS_MOST; made++)
        if (pthread_create(&threads[made], NULL, run_block, (void *)(intptr_t)(made + 1)) != 0)
            break;
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    running->body(&after);
}

// Runs the test that is named, or the first one.
static int library_main(int argc, char **argv)
{
    const struct rh_threads_test *const *test = __start_rh_threads_tests;
    for (; &test[0] < &__stop_rh_threads_tests[0]; test++)
        if (argc < 2 || !strcmp((*test)->name, argv[1])) {
            run(*test);
            return 0;
        }
    fprintf(stderr, "%s: there is no test %s\n", argv[0], argc < 2 ? "(RH_THREADS)" : argv[1]);
    return 2;
}

int main(int argc, char **argv) __attribute__((weak, alias("library_main")));
