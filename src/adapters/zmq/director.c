// SPDX-License-Identifier: MIT
// The director: applies what is delivered, lets threads go on, and says what happens when nothing
// is deliverable.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rehearse/test.h>

#include "adapters/zmq/anew.h"
#include "adapters/zmq/director.h"
#include "adapters/zmq/outside.h"
#include "entry/program.h"

// How often, and how long in between, the director looks whether something that is not under
// control has come before it gives up: half a second in all.
enum { OUTSIDE_LOOKS = 500, OUTSIDE_PAUSE_NS = 1000000 };

static struct rh_zmq_thread *thread_of(uint32_t slot)
{
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (rh__zmq_engine.threads[i].slot == slot)
            return &rh__zmq_engine.threads[i];
    return NULL;
}

// Whether what is being delivered may end the wait.
static bool may_look(const struct rh_zmq_wait *wait)
{
    return !wait->shared || rh__zmq_is_declared(wait->shared);
}

// Lets the thread go on if what has come ends its wait, or look if its wait observes.
static void let_go_on(struct rh_zmq_thread *thread, enum rh_zmq_event event)
{
    if (event == RH_ZMQ_START || event == RH_ZMQ_STEP) {
        thread->has_step = false;
        rh__zmq_run(thread);
    } else if (thread->wait && !thread->has_step && may_look(thread->wait) &&
               rh__zmq_can_go_on(thread)) {
        if (thread->wait->observes)
            rh__zmq_post_step(thread, thread->wait->call, thread->wait->object);
        else
            rh__zmq_run(thread);
    }
}

static void deliver(struct rh_zmq_thread *thread, const struct rh_zmq_sent *sent)
{
    rh__zmq_engine.receiver = thread;
    thread->clock.at[thread->number]++;
    rh__zmq_learn(&thread->clock, &sent->clock);
    rh__zmq_learn(&thread->past, &sent->past);
    thread->delivery = rh__process.world->delivery;
    thread->delivered = rh__process.world->number;
    thread->caused_by = sent->sender;
    thread->sent_before = thread->past.at[thread->number];
    if (sent->event == RH_ZMQ_EXIT) {
        rh__zmq_end_process(thread);
        return;
    }
    if (sent->event == RH_ZMQ_TIMEOUT && thread->wait && sent->wait_number == thread->wait_number)
        thread->was_late = true;
    if (sent->event == RH_ZMQ_WAKE && sent->wait_number == thread->wait_number)
        rh__zmq_wake(thread);
    if (sent->parcel.apply)
        sent->parcel.apply(thread, sent->parcel.object, sent->parcel.content);
    let_go_on(thread, sent->event);
}

static void process(rh_actor *actor, const rh_message *message)
{
    struct rh_world *world = rh__process.world;
    uint32_t slot = rh_world_slot(actor);
    rh__process.in_handler = 0;
    world->actors[slot].handled = true;
    struct rh_zmq_sent *kept = &rh__zmq_engine.parcels.items[message - world->messages];
    const struct rh_zmq_sent sent = *kept;
    kept->parcel.apply = NULL;
    rh__zmq_engine.delivering = rh__zmq_engine.applying = (uint32_t)(message - world->messages);
    deliver(thread_of(slot), &sent);
}

// Sends a message in a thread's name, as part of its newest delivery.
static void post_idle_to(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                         enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    rh__process.world->current = from->slot;
    rh__process.world->delivery = from->delivery;
    rh__zmq_engine.is_idle = true;
    rh__zmq_post_from(from, to, event, text, parcel);
    rh__zmq_engine.is_idle = false;
    rh__process.world->current = 0;
}

static void post_idle(struct rh_zmq_thread *thread, enum rh_zmq_event event, const char *text)
{
    post_idle_to(thread, thread, event, text, (struct rh_zmq_parcel){0});
}

static uint64_t earliest_deadline(void)
{
    uint64_t earliest = RH_ZMQ_NEVER;
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++) {
        const struct rh_zmq_thread *thread = &rh__zmq_engine.threads[i];
        if (thread->wait && thread->wait->deadline < earliest)
            earliest = thread->wait->deadline;
    }
    for (size_t i = 0; i < rh__zmq_engine.later.count; i++)
        if (rh__zmq_engine.later.items[i].at < earliest)
            earliest = rh__zmq_engine.later.items[i].at;
    return earliest;
}

void rh__zmq_post_later(uint64_t at, struct rh_zmq_thread *const *owner, enum rh_zmq_event event,
                        const char *text, struct rh_zmq_parcel parcel)
{
    struct rh_zmq_later *later = rh_vector_push(&rh__zmq_engine.later);
    *later = (struct rh_zmq_later){.at = at, .owner = owner, .event = event, .parcel = parcel};
    snprintf(later->text, sizeof later->text, "%s", text);
}

static void post_due(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < rh__zmq_engine.later.count; i++) {
        const struct rh_zmq_later later = rh__zmq_engine.later.items[i];
        if (later.at <= rh__zmq_engine.now)
            post_idle_to(*later.owner, *later.owner, later.event, later.text, later.parcel);
        else
            rh__zmq_engine.later.items[kept++] = later;
    }
    rh__zmq_engine.later.count = kept;
}

static bool let_time_pass(void)
{
    uint64_t earliest = earliest_deadline();
    if (earliest == RH_ZMQ_NEVER)
        return false;
    rh__zmq_file_times_look();
    rh__zmq_engine.now = earliest;
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++) {
        struct rh_zmq_thread *thread = &rh__zmq_engine.threads[i];
        if (thread->wait && thread->wait->deadline == earliest)
            post_idle(thread, RH_ZMQ_TIMEOUT, thread->wait->call);
    }
    post_due();
    return true;
}

// Lets threads go on that wait for something that is not under control and has come.
static bool let_outside_come(void)
{
    bool has_come = false;
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++) {
        struct rh_zmq_thread *thread = &rh__zmq_engine.threads[i];
        if (!thread->wait || !thread->wait->is_outside || !rh__zmq_can_go_on(thread))
            continue;
        thread->has_step = true;
        post_idle(thread, RH_ZMQ_STEP, thread->wait->call);
        has_come = true;
    }
    return has_come;
}

// Nothing under control can happen any more: waits for a while for what is not.
static bool await_outside(void)
{
    for (int i = 0; i < OUTSIDE_LOOKS && rh__zmq_waits_for_outside(); i++) {
        struct timespec pause = {.tv_nsec = OUTSIDE_PAUSE_NS};
        syscall(SYS_nanosleep, &pause, NULL);
        if (let_outside_come())
            return true;
    }
    return false;
}

static void *leave(void *argument)
{
    (void)argument;
    exit(0);
}

static bool have_all_ended(void)
{
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (!rh__zmq_engine.threads[i].has_ended)
            return false;
    return true;
}

// Main has ended by pthread_exit, and all others have ended too: libc calls exit in the last of
// them, whichever that is, if ZeroMQ has none left either. What was registered for the exit runs on
// a thread of its own here, so that the order of the ends makes no difference.
static bool let_process_end(void)
{
    int error;
    struct rh_zmq_thread *first = &rh__zmq_engine.threads[0];
    if (!have_all_ended() || rh__zmq_contexts_are_used())
        return false;
    rh__process.world->current = first->slot;
    rh__process.world->delivery = first->delivery;
    struct rh_zmq_thread *last = rh__zmq_spawn(leave, NULL, NULL, &error);
    if (!last)
        rh_panic("cannot start a thread: %s", strerror(error));
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        rh__zmq_learn(&last->clock, &rh__zmq_engine.threads[i].clock);
    post_idle_to(first, last, RH_ZMQ_START, "", (struct rh_zmq_parcel){0});
    return true;
}

static bool go_on_idle(void)
{
    if (rh__zmq_engine.has_left)
        return false;
    if (let_outside_come())
        return true;
    if (!rh__zmq_engine.leaving)
        return let_process_end() || let_time_pass() || await_outside();
    post_idle(rh__zmq_engine.leaving, RH_ZMQ_EXIT, "");
    return true;
}

static unsigned touches(const rh_message *message, const uint64_t **objects)
{
    size_t number = (size_t)(message - rh__process.world->messages);
    if (number >= rh__zmq_engine.parcels.count)
        return 0;
    *objects = rh__zmq_engine.parcels.items[number].objects;
    return rh__zmq_engine.parcels.items[number].object_count;
}

static const void *resumes_at(rh_actor *actor)
{
    return thread_of(rh_world_slot(actor))->resumes_at;
}

const struct rh_adapter_ops rh_zmq_adapter = {.name = "zmq",
                                              .process = process,
                                              .touches = touches,
                                              .keeps_state = true,
                                              .go_on_idle = go_on_idle,
                                              .resumes_at = resumes_at,
                                              .judge = rh__zmq_judge,
                                              .describe = rh__zmq_describe,
                                              .say = rh__zmq_outside_say,
                                              .omits = rh__zmq_outside_omits,
                                              .launch = rh__zmq_launch};

const struct rh_adapter_ops *rh_program_adapter(void)
{
    return &rh_zmq_adapter;
}

// The one test of a program that is explored as it is: running it.
static const struct rh_test test = {"main", rh__zmq_begin, "", 0};
static const struct rh_test *const test_entry __attribute__((section("rh_tests"), used)) = &test;
