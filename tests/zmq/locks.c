// SPDX-License-Identifier: MIT
// Semaphores, read-write locks, barriers and the like; outcomes are known by hand: see locks.sh.
#define _GNU_SOURCE
#include "outcomes.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER, other = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int total, makings;

// Runs both, and gives what they leave in `total`.
static int run_two(void *(*one)(void *), void *(*another)(void *))
{
    pthread_t threads[2];
    start(&threads[0], one, NULL);
    start(&threads[1], another, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return total;
}

static void *post(void *argument)
{
    sem_post(&semaphore);
    return argument;
}

static void *try_once(void *argument)
{
    total = sem_trywait(&semaphore) == 0 ? 1 : 2;
    return argument;
}

static void *add_between(void *argument)
{
    sem_wait(&semaphore);
    int before = total;
    sched_yield();
    total = before + 1;
    sem_post(&semaphore);
    return argument;
}

static void *write_twice(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_rwlock_wrlock(&lock);
        total++;
        pthread_rwlock_unlock(&lock);
    }
    return argument;
}

static void *lock_both(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_rdlock(&other);
    total++;
    pthread_rwlock_unlock(&other);
    pthread_rwlock_unlock(&lock);
    return argument;
}

static void *lock_both_again(void *argument)
{
    pthread_rwlock_wrlock(&other);
    pthread_rwlock_rdlock(&lock);
    total++;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&other);
    return argument;
}

static void *meet(void *argument)
{
    total++;
    pthread_barrier_wait(&barrier);
    return argument;
}

static void make(void)
{
    sched_yield();
    makings++;
}

static void *make_once(void *argument)
{
    pthread_once(&once, make);
    total += makings;
    return argument;
}

static int read_between(void)
{
    pthread_t thread;
    start(&thread, write_twice, NULL);
    pthread_rwlock_rdlock(&lock);
    int seen = total;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return seen;
}

static int meet_all(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 3);
    start(&threads[0], meet, NULL);
    start(&threads[1], meet, NULL);
    pthread_barrier_wait(&barrier);
    return total;
}

// Nobody posts: the time is over first, which takes none.
static int wait_in_vain(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 1000;
    return sem_timedwait(&semaphore, &end) == -1 && errno == ETIMEDOUT ? 3 : 0;
}

// The same with the other clock, as C++ does it.
static int wait_by_other_clock(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_condattr_t attributes;
    pthread_cond_t condition;
    struct timespec end;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition, &attributes);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += 10;
    pthread_mutex_lock(&mutex);
    int first = pthread_cond_timedwait(&condition, &mutex, &end);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int second = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &end);
    pthread_mutex_unlock(&mutex);
    return first == ETIMEDOUT && second == ETIMEDOUT && now.tv_sec == end.tv_sec ? 4 : 0;
}

static pthread_spinlock_t spin;

static void *add_while_spinning(void *argument)
{
    pthread_spin_lock(&spin);
    int before = total;
    sched_yield();
    total = before + 1;
    pthread_spin_unlock(&spin);
    return argument;
}

// Others wait for it, and nobody spins.
static int spin_twice(void)
{
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    int sum = run_two(add_while_spinning, add_while_spinning);
    return pthread_spin_trylock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY ? sum : 0;
}

static void *sleep_long(void *argument)
{
    sleep(2);
    return argument;
}

// All that wait for so long, by whichever clock, wait for so long, and for a thread.
static int wait_for_long(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    struct timespec end, now;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec++;
    start(&thread, sleep_long, NULL);
    pthread_mutex_lock(&mutex);
    pthread_rwlock_rdlock(&lock);
    int is_late = pthread_tryjoin_np(thread, NULL) == EBUSY &&
                  pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &end) == ETIMEDOUT &&
                  sem_clockwait(&semaphore, CLOCK_MONOTONIC, &end) != 0 && errno == ETIMEDOUT &&
                  pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &end) == ETIMEDOUT &&
                  pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &end) == 0 &&
                  pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end) == ETIMEDOUT;
    clock_gettime(CLOCK_MONOTONIC, &now);
    timespec_get(&end, TIME_UTC);
    end.tv_sec += 10;
    return is_late && now.tv_nsec == 0 && pthread_timedjoin_np(thread, NULL, &end) == 0 &&
                   clock() == 2 * CLOCKS_PER_SEC
               ? 5
               : 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    context = zmq_ctx_new();
    sem_init(&semaphore, 0, strcmp(what, "guard") == 0);
    outcome(!strcmp(what, "try")      ? run_two(post, try_once)
            : !strcmp(what, "guard")  ? run_two(add_between, add_between)
            : !strcmp(what, "read")   ? read_between()
            : !strcmp(what, "cross")  ? run_two(lock_both, lock_both_again)
            : !strcmp(what, "meet")   ? meet_all()
            : !strcmp(what, "once")   ? run_two(make_once, make_once)
            : !strcmp(what, "vain")   ? wait_in_vain()
            : !strcmp(what, "clocks") ? wait_by_other_clock()
            : !strcmp(what, "spin")   ? spin_twice()
            : !strcmp(what, "long")   ? wait_for_long()
                                      : 7);
    return 0;
}
