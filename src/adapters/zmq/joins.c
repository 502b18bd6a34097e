// SPDX-License-Identifier: MIT
// Ends of threads, and who waits for them.
#include "adapters/zmq/director.h"

static void apply_end(struct rh_zmq_thread *to, void *object, void *content)
{
    const struct rh_zmq_thread *ended = object;
    (void)content;
    to->knows_end[ended->number] = true;
}

static void tell_end(struct rh_zmq_thread *thread)
{
    rh__zmq_post_from(thread, thread->joined_by, RH_ZMQ_ENDED, "",
                      (struct rh_zmq_parcel){apply_end, thread, NULL, NULL});
}

static void apply_join(struct rh_zmq_thread *to, void *object, void *content)
{
    (void)content;
    to->joined_by = object;
    if (to->has_ended)
        tell_end(to);
}

// A thread that has ended, and the thread that waits for its end.
struct end {
    const struct rh_zmq_thread *waiting, *ended;
};

static bool knows_end(const void *context)
{
    const struct end *end = context;
    return end->waiting->knows_end[end->ended->number];
}

// The thread has ended, and is joined. What follows for who joins it comes of both, in whichever
// order they were: the same message comes from the thread that has ended, behind all that this has
// sent, with what it knew at its end.
static void send_end(struct rh_zmq_thread *thread)
{
    const struct rh_world *world = rh__process.world;
    const struct rh_zmq_thread *to = thread->joining.thread;
    bool is_joined_first = world->number == thread->end.delivered;
    struct rh_sending sending = rh__zmq_sending_of(thread->slot, to, RH_ZMQ_ENDED, "");
    sending.identity =
        rh_hash64_pair(thread->joining.delivery, world->actors[thread->slot].identity);
    sending.also_sent_at = is_joined_first ? thread->joining.delivered : thread->end.delivered;
    struct rh_zmq_sent sent = {.parcel = {apply_end, thread, NULL, NULL},
                               .clock = thread->end.clock,
                               .past = thread->end.past,
                               .event = RH_ZMQ_ENDED,
                               .sender = thread->number,
                               .known_by = thread->number,
                               .known_at = thread->end.past.at[thread->number]};
    rh__zmq_declare(&sent, to);
    rh__zmq_send(&sending, &sent);
}

void rh__zmq_join(struct rh_zmq_thread *thread)
{
    struct rh_zmq_thread *caller = rh__zmq_caller("pthread_join");
    const struct end end = {caller, thread};
    const struct rh_zmq_wait wait = {.call = "pthread_join",
                                     .object = thread->name,
                                     .is_over = knows_end,
                                     .context = &end,
                                     .holder = &thread,
                                     .deadline = RH_ZMQ_NEVER};
    if (knows_end(&end))
        return;
    rh__zmq_check(&thread->ending);
    rh__zmq_note(&thread->ending);
    thread->joining.thread = caller;
    thread->joining.delivery = caller->delivery;
    thread->joining.delivered = caller->delivered;
    if (thread->has_ended)
        send_end(thread);
    rh__zmq_wait(&wait);
}

bool rh__zmq_join_until(struct rh_zmq_thread *thread, const char *call, uint64_t deadline)
{
    struct rh_zmq_thread *caller = rh__zmq_caller(call);
    const struct end end = {caller, thread};
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = thread->name,
                                     .is_over = knows_end,
                                     .context = &end,
                                     .deadline = deadline,
                                     .observes = true};
    rh__zmq_post(thread, RH_ZMQ_JOIN, "", (struct rh_zmq_parcel){apply_join, caller, NULL, NULL});
    rh__zmq_wait(&wait);
    return knows_end(&end);
}

void rh__zmq_end_thread(struct rh_zmq_thread *thread)
{
    if (thread->joined_by)
        tell_end(thread);
    thread->has_ended = true;
    thread->wait = NULL;
    thread->end.delivered = thread->delivered;
    thread->end.clock = thread->clock;
    thread->end.past = thread->past;
    if (thread->joining.thread)
        send_end(thread);
}
