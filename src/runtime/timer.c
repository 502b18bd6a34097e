// SPDX-License-Identifier: MIT
#include "runtime/timer.h"

#include <time.h>

#include "base/status.h"
#include "runtime/runtime.h"

// STEP timers are dealt out before the lock is free for others.
enum { BITS = 6, STEP = 256 };

// The wheel itself.

static void put_overdue(struct rh_wheel *wheel, struct rh_mail *mail)
{
    struct rh_mail **place = &wheel->overdue;
    while (*place && (*place)->due <= mail->due)
        place = &(*place)->next;
    mail->next = *place;
    *place = mail;
}

static unsigned place_of(int level, uint64_t due)
{
    return (due >> (BITS * level)) % RH_WHEEL_PLACES;
}

// Which half of a level a due time belongs to.
static unsigned half_of(int level, uint64_t due)
{
    return due >> (BITS * (level + 1)) & 1;
}

static void append(struct rh_wheel *wheel, int level, struct rh_mail *mail)
{
    unsigned half = half_of(level, mail->due), place = place_of(level, mail->due);
    struct rh_timer_list *list = &wheel->lists[level][half][place];
    mail->next = NULL;
    if (list->first)
        list->last->next = mail;
    else
        list->first = mail;
    list->last = mail;
    wheel->used[level][half] |= UINT64_C(1) << place;
}

// The level of the highest digit, in base 64, in which the due time differs from now.
static int level_of(const struct rh_wheel *wheel, const struct rh_mail *mail)
{
    return mail->due == wheel->now ? 0 : (63 - __builtin_clzl(mail->due ^ wheel->now)) / BITS;
}

void rh__wheel_put(struct rh_wheel *wheel, struct rh_mail *mail)
{
    if (mail->due <= wheel->now)
        put_overdue(wheel, mail);
    else
        append(wheel, level_of(wheel, mail), mail);
}

// A list of the wheel, by the first millisecond that it is for.
struct place {
    int level;
    uint64_t due;
};

// The first list that is not empty. Of lists that begin together the timers in those of lower
// levels were set earlier and are dealt out earlier; the list of the lowest level fires when all
// others are dealt out.
static struct place find_first(const struct rh_wheel *wheel)
{
    struct place first = {0, UINT64_MAX};
    for (int level = 0; level < RH_WHEEL_LEVELS; level++) {
        uint64_t block = wheel->now >> (BITS * (level + 1));
        if (wheel->used[level][block & 1] == 0)
            block++;
        uint64_t used = wheel->used[level][block & 1];
        if (used == 0)
            continue;
        uint64_t due = (block << BITS | (uint64_t)__builtin_ctzl(used)) << (BITS * level);
        if (due < first.due || (due == first.due && first.level == 0))
            first = (struct place){level, due};
    }
    return first;
}

uint64_t rh__wheel_next(const struct rh_wheel *wheel)
{
    struct place first = find_first(wheel);
    if (wheel->overdue)
        return wheel->now;
    if (first.level == 0)
        return first.due;
    // Early enough to deal the list out before its time.
    uint64_t early = first.due - (UINT64_C(1) << (BITS * first.level));
    return early > wheel->now ? early : first.due;
}

static struct rh_mail *take_list(struct rh_wheel *wheel, struct place at)
{
    unsigned half = half_of(at.level, at.due), place = place_of(at.level, at.due);
    struct rh_mail *first = wheel->lists[at.level][half][place].first;
    wheel->lists[at.level][half][place].first = NULL;
    wheel->used[at.level][half] &= ~(UINT64_C(1) << place);
    return first;
}

// Puts a list into lower levels, in its order.
static void deal_out(struct rh_wheel *wheel, struct rh_mail *mail)
{
    while (mail) {
        struct rh_mail *next = mail->next;
        append(wheel, level_of(wheel, mail), mail);
        mail = next;
    }
}

struct rh_mail *rh__wheel_advance(struct rh_wheel *wheel, uint64_t until)
{
    struct rh_mail *due = wheel->overdue;
    wheel->overdue = NULL;
    while (!due) {
        struct place first = find_first(wheel);
        if (first.due > until) {
            if (until > wheel->now)
                wheel->now = until;
            return NULL;
        }
        wheel->now = first.due;
        if (first.level == 0)
            due = take_list(wheel, first);
        else
            deal_out(wheel, take_list(wheel, first));
    }
    return due;
}

bool rh__wheel_prepare(struct rh_wheel *wheel, unsigned most)
{
    for (int level = 1; level < RH_WHEEL_LEVELS; level++) {
        uint64_t next = ((wheel->now >> (BITS * level)) + 1) << (BITS * level);
        unsigned half = half_of(level, next), place = place_of(level, next);
        struct rh_timer_list *list = &wheel->lists[level][half][place];
        for (; list->first && most > 0; most--) {
            struct rh_mail *mail = list->first;
            list->first = mail->next;
            append(wheel, level - 1, mail);
        }
        if (list->first)
            return true;
        wheel->used[level][half] &= ~(UINT64_C(1) << place);
    }
    return false;
}

// The thread.

void rh_wheel_init(struct rh_wheel *wheel)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&wheel->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&wheel->lock, NULL);
}

static void fire(struct rh_runtime *runtime, struct rh_mail *mail)
{
    struct rh_wheel *wheel = &runtime->wheel;
    uint64_t count = 0;
    for (struct rh_mail *next; mail; mail = next, count++) {
        next = mail->next;
        if (runtime->options.mailbox_limit > 0)
            __atomic_add_fetch(&runtime->cells.cells[mail->cell].load, 1, __ATOMIC_SEQ_CST);
        if (runtime->recorder)
            rh_stamp_fired(mail);
        rh_deposit(runtime, NULL, mail);
    }
    // If these timers were the last and nobody got them, the run may be over: a carrier must look.
    if (__atomic_sub_fetch(&wheel->pending, count, __ATOMIC_SEQ_CST) == 0)
        rh_wake_one(runtime);
}

static uint64_t milliseconds_now(const struct rh_runtime *runtime)
{
    return (rh_clock_ns() - runtime->start_ns) / 1000000;
}

static void sleep_until(struct rh_wheel *wheel, uint64_t start_ns)
{
    if (wheel->alarm == UINT64_MAX) {
        pthread_cond_wait(&wheel->changed, &wheel->lock);
        return;
    }
    uint64_t alarm_ns = start_ns + (wheel->alarm + 1) * 1000000;
    struct timespec limit = {.tv_sec = (time_t)(alarm_ns / 1000000000),
                             .tv_nsec = (long)(alarm_ns % 1000000000)};
    pthread_cond_timedwait(&wheel->changed, &wheel->lock, &limit);
}

static void *run_wheel(void *argument)
{
    struct rh_runtime *runtime = argument;
    struct rh_wheel *wheel = &runtime->wheel;
    pthread_mutex_lock(&wheel->lock);
    while (!wheel->ends) {
        uint64_t now = milliseconds_now(runtime);
        struct rh_mail *due = now > 0 ? rh__wheel_advance(wheel, now - 1) : NULL;
        if (due) {
            pthread_mutex_unlock(&wheel->lock);
            fire(runtime, due);
            pthread_mutex_lock(&wheel->lock);
        } else if (rh__wheel_prepare(wheel, STEP)) {
            pthread_mutex_unlock(&wheel->lock);
            pthread_mutex_lock(&wheel->lock);
        } else {
            wheel->alarm = rh__wheel_next(wheel);
            sleep_until(wheel, runtime->start_ns);
        }
    }
    pthread_mutex_unlock(&wheel->lock);
    return NULL;
}

static void start_thread(struct rh_runtime *runtime)
{
    struct rh_wheel *wheel = &runtime->wheel;
    wheel->has_thread = pthread_create(&wheel->thread, NULL, run_wheel, runtime) == 0;
    if (!wheel->has_thread)
        rh_panic("no thread for timers");
}

// A timer that was set too late fires after timers that were due later and have fired already.
static void record(struct rh_runtime *runtime, const struct rh_mail *mail)
{
    uint64_t due = mail->due > runtime->wheel.now ? mail->due : runtime->wheel.now;
    const struct rh_carrier *carrier = rh__local.carrier;
    rh_record_timer(carrier ? carrier->lane : rh_recorder_enter(runtime->recorder), mail, due);
    if (!carrier)
        rh_recorder_leave(runtime->recorder);
}

void rh_wheel_add(struct rh_runtime *runtime, struct rh_mail *mails)
{
    struct rh_wheel *wheel = &runtime->wheel;
    uint64_t first = UINT64_MAX;
    pthread_mutex_lock(&wheel->lock);
    for (struct rh_mail *mail = mails, *next; mail; mail = next) {
        next = mail->next;
        first = mail->due < first ? mail->due : first;
        if (runtime->recorder)
            record(runtime, mail);
        __atomic_add_fetch(&wheel->pending, 1, __ATOMIC_SEQ_CST);
        rh__wheel_put(wheel, mail);
    }
    if (!wheel->has_thread) {
        start_thread(runtime);
    } else if (first < wheel->alarm) {
        // Of many timers only the first wakes the thread.
        wheel->alarm = 0;
        pthread_cond_signal(&wheel->changed);
    }
    pthread_mutex_unlock(&wheel->lock);
}

struct rh_mail *rh_wheel_take_all(struct rh_wheel *wheel)
{
    struct rh_mail *all = wheel->overdue;
    for (struct place at = find_first(wheel); at.due != UINT64_MAX; at = find_first(wheel)) {
        struct rh_mail *first = take_list(wheel, at);
        wheel->lists[at.level][half_of(at.level, at.due)][place_of(at.level, at.due)].last->next =
            all;
        all = first;
    }
    return all;
}

void rh_wheel_stop(struct rh_wheel *wheel)
{
    pthread_mutex_lock(&wheel->lock);
    wheel->ends = true;
    pthread_cond_signal(&wheel->changed);
    bool joins = wheel->has_thread;
    pthread_mutex_unlock(&wheel->lock);
    if (joins)
        pthread_join(wheel->thread, NULL);
}

void rh_wheel_fini(struct rh_wheel *wheel)
{
    pthread_mutex_destroy(&wheel->lock);
    pthread_cond_destroy(&wheel->changed);
}
