// SPDX-License-Identifier: MIT
// What the programs of this folder have in common: random numbers, work to do, and how they run on threads.
//
// The programs are those of the Savina benchmark suite, by what is known about them. Their tests have small sizes;
// their main runs them on threads at the size of the original, with the number of threads in REHEARSE_THREADS. Each
// checks its own results: by rh_check, and since each of its actors has to stop, which takes --environment closed in
// a test and is looked at by savina_run on threads.
#ifndef SAVINA_H
#define SAVINA_H

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

enum { SAVINA_SEED = 74755 };

// The generator of the originals, with 65536 different values. It belongs to the actor in whose state it is.
struct random {
    unsigned value;
};

static inline int next_random(struct random *random, int limit)
{
    random->value = (random->value * 1309 + 13849) & 65535;
    return (int)(random->value % (unsigned)limit);
}

// So many steps of work that no compiler leaves out.
static inline void do_work(int steps)
{
    volatile int done = 0;

    while (done < steps)
        done = done + 1;
}

static inline double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + (double)time->tv_nsec / 1e9;
}

static inline double processor_seconds(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

// Prints a line for people and for bench/speed/savina: numbers first, each with what it is.
static inline int savina_time(long size, rh_setup *set_up)
{
    struct rh_summary summary;
    struct timespec start, end;
    struct rusage usage;

    clock_gettime(CLOCK_MONOTONIC, &start);
    int status = rh_run(&(rh_options){.context = &size, .summary = &summary}, set_up);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (status != 0)
        return status;
    getrusage(RUSAGE_SELF, &usage);
    printf("%" PRIu64 " messages %" PRIu64 " actors %.6f s %.6f processor-s %ld kB\n",
           summary.delivered, summary.spawned, seconds_of(&end) - seconds_of(&start),
           processor_seconds(&usage), usage.ru_maxrss);
    if (summary.alive == 0)
        return 0;
    fprintf(stderr, "%" PRIu64 " actors have not stopped\n", summary.alive);
    return 1;
}

// Runs the program on threads, with the size that the command line gives in place of the original's.
static inline int savina_run(int count, char **arguments, long size, rh_setup *set_up)
{
    char *end = NULL;

    errno = 0;
    if (count == 2)
        size = strtol(arguments[1], &end, 10);
    if (count <= 2 && size > 0 && errno == 0 && (!end || !*end))
        return savina_time(size, set_up);
    fprintf(stderr, "usage: %s [SIZE], where SIZE is a positive number\n", arguments[0]);
    return 2;
}

#endif
