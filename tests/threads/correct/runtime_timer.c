// SPDX-License-Identifier: MIT
// The wheel of timers of Rehearse's own run time, with its thread: two threads set timers, each
// fires once and not early, those of one thread in the order in which they are due.
#include <rehearse/component.h>

#include "runtime/timer.c"

enum { TIMERS = 3 };

static struct rh_runtime runtime;
static struct rh_mail mails[TIMERS];
static int fired[TIMERS], count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_fired = PTHREAD_COND_INITIALIZER;

// What the wheel asks of the rest of the run time.

void rh_deposit(struct rh_runtime *to, struct rh_carrier *by, struct rh_mail *mail)
{
    (void)to;
    (void)by;
    RH_CHECK((rh_clock_ns() - runtime.start_ns) / 1000000 > mail->due);
    pthread_mutex_lock(&lock);
    fired[count++] = (int)(mail - mails);
    pthread_cond_signal(&all_fired);
    pthread_mutex_unlock(&lock);
}

void rh_wake_one(struct rh_runtime *of)
{
    (void)of;
}

uint64_t rh_clock_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// Nothing is recorded.
void rh_record_timer(struct rh_lane *lane, const struct rh_mail *mail, uint64_t due)
{
    (void)lane;
    (void)mail;
    (void)due;
}

struct rh_lane *rh_recorder_enter(struct rh_recorder *recorder)
{
    (void)recorder;
    return NULL;
}

void rh_recorder_leave(struct rh_recorder *recorder)
{
    (void)recorder;
}

static void setup(void)
{
    rh_wheel_init(&runtime.wheel);
    runtime.start_ns = 1000000000000000000;
}

RH_COMPONENT(wheel){.setup = setup};

static void set(int number, uint64_t due)
{
    mails[number].due = due;
    mails[number].next = NULL;
    rh_wheel_add(&runtime, &mails[number]);
}

static int place_of_timer(int number)
{
    int place = 0;
    while (place < TIMERS && fired[place] != number)
        place++;
    return place;
}

RH_THREADS(fires)
{
    rh_thread
    {
        set(0, 3);
        set(1, 70);
    }
    rh_at_end
    {
        pthread_mutex_lock(&lock);
        while (count < 2)
            pthread_cond_wait(&all_fired, &lock);
        pthread_mutex_unlock(&lock);
        RH_CHECK(place_of_timer(0) < place_of_timer(1));
        rh_wheel_stop(&runtime.wheel);
    }
}
