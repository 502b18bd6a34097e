// SPDX-License-Identifier: MIT
// Sending: whether a message can be sent, and to whom, for each type of socket.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "adapters/zmq/socket.h"

static struct rh_zmq_pipe *find_peer(const struct rh_zmq_socket *socket,
                                     const struct rh_zmq_content *id)
{
    for (size_t i = 0; i < socket->pipes.count; i++) {
        struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        if (!pipe->is_pending && pipe->id_size == rh__zmq_content_size(id) &&
            (pipe->id_size == 0 || !memcmp(pipe->id, id->data, pipe->id_size)))
            return pipe;
    }
    return NULL;
}

static struct rh_zmq_pipe *only_peer(const struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *pipe = socket->pipes.count > 0 ? socket->pipes.items[0] : NULL;
    return pipe && !pipe->is_pending ? pipe : NULL;
}

bool rh__zmq_can_send(struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *pipe;
    switch (socket->type) {
    case RH_ZMQ_PAIR:
        pipe = only_peer(socket);
        if (pipe && !rh__zmq_pipe_has_room(pipe))
            pipe->waits_for_room = true;
        return pipe && !pipe->waits_for_room;
    case RH_ZMQ_PUSH:
    case RH_ZMQ_DEALER:
        return rh__zmq_ring_find(&socket->out) != NULL;
    case RH_ZMQ_REQ:
        return (!socket->is_asked || socket->options[RH_ZMQ_OPTION_REQ_RELAXED]) &&
               rh__zmq_ring_find(&socket->out) != NULL;
    case RH_ZMQ_REP:
        return socket->is_asked;
    default:
        return rh__zmq_can_write(socket->type);
    }
}

// CZMQ ends an actor, even one that has ended, by a word for which it does not wait: losing that
// word and not sending it make no difference.
static bool is_last_word(const struct rh_zmq_content *first, int timeout)
{
    return timeout == 0 && rh__zmq_content_is_of_czmq(first);
}

// Whether what the call does depends on which peers have come until now, or have gone. With one
// peer it does if the caller can know that the peer has gone; otherwise the word of that may come
// before the delivery in which the call is made.
static bool observes(const struct rh_zmq_socket *socket, int timeout,
                     const struct rh_zmq_content *first)
{
    switch (socket->type) {
    case RH_ZMQ_PUB:
    case RH_ZMQ_XPUB:
        return true;
    case RH_ZMQ_ROUTER:
        return socket->options[RH_ZMQ_OPTION_ROUTER_MANDATORY] || !find_peer(socket, first);
    case RH_ZMQ_XSUB:
        return socket->is_bound;
    case RH_ZMQ_PUSH:
    case RH_ZMQ_DEALER:
    case RH_ZMQ_REQ:
        return socket->is_bound || socket->options[RH_ZMQ_OPTION_IMMEDIATE] || timeout == 0 ||
               socket->out.pipes.count > 1 || rh__zmq_pipes_are_left(socket);
    case RH_ZMQ_PAIR:
        return (timeout == 0 && !only_peer(socket)) ||
               (!is_last_word(first, timeout) && rh__zmq_pipes_are_left(socket));
    default:
        return false;
    }
}

static const char *lacks_peer(const void *socket)
{
    return rh__zmq_socket_lacks_peer(socket);
}

static bool is_over(const void *context)
{
    struct rh_zmq_socket *socket = (struct rh_zmq_socket *)(uintptr_t)context;
    if (!socket->is_ended && rh__zmq_can_send(socket))
        return true;
    rh__zmq_socket_look(socket);
    return socket->is_ended;
}

// ZeroMQ does not look for what has come each time that something is sent, but only if it has not
// for about a millisecond: the end of the context is seen, or not yet.
static bool overlooks_end(struct rh_zmq_socket *socket)
{
    return socket->is_stopped && !socket->is_ended && rh__zmq_can_send(socket) &&
           rh__zmq_choose(2, "whether a send overlooks the end of the context, of ",
                          socket->name) == 1;
}

// Waits until the message that begins with this frame can be sent. Gives false with errno if it
// can't.
static bool await(struct rh_zmq_socket *socket, const struct rh_zmq_content *first, int flags,
                  const char *call)
{
    int timeout = flags & FLAG_DONTWAIT ? 0 : socket->options[RH_ZMQ_OPTION_SNDTIMEO];
    if (observes(socket, timeout, first))
        rh__zmq_step(call, socket->name);
    if (overlooks_end(socket))
        return true;
    // If it does look, it sees all.
    if (socket->has_news || !is_over(socket))
        rh__zmq_catch_up();
    rh__zmq_socket_look(socket);
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = socket->name,
                                     .is_over = is_over,
                                     .context = socket,
                                     .lacks_peer = lacks_peer,
                                     .deadline = rh__zmq_deadline(timeout)};
    if (timeout == 0 || socket->out.pipes.count > 1)
        rh__zmq_socket_doubt_room(socket);
    bool can_go = timeout == 0 ? is_over(socket) : rh__zmq_wait(&wait);
    rh__zmq_descriptor_clear(socket);
    if (can_go && !socket->is_ended)
        return true;
    errno = socket->is_ended ? ETERM : EAGAIN;
    return false;
}

// Where the whole message goes.

static void send_in_turn(struct rh_zmq_socket *socket, struct rh_zmq_mail *mail)
{
    struct rh_zmq_pipe *pipe = rh__zmq_ring_find(&socket->out);
    socket->partner = socket->type == RH_ZMQ_REQ ? pipe : NULL;
    rh__zmq_ring_next(&socket->out);
    rh__zmq_pipe_write(pipe, mail);
}

static void send_to(struct rh_zmq_pipe *pipe, struct rh_zmq_mail *mail)
{
    if (pipe)
        rh__zmq_pipe_doubt_room(pipe);
    if (pipe && rh__zmq_pipe_has_room(pipe))
        rh__zmq_pipe_write(pipe, mail);
    else
        rh__zmq_mail_free(mail);
}

static void send_to_all(struct rh_zmq_socket *socket, struct rh_zmq_mail *mail)
{
    bool is_filtered = socket->type == RH_ZMQ_PUB || socket->type == RH_ZMQ_XPUB;
    for (size_t i = 0; i < socket->pipes.count; i++) {
        struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        if (!is_filtered || rh__zmq_topics_match(pipe->topics.items, pipe->topics.count, mail))
            send_to(pipe, rh__zmq_mail_share(mail));
    }
    rh__zmq_mail_free(mail);
}

// An XSUB subscribes by messages that begin with 1, and ends subscriptions with 0.
static void send_of_xsub(struct rh_zmq_socket *socket, struct rh_zmq_mail *mail)
{
    const struct rh_zmq_content *first = mail->frames.items[0];
    const uint8_t *bytes = first ? first->data : NULL;
    if (mail->frames.count != 1 || !first || bytes[0] > 1)
        rh__zmq_give_up("zmq_send: messages that are no subscriptions are not supported, on an "
                        "XSUB socket");
    rh__zmq_socket_subscribe(socket, bytes + 1, first->size - 1, bytes[0] == 1);
    rh__zmq_mail_free(mail);
}

static void send_reply(struct rh_zmq_socket *socket, struct rh_zmq_mail *mail)
{
    for (size_t i = socket->envelope->frames.count; i > 0; i--)
        rh__zmq_mail_add_first(mail, socket->envelope->frames.items[i - 1]);
    socket->envelope->frames.count = 0;
    socket->is_asked = false;
    send_to(socket->partner, mail);
}

// Neither the messages that have come so far, nor what is left of the one being read, reply to the
// request that is being sent.
static void drop_replies(struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *from;
    rh__zmq_mail_free(socket->incoming);
    socket->incoming = NULL;
    socket->has_read = false;
    for (struct rh_zmq_mail *mail; (mail = rh__zmq_ring_take(&socket->in, &from));)
        rh__zmq_mail_free(mail);
}

static void send_whole(struct rh_zmq_socket *socket, struct rh_zmq_mail *mail)
{
    struct rh_zmq_content *id;
    switch (socket->type) {
    case RH_ZMQ_PAIR:
        rh__zmq_pipe_write(only_peer(socket), mail);
        return;
    case RH_ZMQ_REQ:
        drop_replies(socket);
        rh__zmq_mail_add_first(mail, NULL);
        if (socket->options[RH_ZMQ_OPTION_REQ_CORRELATE]) {
            socket->request++;
            rh__zmq_mail_add_first(mail,
                                   rh__zmq_content_new(&socket->request, sizeof socket->request));
        }
        socket->is_asked = true;
        send_in_turn(socket, mail);
        return;
    case RH_ZMQ_REP:
        send_reply(socket, mail);
        return;
    case RH_ZMQ_ROUTER:
        id = rh__zmq_mail_take(mail);
        send_to(mail->frames.count > 0 ? find_peer(socket, id) : NULL, mail);
        rh__zmq_content_free(id);
        return;
    case RH_ZMQ_XSUB:
        send_of_xsub(socket, mail);
        return;
    case RH_ZMQ_PUB:
    case RH_ZMQ_XPUB:
        send_to_all(socket, mail);
        return;
    default:
        send_in_turn(socket, mail);
    }
}

// Parts.

// Why the socket can't begin a message at all; 0 if it can.
static int refuse_first(const struct rh_zmq_socket *socket)
{
    if (!rh__zmq_can_write(socket->type))
        return ENOTSUP;
    bool is_out_of_turn = (socket->type == RH_ZMQ_REQ && socket->is_asked &&
                           !socket->options[RH_ZMQ_OPTION_REQ_RELAXED]) ||
                          (socket->type == RH_ZMQ_REP && !socket->is_asked);
    return is_out_of_turn ? EFSM : 0;
}

static bool begin(struct rh_zmq_socket *socket, const struct rh_zmq_content *content, int flags,
                  const char *call)
{
    int error = refuse_first(socket);
    if (error == 0 && !await(socket, content, flags, call))
        return false;
    bool is_unknown = error == 0 && socket->type == RH_ZMQ_ROUTER &&
                      socket->options[RH_ZMQ_OPTION_ROUTER_MANDATORY] &&
                      !find_peer(socket, content);
    if (is_unknown)
        error = EHOSTUNREACH;
    if (error != 0) {
        errno = error;
        return false;
    }
    socket->outgoing = rh__zmq_mail_new();
    return true;
}

int rh__zmq_send_content(void *object, struct rh_zmq_content *content, int flags, const char *call)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, call);
    if (socket && !socket->outgoing)
        rh__zmq_peers_use(socket, call);
    if (!socket || (!socket->outgoing && !begin(socket, content, flags, call)))
        return -1;
    rh__zmq_mail_add(socket->outgoing, content);
    if (flags & FLAG_SNDMORE)
        return 0;
    struct rh_zmq_mail *mail = socket->outgoing;
    socket->outgoing = NULL;
    send_whole(socket, mail);
    return 0;
}

static int send_bytes(void *socket, const void *bytes, size_t size, int flags, const char *call)
{
    struct rh_zmq_content *content = rh__zmq_content_new(bytes, size);
    if (rh__zmq_send_content(socket, content, flags, call) == 0)
        return (int)size;
    rh__zmq_content_free(content);
    return -1;
}

int zmq_send(void *socket, const void *bytes, size_t size, int flags)
{
    return send_bytes(socket, bytes, size, flags, "zmq_send");
}

int zmq_send_const(void *socket, const void *bytes, size_t size, int flags)
{
    return send_bytes(socket, bytes, size, flags, "zmq_send_const");
}

static int send_message(union rh_zmq_msg *message, void *socket, int flags, const char *call)
{
    if (message->mark != RH_ZMQ_MARK) {
        errno = EFAULT;
        return -1;
    }
    int size = (int)zmq_msg_size(message);
    if (rh__zmq_send_content(socket, message->content, flags, call) != 0)
        return -1;
    zmq_msg_init(message);
    return size;
}

int zmq_msg_send(union rh_zmq_msg *message, void *socket, int flags)
{
    return send_message(message, socket, flags, "zmq_msg_send");
}

int zmq_sendmsg(void *socket, union rh_zmq_msg *message, int flags)
{
    return send_message(message, socket, flags, "zmq_sendmsg");
}

// The parts belong to one message if the caller says so.
int zmq_sendiov(void *socket, struct iovec *parts, size_t count, int flags)
{
    int result = -1;
    if (count == 0 || !parts) {
        errno = EINVAL;
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        int part_flags = i + 1 < count ? flags : flags & ~FLAG_SNDMORE;
        result = send_bytes(socket, parts[i].iov_base, parts[i].iov_len, part_flags, __func__);
        if (result < 0)
            break;
    }
    return result;
}
