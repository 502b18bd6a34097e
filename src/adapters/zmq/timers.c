// SPDX-License-Identifier: MIT
// zmq_timers: functions that are called when their time has come, by the thread that executes them.
#include <errno.h>
#include <stdlib.h>

#include "adapters/zmq/api.h"
#include "adapters/zmq/engine.h"
#include "base/vector.h"

#define TIMERS_MARK UINT32_C(0xc0de7135)
enum { NANOSECONDS_OF_MS = 1000000 };

struct timer {
    int number;
    uint64_t interval, when; // milliseconds
    // Of two timers at the same time the one that was set first is called first.
    uint64_t order;
    rh_zmq_timer_function *function;
    void *argument;
};

struct timers {
    uint32_t mark;
    int last;
    uint64_t next_order;
    RH_VECTOR(struct timer) items;
};

static uint64_t now_ms(void)
{
    return rh__zmq_now() / NANOSECONDS_OF_MS;
}

static struct timers *get_timers(void *object)
{
    struct timers *timers = object;
    if (timers && timers->mark == TIMERS_MARK)
        return timers;
    errno = EFAULT;
    return NULL;
}

void *zmq_timers_new(void)
{
    rh__zmq_caller(__func__);
    struct timers *timers = rh_alloc(sizeof *timers);
    timers->mark = TIMERS_MARK;
    return timers;
}

int zmq_timers_destroy(void **object)
{
    struct timers *timers = get_timers(object ? *object : NULL);
    if (!timers)
        return -1;
    timers->mark = 0;
    rh_vector_fini(&timers->items);
    free(timers);
    *object = NULL;
    return 0;
}

static void set(struct timers *timers, struct timer *timer, uint64_t from)
{
    timer->when = from + timer->interval;
    timer->order = timers->next_order++;
}

// Gives NULL with errno if there is no such timer.
static struct timer *find_timer(struct timers *timers, int number)
{
    for (size_t i = 0; i < timers->items.count; i++)
        if (timers->items.items[i].number == number)
            return &timers->items.items[i];
    errno = EINVAL;
    return NULL;
}

int zmq_timers_add(void *object, size_t interval, rh_zmq_timer_function *function, void *argument)
{
    struct timers *timers = function ? get_timers(object) : NULL;
    if (!timers) {
        errno = EFAULT;
        return -1;
    }
    struct timer *timer = rh_vector_push(&timers->items);
    *timer = (struct timer){
        .number = ++timers->last, .interval = interval, .function = function, .argument = argument};
    set(timers, timer, now_ms());
    return timer->number;
}

int zmq_timers_cancel(void *object, int number)
{
    struct timers *timers = get_timers(object);
    struct timer *timer = timers ? find_timer(timers, number) : NULL;
    if (!timer)
        return -1;
    *timer = timers->items.items[--timers->items.count];
    return 0;
}

int zmq_timers_set_interval(void *object, int number, size_t interval)
{
    struct timers *timers = get_timers(object);
    struct timer *timer = timers ? find_timer(timers, number) : NULL;
    if (!timer)
        return -1;
    timer->interval = interval;
    set(timers, timer, now_ms());
    return 0;
}

int zmq_timers_reset(void *object, int number)
{
    struct timers *timers = get_timers(object);
    struct timer *timer = timers ? find_timer(timers, number) : NULL;
    if (!timer)
        return -1;
    set(timers, timer, now_ms());
    return 0;
}

// The timer that is due first; NULL if there is none.
static struct timer *first_timer(struct timers *timers)
{
    struct timer *first = NULL;
    for (size_t i = 0; i < timers->items.count; i++) {
        struct timer *timer = &timers->items.items[i];
        if (!first || timer->when < first->when ||
            (timer->when == first->when && timer->order < first->order))
            first = timer;
    }
    return first;
}

long zmq_timers_timeout(void *object)
{
    struct timers *timers = get_timers(object);
    const struct timer *first = timers ? first_timer(timers) : NULL;
    uint64_t now = now_ms();
    if (!first)
        return -1;
    return first->when > now ? (long)(first->when - now) : 0;
}

// A function may add, cancel and set timers. Timers that are set meanwhile are not called in the
// same round.
int zmq_timers_execute(void *object)
{
    struct timers *timers = get_timers(object);
    if (!timers)
        return -1;
    uint64_t now = now_ms(), orders = timers->next_order;
    for (struct timer *timer;
         (timer = first_timer(timers)) && timer->when <= now && timer->order < orders;) {
        const struct timer called = *timer;
        set(timers, timer, now);
        called.function(called.number, called.argument);
    }
    return 0;
}
