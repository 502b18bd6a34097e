// SPDX-License-Identifier: MIT
// The program's time, which is logical and passes only when nothing else can happen.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "adapters/zmq/engine.h"
#include "adapters/zmq/real.h"

// Executions begin at this second, 2037-01-01 00:00 UTC, by the clock on the wall, and by the other
// clocks a day after the machine was started. All files are older, and 32 bits are enough.
static const time_t WALL_START = 2114380800, MACHINE_START = 86400;
enum { NANOSECONDS = 1000000000 };

static void sleep_until(const char *call, uint64_t deadline)
{
    const struct rh_zmq_wait wait = {.call = call, .object = "", .deadline = deadline};
    rh__zmq_wait(&wait);
}

static void sleep_for(const char *call, uint64_t nanoseconds)
{
    sleep_until(call, rh__zmq_now() + nanoseconds);
}

struct timespec rh__zmq_wall_time(uint64_t now)
{
    return (struct timespec){.tv_sec = WALL_START + (time_t)(now / NANOSECONDS),
                             .tv_nsec = (long)(now % NANOSECONDS)};
}

static struct timespec time_now(clockid_t clock)
{
    bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    struct timespec time = rh__zmq_wall_time(rh__zmq_now());
    time.tv_sec -= is_wall ? 0 : WALL_START - MACHINE_START;
    return time;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(clock_gettime)(clock, time);
    *time = time_now(clock);
    return 0;
}

uint64_t rh__zmq_time_of(const struct timespec *time, clockid_t clock)
{
    struct timespec now = time_now(clock);
    int64_t left = ((int64_t)time->tv_sec - now.tv_sec) * NANOSECONDS + time->tv_nsec - now.tv_nsec;
    return rh__zmq_now() + (uint64_t)(left > 0 ? left : 0);
}

int timespec_get(struct timespec *time, int base)
{
    if (!rh__zmq_self() || base != TIME_UTC)
        return RH_ZMQ_REAL(timespec_get)(time, base);
    *time = time_now(CLOCK_REALTIME);
    return base;
}

// The program has used as much processor time as time has passed.
clock_t clock(void)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(clock)();
    return (clock_t)(rh__zmq_now() / (NANOSECONDS / CLOCKS_PER_SEC));
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(gettimeofday)(time, zone);
    struct timespec now = time_now(CLOCK_REALTIME);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(time)(result);
    time_t now = time_now(CLOCK_REALTIME).tv_sec;
    if (result)
        *result = now;
    return now;
}

unsigned sleep(unsigned seconds)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sleep)(seconds);
    sleep_for("sleep", (uint64_t)seconds * NANOSECONDS);
    return 0;
}

int usleep(useconds_t microseconds)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(usleep)(microseconds);
    sleep_for("usleep", (uint64_t)microseconds * 1000);
    return 0;
}

static uint64_t nanoseconds_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * NANOSECONDS + (uint64_t)time->tv_nsec;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(nanosleep)(wanted, left);
    sleep_for("nanosleep", nanoseconds_of(wanted));
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                    struct timespec *left)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(clock_nanosleep)(clock, flags, wanted, left);
    uint64_t nanoseconds = nanoseconds_of(wanted);
    struct timespec now = time_now(clock);
    uint64_t from = flags & TIMER_ABSTIME ? nanoseconds_of(&now) : 0;
    sleep_for("clock_nanosleep", nanoseconds > from ? nanoseconds - from : 0);
    return 0;
}

// Signals do not end the wait: a thread that waits for one waits for ever.
int pause(void)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(pause)();
    sleep_until("pause", RH_ZMQ_NEVER);
    return -1;
}

int sched_yield(void)
{
    if (!rh__zmq_self())
        return RH_ZMQ_REAL(sched_yield)();
    rh__zmq_step("sched_yield", "");
    rh__zmq_see_all();
    return 0;
}
