// SPDX-License-Identifier: MIT
// Programs that do harm to the process they run in, each in one of several interleavings: what is
// found is theirs, other tests go on, and the schedule shows it again.
#include <pthread.h>
#include <rehearse/component.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int flag, sink;
static char *volatile nowhere;
static pthread_mutex_t locks[2000];

static int fill_stack(int depth)
{
    volatile char room[4096];
    room[depth % 4096] = (char)depth;
    return depth == 1000000 ? 0 : fill_stack(depth + 1) + room[1];
}

static void spin(void)
{
    while (flag)
        continue;
}

static void compute(void)
{
    unsigned i = 1;
    while (i)
        __asm__ volatile("" : "+r"(i));
}

static void work_alone(void)
{
    static int own;
    for (own = 1; own;)
        own = 1;
}

static void wait_outside(void)
{
    int ends[2];
    char byte;
    // By a name that is known, it would be refused.
    if (pipe(ends) == 0 && syscall(SYS_read, ends[0], &byte, 1) > 0)
        sink = byte;
}

static void allocate(void)
{
    char *block = malloc(SIZE_MAX / 4);
    RH_CHECK(block == NULL);
    block = malloc((size_t)1 << 40);
    RH_CHECK(block == NULL);
    *nowhere = 1;
}

static void free_often(void)
{
    for (int i = 0; i < 70000; i++)
        nowhere = malloc(8), free(nowhere);
}

static void lock_often(void)
{
    for (int i = 0; i < 2000; i++)
        pthread_mutex_lock(&locks[i]);
}

// The second thread's flag decides: without it no harm is done.
#define HARM(name, deed)                                                                           \
    RH_THREADS(name)                                                                               \
    {                                                                                              \
        rh_thread                                                                                  \
        {                                                                                          \
            flag = 1;                                                                              \
        }                                                                                          \
        rh_thread                                                                                  \
        {                                                                                          \
            if (flag)                                                                              \
                deed;                                                                              \
        }                                                                                          \
    }

HARM(segv, *nowhere = 1)
HARM(divides, sink = 7 / (flag - 1))
HARM(stack, sink = fill_stack(1))
HARM(aborts, abort())
HARM(exits, exit(3))
HARM(ends, _exit(4))
HARM(computes, compute())
HARM(spins, spin())
HARM(silent, work_alone())
HARM(waits, wait_outside())
HARM(killed, kill(getpid(), SIGKILL))
HARM(raises, raise(SIGTERM))
HARM(allocates, allocate())
HARM(jumps, ((void (*)(void))(size_t)(flag * 0x1000))())
HARM(frees, free_often())
HARM(locks, lock_often())
HARM(harmless, sink = 1)
