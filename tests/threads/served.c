// SPDX-License-Identifier: MIT
// Calls that wait, each in a test of its own. EACH says how it ends: passed and the number of
// executions, a kind, or what standard error says of a call that is refused.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <rehearse/component.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static struct timespec soon = {1000000001, 0};
static bool is_ready;

struct node {
    pthread_mutex_t lock;
    int value;
} * node;

static void setup(void)
{
    sem_init(&semaphore, 0, 0);
    node = calloc(1, sizeof *node);
    pthread_mutex_init(&node->lock, NULL);
}

RH_COMPONENT(calls){.setup = setup};

static struct timespec now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

// --- Time limits. ---

// Each may have the lock first, or find it taken by the other.
// EACH: reads_in_time passed 3
RH_THREADS(reads_in_time)
{
    rh_thread
    {
        if (pthread_rwlock_timedrdlock(&shared_lock, &soon) == 0)
            pthread_rwlock_unlock(&shared_lock);
    }
    rh_thread
    {
        pthread_rwlock_wrlock(&shared_lock);
        pthread_rwlock_unlock(&shared_lock);
    }
}

// EACH: writes_in_time passed 3
RH_THREADS(writes_in_time)
{
    rh_thread
    {
        if (pthread_rwlock_clockwrlock(&shared_lock, CLOCK_MONOTONIC, &soon) == 0)
            pthread_rwlock_unlock(&shared_lock);
    }
    rh_thread
    {
        pthread_rwlock_wrlock(&shared_lock);
        pthread_rwlock_unlock(&shared_lock);
    }
}

// EACH: locks_in_time passed 3
RH_THREADS(locks_in_time)
{
    rh_thread
    {
        if (pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &soon) == 0)
            pthread_mutex_unlock(&lock);
    }
    rh_thread
    {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
}

// EACH: takes_in_time passed 2
RH_THREADS(takes_in_time)
{
    rh_thread
    {
        if (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &soon) != 0)
            RH_CHECK(errno == ETIMEDOUT);
    }
    rh_thread
    {
        sem_post(&semaphore);
    }
}

// Whoever looks at the clock after waiting in vain sees that time has passed: as in C++'s wait_for,
// which would go round for ever otherwise.
// EACH: until_late passed 4
RH_THREADS(until_late)
{
    rh_thread
    {
        pthread_mutex_lock(&lock);
        while (!is_ready && now().tv_sec < soon.tv_sec)
            pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &soon);
        pthread_mutex_unlock(&lock);
    }
    rh_thread
    {
        pthread_mutex_lock(&lock);
        is_ready = true;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
}

// --- Clocks. ---

// EACH: sleeps passed 1
RH_THREADS(sleeps)
{
    rh_thread
    {
        const struct timespec second = {1, 0};
        thrd_sleep(&second, NULL);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &soon, NULL);
        thrd_yield();
        RH_CHECK(now().tv_sec == 1000000002);
    }
}

// Others may sleep between two looks at the clock.
// EACH: is_overtaken check
RH_THREADS(is_overtaken)
{
    rh_thread
    {
        const struct timespec first = now();
        RH_CHECK(now().tv_sec == first.tv_sec);
    }
    rh_thread
    {
        sleep(1);
    }
}

// --- Locks in memory that is freed. ---

// EACH: locks_freed crash
RH_THREADS(locks_freed)
{
    rh_thread
    {
        pthread_mutex_lock(&node->lock);
    }
    rh_thread
    {
        free(node);
    }
}

// EACH: unlocks_freed crash
RH_THREADS(unlocks_freed)
{
    rh_thread
    {
        pthread_mutex_lock(&node->lock);
        sem_post(&semaphore);
        pthread_mutex_unlock(&node->lock);
    }
    rh_thread
    {
        sem_wait(&semaphore);
        free(node);
    }
}

// EACH: locks_then_frees passed 1
RH_THREADS(locks_then_frees)
{
    rh_thread
    {
        pthread_mutex_lock(&node->lock);
        pthread_mutex_unlock(&node->lock);
        sem_post(&semaphore);
    }
    rh_thread
    {
        sem_wait(&semaphore);
        free(node);
    }
}

// A lock that is made anew is free.
// EACH: makes_anew passed 1
RH_THREADS(makes_anew)
{
    rh_thread
    {
        pthread_mutex_lock(&node->lock);
        pthread_mutex_init(&node->lock, NULL);
        pthread_mutex_lock(&node->lock);
    }
}

// --- Random numbers: the same in every execution, whatever others have drawn. ---

static int drawn[2];
static _Atomic int steps;

static void draw(int own)
{
    drawn[own] = rand();
    srand(7);
    int one = rand();
    srand(7);
    RH_CHECK(one == rand());
    is_ready = own;
    // As many events as the number says.
    for (int i = drawn[own] % 3; i >= 0; i--)
        steps++;
}

// EACH: draws race
RH_THREADS(draws)
{
    rh_thread
    {
        draw(0);
    }
    rh_thread
    {
        draw(1);
    }
    rh_at_end
    {
        RH_CHECK(drawn[0] != drawn[1]);
    }
}

// --- What is refused by its name. ---

static void read_pipe(bool has_byte)
{
    int ends[2];
    char byte = 0;
    if (pipe(ends) == 0 && (!has_byte || write(ends[1], "x", 1) == 1) &&
        read(ends[0], &byte, 1) == 1)
        RH_CHECK(byte == 'x');
    close(ends[0]);
    close(ends[1]);
}

static void poll_nothing(int milliseconds)
{
    RH_CHECK(poll(NULL, 0, milliseconds) == 0);
}

// EACH: reads_full passed 1
RH_THREADS(reads_full)
{
    rh_thread
    {
        read_pipe(true);
    }
}
// EACH: polls_once passed 1
RH_THREADS(polls_once)
{
    rh_thread
    {
        poll_nothing(0);
    }
}
// EACH: reads_empty would wait in read
RH_THREADS(reads_empty)
{
    rh_thread
    {
        read_pipe(false);
    }
}
// EACH: polls would wait in poll
RH_THREADS(polls)
{
    rh_thread
    {
        poll_nothing(10);
    }
}
// EACH: selects would wait in select
RH_THREADS(selects)
{
    rh_thread
    {
        select(0, NULL, NULL, NULL, NULL);
    }
}
// EACH: forks calls fork
RH_THREADS(forks)
{
    rh_thread
    {
        fork();
    }
}
// EACH: runs calls system
RH_THREADS(runs)
{
    rh_thread
    {
        RH_CHECK(system("true") == 0);
    }
}
// EACH: waits calls waitpid
RH_THREADS(waits)
{
    rh_thread
    {
        waitpid(-1, NULL, 0);
    }
}
// EACH: pauses calls pause
RH_THREADS(pauses)
{
    rh_thread
    {
        pause();
    }
}
// EACH: wakes_itself calls alarm
RH_THREADS(wakes_itself)
{
    rh_thread
    {
        alarm(1);
    }
}
// EACH: tries_to_join calls pthread_tryjoin_np
RH_THREADS(tries_to_join)
{
    rh_thread
    {
        pthread_tryjoin_np(pthread_self(), NULL);
    }
}
// EACH: waits_for_word calls futex
RH_THREADS(waits_for_word)
{
    rh_thread
    {
        static int word;
        syscall(SYS_futex, &word, 0, 0, NULL, NULL, 0);
    }
}
