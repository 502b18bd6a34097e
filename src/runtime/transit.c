// SPDX-License-Identifier: MIT
#include "runtime/transit.h"

#include <time.h>

#include "base/hash.h"
#include "base/status.h"
#include "runtime/runtime.h"

// The heap.

static bool is_before(const struct rh_travelling *one, const struct rh_travelling *other)
{
    return one->due != other->due ? one->due < other->due : one->number < other->number;
}

static void put(struct rh_transit *transit, struct rh_travelling added)
{
    rh_vector_push(&transit->heap);
    struct rh_travelling *items = transit->heap.items;
    size_t at = transit->heap.count - 1;
    for (; at > 0 && is_before(&added, &items[(at - 1) / 2]); at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = added;
}

static struct rh_mail *take_first(struct rh_transit *transit)
{
    struct rh_travelling *items = transit->heap.items;
    struct rh_mail *first = items[0].mail;
    size_t count = --transit->heap.count, at = 0;
    struct rh_travelling moved = items[count];
    for (size_t below = 1; below < count; below = 2 * at + 1) {
        if (below + 1 < count && is_before(&items[below + 1], &items[below]))
            below++;
        if (!is_before(&items[below], &moved))
            break;
        items[at] = items[below];
        at = below;
    }
    items[at] = moved;
    return first;
}

// The thread.

void rh_transit_init(struct rh_transit *transit)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&transit->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&transit->lock, NULL);
}

void rh_transit_fini(struct rh_transit *transit)
{
    pthread_mutex_destroy(&transit->lock);
    pthread_cond_destroy(&transit->changed);
    rh_index_fini(&transit->pairs);
    rh_vector_fini(&transit->latest);
    rh_vector_fini(&transit->heap);
}

static uint64_t nanoseconds_now(const struct rh_runtime *runtime)
{
    return runtime->in_setup ? 0 : rh_clock_ns() - runtime->start_ns;
}

static void sleep_until(struct rh_transit *transit, uint64_t ns)
{
    struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000),
                             .tv_nsec = (long)(ns % 1000000000)};
    pthread_cond_timedwait(&transit->changed, &transit->lock, &limit);
}

// Hands a message over. Called with the lock, which is free meanwhile.
static void hand_over(struct rh_runtime *runtime, struct rh_mail *mail)
{
    struct rh_transit *transit = &runtime->transit;
    pthread_mutex_unlock(&transit->lock);
    if (mail->kind == RH_MAIL_REPLY)
        rh_resume_with(runtime->cells.cells[mail->cell].wait, mail);
    else
        rh_deposit(runtime, NULL, mail);
    // If this message was the last and nobody got it, the run may be over: a carrier must look.
    if (__atomic_sub_fetch(&transit->pending, 1, __ATOMIC_SEQ_CST) == 0)
        rh_wake_one(runtime);
    pthread_mutex_lock(&transit->lock);
}

static void *run_transit(void *argument)
{
    struct rh_runtime *runtime = argument;
    struct rh_transit *transit = &runtime->transit;
    pthread_mutex_lock(&transit->lock);
    while (!transit->ends) {
        if (transit->heap.count == 0)
            pthread_cond_wait(&transit->changed, &transit->lock);
        else if (transit->heap.items[0].due > nanoseconds_now(runtime))
            sleep_until(transit, runtime->start_ns + transit->heap.items[0].due);
        else
            hand_over(runtime, take_first(transit));
    }
    pthread_mutex_unlock(&transit->lock);
    return NULL;
}

void rh_transit_start(struct rh_runtime *runtime)
{
    struct rh_transit *transit = &runtime->transit;
    transit->has_thread = pthread_create(&transit->thread, NULL, run_transit, runtime) == 0;
    if (!transit->has_thread)
        rh_panic("no thread for messages that are under way");
}

struct rh_mail *rh_transit_stop(struct rh_transit *transit)
{
    pthread_mutex_lock(&transit->lock);
    transit->ends = true;
    pthread_cond_signal(&transit->changed);
    pthread_mutex_unlock(&transit->lock);
    if (transit->has_thread)
        pthread_join(transit->thread, NULL);
    struct rh_mail *left = NULL;
    for (size_t i = 0; i < transit->heap.count; i++) {
        transit->heap.items[i].mail->next = left;
        left = transit->heap.items[i].mail;
    }
    return left;
}

// Sending.

// When the newest message from the sender to the receiver of this message is due.
static uint64_t *latest_of(struct rh_transit *transit, const struct rh_mail *mail)
{
    uint64_t receiver = (uint64_t)mail->life << 32 | mail->cell;
    uint64_t key = rh_hash64_pair((uint64_t)(uintptr_t)mail->sender, receiver);
    uint32_t place = rh_index_find(&transit->pairs, key);
    if (place == RH_NONE) {
        place = (uint32_t)transit->latest.count;
        rh_vector_push(&transit->latest);
        rh_index_add(&transit->pairs, key, place);
    }
    return &transit->latest.items[place];
}

void rh_transit_send(struct rh_runtime *runtime, struct rh_rng *rng, struct rh_mail *mail)
{
    struct rh_transit *transit = &runtime->transit;
    uint64_t due =
        nanoseconds_now(runtime) + rh_rng_below(rng, runtime->options.transit_us * 1000 + 1);
    __atomic_add_fetch(&transit->pending, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&transit->lock);
    uint64_t *latest = latest_of(transit, mail);
    if (due < *latest)
        due = *latest;
    *latest = due;
    put(transit, (struct rh_travelling){due, transit->sent++, mail});
    if (transit->heap.items[0].mail == mail)
        pthread_cond_signal(&transit->changed);
    pthread_mutex_unlock(&transit->lock);
}
