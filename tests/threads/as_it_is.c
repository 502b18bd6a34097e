// SPDX-License-Identifier: MIT
// A program that knows nothing of Rehearse: two threads count, as often as its argument says, and
// lose a count between two sections of a lock unless it is FIXED. With a second argument it waits
// for a signal that may have come before.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int total, is_over;

static void *count(void *argument)
{
    const int *rounds = argument;
    for (int i = 0; i < *rounds; i++) {
        pthread_mutex_lock(&lock);
        int old = total;
#ifndef FIXED
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        total = old + 1;
        pthread_mutex_unlock(&lock);
    }
    printf("%d rounds\n", *rounds);
    return NULL;
}

static void *end(void *argument)
{
    pthread_mutex_lock(&lock);
    is_over = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void wait_for_end(void)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!is_over)
#endif
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t threads[2];
    char *text = malloc(4096);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, argc > 2 ? end : count, &rounds);
    if (argc > 2)
        wait_for_end();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(argc > 2 || total == 2 * rounds);
    snprintf(text, 4096, "%d", total);
    puts(text);
    free(text);
    return 0;
}
