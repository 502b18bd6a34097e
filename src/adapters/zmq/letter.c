// SPDX-License-Identifier: MIT
#include "adapters/zmq/letter.h"

#include <stdlib.h>
#include <string.h>

// The thread that has the socket now. The answer matters to the acting thread, and to a thread that
// takes the socket over.
static struct rh_zmq_thread *owner_of(struct rh_zmq_socket *socket)
{
    rh__zmq_check(&socket->taken);
    rh__zmq_note(&socket->used);
    return socket->owner;
}

static void apply_letter(struct rh_zmq_thread *to, void *object, void *content);

// Within a process a call that sends something has put it where the other thread finds it. Only a
// monitor's events come from ZeroMQ's own threads, and so later.
static bool is_at_once(const struct rh_zmq_letter *letter)
{
    const struct rh_zmq_mail *mail =
        letter->apply == rh__zmq_apply_arrival ? letter->content : NULL;
    return !(mail && mail->event);
}

static struct rh_zmq_parcel parcel_of(struct rh_zmq_letter *letter)
{
    return (struct rh_zmq_parcel){apply_letter, letter, NULL, &letter->pipe->socket->owner};
}

// Between processes each connection has a route of its own: letters through two connections have no
// order.
static void post(struct rh_zmq_thread *from, struct rh_zmq_thread *to, const char *text,
                 struct rh_zmq_letter *letter)
{
    const struct rh_zmq_parcel parcel = parcel_of(letter);
    if (rh__zmq_pipe_is_remote(letter->pipe))
        rh__zmq_post_by(letter->pipe->route, from, to, letter->event, text, parcel);
    else if (is_at_once(letter))
        rh__zmq_post_at_once(from, to, letter->event, text, parcel);
    else
        rh__zmq_post_from(from, to, letter->event, text, parcel);
}

// The letter of a remote pipe takes effect: letters do so in the order in which they were sent.
static void land(struct rh_zmq_letter *letter)
{
    struct rh_zmq_pipe *pipe = letter->pipe;
    rh_assert(pipe->flying.items[0] == letter);
    memmove(pipe->flying.items, pipe->flying.items + 1,
            --pipe->flying.count * sizeof *pipe->flying.items);
    if (letter->event != RH_ZMQ_ARRIVE)
        return;
    rh__zmq_check(&pipe->meets);
    rh__zmq_note(&pipe->meets);
}

// Nobody gets the letter.
static void lose(const struct rh_zmq_letter *letter)
{
    if (letter->apply == rh__zmq_apply_topic) {
        rh__zmq_content_free(letter->content);
        return;
    }
    rh__zmq_unread_note(&letter->pipe->peer->socket->dropped, letter->content);
    rh__zmq_mail_free(letter->content);
}

static void open_letter(struct rh_zmq_letter *letter)
{
    struct rh_zmq_pipe *pipe = letter->pipe;
    rh_assert(letter->number == pipe->opened);
    pipe->opened++;
    if (rh__zmq_pipe_is_remote(pipe))
        land(letter);
    if (letter->is_lost)
        lose(letter);
    else
        letter->apply(pipe, letter->content);
    free(letter);
}

static struct rh_zmq_letter *take_next_held(struct rh_zmq_pipe *pipe)
{
    for (size_t i = 0; i < pipe->held.count; i++) {
        struct rh_zmq_letter *letter = pipe->held.items[i];
        if (letter->number != pipe->opened)
            continue;
        pipe->held.items[i] = pipe->held.items[--pipe->held.count];
        return letter;
    }
    return NULL;
}

static void send_on(struct rh_zmq_thread *from, struct rh_zmq_thread *to,
                    struct rh_zmq_letter *letter)
{
    const char *name = letter->pipe->socket->name;
    if (rh__zmq_pipe_is_remote(letter->pipe) || !is_at_once(letter))
        post(from, to, name, letter);
    else
        rh__zmq_post_on(from, to, letter->event, name, parcel_of(letter));
}

// A letter that is delivered to a thread that does not have the socket any more is sent on to the
// thread that has it.
static void apply_letter(struct rh_zmq_thread *to, void *object, void *content)
{
    struct rh_zmq_letter *letter = object;
    struct rh_zmq_pipe *pipe = letter->pipe;
    (void)content;
    if (!letter->apply) {
        free(letter);
        return;
    }
    struct rh_zmq_thread *owner = owner_of(pipe->socket);
    if (owner != to) {
        send_on(to, owner, letter);
        return;
    }
    *rh_vector_push(&pipe->held) = letter;
    while ((letter = take_next_held(pipe)))
        open_letter(letter);
}

void rh__zmq_hand_over(struct rh_zmq_pipe *pipe, enum rh_zmq_event event, const char *text,
                       void (*apply)(struct rh_zmq_pipe *pipe, void *content), void *content)
{
    struct rh_zmq_thread *from = rh__zmq_acting(), *owner = owner_of(pipe->socket);
    struct rh_zmq_letter *letter = rh_alloc(sizeof *letter);
    *letter = (struct rh_zmq_letter){pipe, event, pipe->posted++, apply, content, false};
    if (rh__zmq_pipe_is_remote(pipe))
        *rh_vector_push(&pipe->flying) = letter;
    if (owner != from || rh__zmq_pipe_is_remote(pipe))
        post(from, owner, text, letter);
    else
        apply_letter(from, letter, NULL);
}

uint64_t rh__zmq_count_flying(const struct rh_zmq_pipe *pipe)
{
    uint64_t count = 0;
    for (size_t i = 0; i < pipe->flying.count; i++)
        count += pipe->flying.items[i]->apply == rh__zmq_apply_arrival;
    return count;
}

// Letters that do not come.

// Takes a letter back: a message waits where it will be read, and a subscription will be told
// again.
static void take_back(struct rh_zmq_letter *letter)
{
    if (letter->apply == rh__zmq_apply_arrival)
        *rh_vector_push(&letter->pipe->queue) = letter->content;
    else if (letter->apply == rh__zmq_apply_topic)
        rh__zmq_content_free(letter->content);
    letter->apply = NULL;
}

void rh__zmq_take_all_back(struct rh_zmq_pipe *pipe)
{
    for (size_t i = 0; i < pipe->flying.count; i++)
        take_back(pipe->flying.items[i]);
    for (size_t i = 0; i < pipe->held.count; i++)
        free(pipe->held.items[i]);
    pipe->flying.count = pipe->held.count = 0;
    pipe->opened = pipe->posted;
}

// Whether somebody can tell that the letter has not come. A subscription of a closed socket shows
// to nobody but an XPUB.
static bool is_missable(const struct rh_zmq_letter *letter)
{
    return letter->apply == rh__zmq_apply_arrival ||
           (letter->apply == rh__zmq_apply_topic && letter->pipe->socket->type == RH_ZMQ_XPUB);
}

void rh__zmq_cut_off(const struct rh_zmq_pipe *pipe)
{
    int count = 0;
    for (size_t i = 0; i < pipe->flying.count; i++)
        count += is_missable(pipe->flying.items[i]);
    int lost = count > 0 ? rh__zmq_choose(count + 1,
                                          "how many of the last messages are lost on "
                                          "the way to ",
                                          pipe->socket->name)
                         : 0;
    for (size_t i = pipe->flying.count; i > 0 && lost > 0; i--) {
        pipe->flying.items[i - 1]->is_lost = is_missable(pipe->flying.items[i - 1]);
        lost -= pipe->flying.items[i - 1]->is_lost;
    }
}
