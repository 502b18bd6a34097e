// SPDX-License-Identifier: MIT
// What threads send each other: messages in the world with parcels behind them, and parcels that a
// thread applies before their messages are delivered.
#include <stdio.h>
#include <string.h>

#include "adapters/zmq/director.h"

const struct rh_type *rh__zmq_type_of(enum rh_zmq_event event)
{
#define X(number, name) {#name, 0},
    static const struct rh_type types[] = {RH_ZMQ_EVENTS(X)};
#undef X
    return &types[event];
}

struct rh_sending rh__zmq_sending_of(uint32_t sender, const struct rh_zmq_thread *to,
                                     enum rh_zmq_event event, const char *text)
{
    return (struct rh_sending){.kind = RH_PLAIN,
                               .sender = sender,
                               .receiver = to->slot,
                               .type = rh__zmq_type_of(event),
                               .payload = text,
                               .size = *text ? strlen(text) + 1 : 0,
                               .is_after_all = rh__zmq_engine.is_idle};
}

uint32_t rh__zmq_send(const struct rh_sending *sending, const struct rh_zmq_sent *sent)
{
    uint32_t number = rh_world_send(rh__process.world, sending);
    while (rh__zmq_engine.parcels.count <= number)
        rh_vector_push(&rh__zmq_engine.parcels);
    rh__zmq_engine.parcels.items[number] = *sent;
    return number;
}

void rh__zmq_declare(struct rh_zmq_sent *sent, const struct rh_zmq_thread *thread)
{
    size_t size = sizeof *sent->objects * thread->expected.count;
    if (size == 0)
        return;
    sent->objects = rh_alloc(size);
    sent->object_count = (uint32_t)thread->expected.count;
    memcpy(sent->objects, thread->expected.items, size);
}

// Whether the thread waits for this, so that what it expects is the same until the message comes.
static bool is_waited_for(enum rh_zmq_event event)
{
    return event == RH_ZMQ_STEP || event == RH_ZMQ_TIMEOUT || event == RH_ZMQ_UNLOCK ||
           event == RH_ZMQ_WAKE;
}

static uint32_t post_as(uint32_t sender, struct rh_zmq_thread *from, const struct rh_zmq_thread *to,
                        enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    const struct rh_sending sending = rh__zmq_sending_of(sender, to, event, text);
    // Whoever joins the thread may send in its name as well then (rh__zmq_join).
    if (from->has_ended) {
        rh__zmq_check(&from->ending);
        rh__zmq_note(&from->ending);
    }
    from->past.at[from->number]++;
    struct rh_zmq_sent sent = {.parcel = parcel,
                               .clock = from->clock,
                               .past = from->past,
                               .wait_number = to->wait_number,
                               .event = event,
                               .sender = from->number,
                               .known_by = from->number,
                               .known_at = from->past.at[from->number]};
    if (is_waited_for(event))
        rh__zmq_declare(&sent, to);
    return rh__zmq_send(&sending, &sent);
}

static uint32_t post(struct rh_zmq_thread *from, struct rh_zmq_thread *to, enum rh_zmq_event event,
                     const char *text, struct rh_zmq_parcel parcel)
{
    return post_as(from->slot, from, to, event, text, parcel);
}

void rh__zmq_post(struct rh_zmq_thread *to, enum rh_zmq_event event, const char *text,
                  struct rh_zmq_parcel parcel)
{
    post(rh__zmq_caller("rh__zmq_post"), to, event, text, parcel);
}

void rh__zmq_post_from(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                       enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    post(from, to, event, text, parcel);
}

// Each route is a sender of its own in the world, "main#1/tcp:5555", since messages of one sender
// keep their order.
static uint32_t add_route(struct rh_zmq_thread *thread, const char *name)
{
    struct rh_text full = {0};
    rh_world_add_name(rh__process.world, &full, thread->slot);
    rh_text_addf(&full, "/%s", name);
    uint32_t slot = rh_world_add_outside(rh__process.world, rh_text_get(&full));
    rh_text_fini(&full);
    *rh_vector_push(&thread->routes) = (struct rh_zmq_route){rh_strdup(name), slot};
    return slot;
}

static uint32_t get_route(struct rh_zmq_thread *thread, const char *name)
{
    for (size_t i = 0; i < thread->routes.count; i++)
        if (strcmp(thread->routes.items[i].name, name) == 0)
            return thread->routes.items[i].slot;
    return add_route(thread, name);
}

void rh__zmq_post_by(const char *route, struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                     enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    post_as(get_route(from, route), from, to, event, text, parcel);
}

void rh__zmq_post_at_once(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                          enum rh_zmq_event event, const char *text, struct rh_zmq_parcel parcel)
{
    *rh_vector_push(&to->unapplied) = post(from, to, event, text, parcel);
}

void rh__zmq_post_on(struct rh_zmq_thread *from, struct rh_zmq_thread *to, enum rh_zmq_event event,
                     const char *text, struct rh_zmq_parcel parcel)
{
    uint32_t number = post(from, to, event, text, parcel);
    struct rh_zmq_sent *sent = &rh__zmq_engine.parcels.items[number];
    const struct rh_zmq_sent *before = &rh__zmq_engine.parcels.items[rh__zmq_engine.applying];
    sent->known_by = before->known_by;
    sent->known_at = before->known_at;
    *rh_vector_push(&to->unapplied) = number;
}

void rh__zmq_post_step(struct rh_zmq_thread *thread, const char *call, const char *object)
{
    char name[RH_ZMQ_NAME_MOST];
    snprintf(name, sizeof name, "%s%s%s", call, *object ? " " : "", object);
    thread->has_step = true;
    post(thread, thread, RH_ZMQ_STEP, name, (struct rh_zmq_parcel){0});
}

// Applying what can be known already.

// Whether the parcel is for the thread, and the thread can know of it. Whether the other thread has
// sent the parcel on matters to both threads.
static bool is_there(const struct rh_zmq_sent *sent, const struct rh_zmq_thread *thread,
                     const struct rh_zmq_thread *other)
{
    const struct rh_zmq_parcel *parcel = &sent->parcel;
    if (other != thread && !(parcel->owner && *parcel->owner == thread))
        return false;
    if (other != thread)
        rh__zmq_tie(thread, other);
    return sent->known_at <= thread->past.at[sent->known_by];
}

// Applies what was sent to the other thread and is for this one, or to this thread itself, in the
// order of sending. All of it was sent before the running delivery, by messages or by ties, and
// changes only what belongs to this thread: no other delivery can tell.
static void catch_up_with(struct rh_zmq_thread *thread, struct rh_zmq_thread *other)
{
    size_t kept = 0;
    for (size_t i = 0; i < other->unapplied.count; i++) {
        uint32_t number = other->unapplied.items[i];
        struct rh_zmq_sent *sent = &rh__zmq_engine.parcels.items[number];
        struct rh_zmq_parcel parcel = sent->parcel;
        if (!parcel.apply)
            continue;
        if (!is_there(sent, thread, other)) {
            other->unapplied.items[kept++] = number;
            continue;
        }
        sent->parcel.apply = NULL;
        rh__zmq_engine.applying = number;
        parcel.apply(thread, parcel.object, parcel.content);
    }
    other->unapplied.count = kept;
}

// What was sent to an earlier owner of a socket is older, and is applied first.
void rh__zmq_catch_up(void)
{
    struct rh_zmq_thread *thread = rh__zmq_caller(__func__);
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (&rh__zmq_engine.threads[i] != thread)
            catch_up_with(thread, &rh__zmq_engine.threads[i]);
    catch_up_with(thread, thread);
}
