// SPDX-License-Identifier: MIT
// What goes through a connection: messages and subscriptions.
#include <stdio.h>

#include "adapters/zmq/letter.h"
#include "adapters/zmq/outside.h"

// Messages.

// Whether only the newest message counts. Within a process the side that connects decides for both.
static bool is_conflating(const struct rh_zmq_pipe *pipe)
{
    bool is_here = rh__zmq_pipe_is_remote(pipe) || pipe->is_connecting;
    const struct rh_zmq_socket *socket = is_here ? pipe->socket : pipe->peer->socket;
    return rh__zmq_socket_conflates(socket);
}

static void forget_older(struct rh_zmq_pipe *pipe, const struct rh_zmq_mail *mail)
{
    if (mail->frames.count > 1)
        rh__zmq_give_up("ZMQ_CONFLATE is not supported for messages of several parts, on a %s "
                        "socket",
                        rh__zmq_type_name(pipe->socket->type));
    for (size_t i = pipe->first; i < pipe->queue.count; i++)
        rh__zmq_mail_free(pipe->queue.items[i]);
    pipe->first = pipe->queue.count = 0;
}

// ZeroMQ would end the connection when a message is too large.
static void check_size(const struct rh_zmq_pipe *pipe, const struct rh_zmq_mail *mail)
{
    int64_t most = pipe->socket->frame_most;
    for (size_t i = 0; i < mail->frames.count && most >= 0 && rh__zmq_pipe_is_remote(pipe); i++)
        if (rh__zmq_content_size(mail->frames.items[i]) > (size_t)most)
            rh__zmq_give_up("a message that is larger than ZMQ_MAXMSGSIZE has come, which is not "
                            "supported, on a %s socket",
                            rh__zmq_type_name(pipe->socket->type));
}

static size_t bytes_of(const struct rh_zmq_mail *mail)
{
    size_t bytes = 0;
    for (size_t i = 0; i < mail->frames.count; i++)
        bytes += rh__zmq_content_size(mail->frames.items[i]);
    return bytes;
}

// Between processes ZeroMQ checks whether a message to a REQ has the empty frame, behind a number
// or not, and ends the connection otherwise.
static void check_reply(const struct rh_zmq_pipe *pipe, const struct rh_zmq_mail *mail)
{
    size_t number = rh__zmq_content_size(mail->frames.items[0]) == sizeof(uint32_t);
    bool is_reply =
        mail->frames.count > number + 1 && rh__zmq_content_size(mail->frames.items[number]) == 0;
    if (pipe->socket->type == RH_ZMQ_REQ && rh__zmq_pipe_is_remote(pipe) && !is_reply)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_STRAY, pipe->socket->name);
}

void rh__zmq_apply_arrival(struct rh_zmq_pipe *pipe, void *content)
{
    struct rh_zmq_mail *mail = content;
    if (pipe->is_void) {
        rh__zmq_unread_note(&pipe->peer->socket->dropped, mail);
        rh__zmq_mail_free(mail);
        return;
    }
    if (pipe->socket->is_closed || (pipe->is_gone && !pipe->is_attached)) {
        if (rh__zmq_pipe_is_remote(pipe) && pipe->peer->is_connecting)
            rh__zmq_endpoint_lose(pipe->endpoint, pipe->peer->socket);
        rh__zmq_unread_note(&pipe->socket->unread, mail);
        rh__zmq_mail_free(mail);
        return;
    }
    check_size(pipe, mail);
    check_reply(pipe, mail);
    if (is_conflating(pipe))
        forget_older(pipe, mail);
    *rh_vector_push(&pipe->queue) = mail;
    bool is_first = !pipe->is_attached && pipe->socket->type == RH_ZMQ_PULL;
    if (is_first)
        rh__zmq_pipe_attach(pipe);
    // As in ZeroMQ, a reader that has not found the queue empty since is not told that there is
    // more.
    if (rh__zmq_ring_activate(&pipe->socket->in, pipe) || is_first)
        rh__zmq_descriptor_signal(pipe->socket);
}

static void note_writing(struct rh_zmq_pipe *pipe, const struct rh_zmq_mail *mail)
{
    const struct rh_zmq_thread *writer = rh__zmq_acting();
    if (mail->event || rh__zmq_mail_is_of_czmq(mail))
        return;
    pipe->last = (struct rh_zmq_writing){.letter = pipe->peer->posted + 1,
                                         .delivery = writer->clock.at[writer->number],
                                         .sent = writer->past.at[writer->number] + 1,
                                         .caused_by = writer->caused_by,
                                         .is_first = !rh__zmq_has_sent(writer)};
}

void rh__zmq_pipe_write(struct rh_zmq_pipe *pipe, struct rh_zmq_mail *mail)
{
    struct rh_zmq_pipe *peer = pipe->peer;
    pipe->written++;
    pipe->written_bytes += bytes_of(mail);
    if (rh__zmq_pipe_is_remote(pipe) && rh__zmq_socket_conflates(pipe->socket))
        rh__zmq_give_up("ZMQ_CONFLATE is not supported where messages are sent over tcp or ipc, on "
                        "a %s socket",
                        rh__zmq_type_name(pipe->socket->type));
    mail->origin = rh__zmq_pipe_is_remote(pipe) ? pipe : NULL;
    if (!peer->socket) {
        // Nobody is there yet: the message waits where it will be read.
        *rh_vector_push(&peer->queue) = mail;
        return;
    }
    note_writing(pipe, mail);
    struct rh_text text = {0};
    rh_text_addf(&text, "%s: ", peer->socket->name);
    rh__zmq_mail_show(mail, &text);
    rh__zmq_hand_over(peer, RH_ZMQ_ARRIVE, rh_text_get(&text), rh__zmq_apply_arrival, mail);
    rh_text_fini(&text);
}

static void apply_room(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    rh__zmq_ring_activate(&pipe->socket->out, pipe);
    rh__zmq_descriptor_signal(pipe->socket);
}

void rh__zmq_pipe_tell_room(struct rh_zmq_pipe *writer)
{
    if (!writer->waits_for_room || writer->socket->is_closed || !rh__zmq_pipe_has_room(writer))
        return;
    writer->waits_for_room = false;
    rh__zmq_hand_over(writer, RH_ZMQ_ROOM, writer->socket->name, apply_room, NULL);
}

// Messages that do not fit into the queue wait at the sender, as far as the network does not take
// them, and are lost when the sender's socket has lingered.
static void check_arrival(const struct rh_zmq_pipe *pipe)
{
    uint64_t until = pipe->peer->sends_until;
    size_t limit = (size_t)pipe->socket->options[RH_ZMQ_OPTION_RCVHWM];
    if (until > 0 && until <= rh__zmq_now() && limit > 0 && pipe->queue.count - pipe->first > limit)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_LINGERED, pipe->socket->name);
}

struct rh_zmq_mail *rh__zmq_pipe_read(struct rh_zmq_pipe *pipe)
{
    if (pipe->first == pipe->queue.count)
        return NULL;
    check_arrival(pipe);
    struct rh_zmq_mail *mail = pipe->queue.items[pipe->first++];
    if (pipe->first == pipe->queue.count)
        pipe->first = pipe->queue.count = 0;
    pipe->read++;
    pipe->read_bytes += bytes_of(mail);
    struct rh_zmq_pipe *writer = pipe->peer;
    uint64_t limit = rh__zmq_pipe_limit(writer);
    // As in ZeroMQ, a writer learns what was read each time that half of the queue was.
    if (limit == 0 || pipe->read % ((limit + 1) / 2) != 0)
        return mail;
    writer->taken = pipe->read;
    rh__zmq_pipe_tell_room(writer);
    return mail;
}

// Subscriptions.

// Applies what a SUB tells its peer: the topic behind 1, or behind 0 to take it back.
void rh__zmq_apply_topic(struct rh_zmq_pipe *pipe, void *content)
{
    if (!pipe->is_attached || pipe->is_gone)
        rh__zmq_content_free(content);
    else
        rh__zmq_pipe_ask(pipe, content);
    rh__zmq_descriptor_signal(pipe->socket);
}

void rh__zmq_pipe_subscribe(struct rh_zmq_pipe *pipe, const struct rh_zmq_content *topic, bool on)
{
    struct rh_zmq_socket *other = pipe->peer->socket;
    if (pipe->is_gone || pipe->is_pending || pipe->is_new)
        return;
    struct rh_zmq_content *request = rh__zmq_pipe_request(pipe, topic, on);
    if (!request)
        return;
    if (!other) {
        // Nobody is there yet. Within a process the request waits where it will be read; between
        // processes whoever comes is told all topics.
        if (rh__zmq_pipe_is_remote(pipe))
            rh__zmq_content_free(request);
        else
            *rh_vector_push(&pipe->peer->requests) = request;
        return;
    }
    size_t size = rh__zmq_content_size(topic);
    char text[2 * RH_ZMQ_NAME_MOST];
    snprintf(text, sizeof text, "%s: %s '%.*s'", other->name, on ? "subscribe to" : "no more of",
             size < 60 ? (int)size : 60, size > 0 ? (const char *)topic->data : "");
    rh__zmq_hand_over(pipe->peer, RH_ZMQ_ARRIVE, text, rh__zmq_apply_topic, request);
}
