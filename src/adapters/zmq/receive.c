// SPDX-License-Identifier: MIT
// Receiving: which message is next, for each type of socket.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "adapters/zmq/socket.h"

enum { RECEIVES_UNTIL_LOOK = 100 };

static struct rh_zmq_mail *take_notice(struct rh_zmq_socket *socket)
{
    if (socket->notices.count == 0)
        rh__zmq_topics_read(socket);
    if (socket->notices.count == 0)
        return NULL;
    struct rh_zmq_mail *mail = socket->notices.items[0];
    socket->notices.count--;
    memmove(socket->notices.items, socket->notices.items + 1,
            socket->notices.count * sizeof *socket->notices.items);
    return mail;
}

static bool is_subscribed(const struct rh_zmq_socket *socket, const struct rh_zmq_mail *mail)
{
    return rh__zmq_topics_match(socket->topics.items, socket->topics.count, mail);
}

// Messages that nobody has asked for are dropped, also those that were on their way when the
// subscription ended.
static struct rh_zmq_mail *take_wanted(struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *from;
    struct rh_zmq_mail *mail;
    while ((mail = rh__zmq_ring_take(&socket->in, &from))) {
        bool is_wanted = socket->is_promised || is_subscribed(socket, mail);
        socket->is_promised = false;
        if (is_wanted)
            return mail;
        rh__zmq_mail_free(mail);
    }
    return NULL;
}

// Whether the message begins with the number of the request, where requests have one; takes the
// number off.
static bool is_correlated(const struct rh_zmq_socket *socket, struct rh_zmq_mail *mail)
{
    if (!socket->options[RH_ZMQ_OPTION_REQ_CORRELATE])
        return true;
    const struct rh_zmq_content *first = mail->frames.items[0];
    if (mail->frames.count < 2 || rh__zmq_content_size(first) != sizeof socket->request ||
        memcmp(first->data, &socket->request, sizeof socket->request) != 0)
        return false;
    rh__zmq_content_free(rh__zmq_mail_take(mail));
    return true;
}

// A reply, which comes from the peer that the request went to, and is behind an empty frame.
static struct rh_zmq_mail *take_reply(struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *from;
    struct rh_zmq_mail *mail;
    while (socket->is_asked && (mail = rh__zmq_ring_take(&socket->in, &from))) {
        bool is_expected = !socket->partner || from == socket->partner;
        if (is_expected && is_correlated(socket, mail) && mail->frames.count > 1 &&
            rh__zmq_content_size(mail->frames.items[0]) == 0) {
            rh__zmq_content_free(rh__zmq_mail_take(mail));
            return mail;
        }
        rh__zmq_mail_free(mail);
    }
    return NULL;
}

// How many frames in front of the empty one are the way back; the number of all frames if none is
// empty, or nothing is behind the empty one.
static size_t count_envelope(const struct rh_zmq_mail *mail)
{
    size_t depth = 0;
    while (depth < mail->frames.count && rh__zmq_content_size(mail->frames.items[depth]) > 0)
        depth++;
    return depth + 1 < mail->frames.count ? depth : mail->frames.count;
}

static bool is_request(const struct rh_zmq_mail *mail)
{
    return count_envelope(mail) < mail->frames.count;
}

static void split_request(struct rh_zmq_socket *socket, struct rh_zmq_mail *mail)
{
    size_t depth = count_envelope(mail);
    rh__zmq_mail_free(socket->envelope);
    socket->envelope = rh__zmq_mail_new();
    for (size_t i = 0; i <= depth; i++)
        rh__zmq_mail_add(socket->envelope, rh__zmq_mail_take(mail));
}

static struct rh_zmq_mail *take_request(struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *from;
    struct rh_zmq_mail *mail;
    rh__zmq_mail_free(socket->stray);
    socket->stray = NULL;
    while (!socket->is_asked && (mail = rh__zmq_ring_take(&socket->in, &from))) {
        if (is_request(mail)) {
            split_request(socket, mail);
            // As in ZeroMQ, which begins to write the reply here: the reply is dropped if there is
            // no room now.
            rh__zmq_pipe_doubt_room(from);
            socket->partner = rh__zmq_pipe_has_room(from) ? from : NULL;
            return mail;
        }
        rh__zmq_mail_free(mail);
    }
    return NULL;
}

static struct rh_zmq_mail *take_next(struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *from;
    struct rh_zmq_mail *mail;
    switch (socket->type) {
    case RH_ZMQ_XPUB:
        return take_notice(socket);
    case RH_ZMQ_SUB:
    case RH_ZMQ_XSUB:
        return take_wanted(socket);
    case RH_ZMQ_REQ:
        return take_reply(socket);
    case RH_ZMQ_REP:
        return take_request(socket);
    case RH_ZMQ_ROUTER:
        mail = rh__zmq_ring_take(&socket->in, &from);
        if (mail)
            rh__zmq_mail_add_first(mail, rh__zmq_content_new(from->id, from->id_size));
        return mail;
    default:
        return rh__zmq_ring_take(&socket->in, &from);
    }
}

static bool is_in_turn(const struct rh_zmq_socket *socket)
{
    if (socket->has_read)
        return true;
    return (socket->type != RH_ZMQ_REQ || socket->is_asked) &&
           (socket->type != RH_ZMQ_REP || !socket->is_asked);
}

// Whether the socket takes any message for one that it can receive: it gives messages out as they
// are, or, as a REQ, looks at them only when they are received.
static bool is_plain(enum rh_zmq_type type)
{
    return type == RH_ZMQ_PULL || type == RH_ZMQ_DEALER || type == RH_ZMQ_PAIR ||
           type == RH_ZMQ_REQ;
}

// A REP takes a message of one frame for a request until it receives the message.
static bool has_stray(struct rh_zmq_socket *socket)
{
    struct rh_zmq_pipe *from;
    if (socket->type == RH_ZMQ_REP && !socket->stray)
        socket->stray = rh__zmq_ring_take(&socket->in, &from);
    return socket->stray != NULL;
}

// Types that look at the first frame take the frame to see whether there is one, as in ZeroMQ. A
// message of one frame is taken as a whole then, and its sender may send another; of a message of
// several frames the rest stays where it is.
static bool can_leave(struct rh_zmq_socket *socket)
{
    const struct rh_zmq_mail *next = rh__zmq_ring_peek(&socket->in);
    if (!next || next->frames.count == 1)
        return false;
    switch (socket->type) {
    case RH_ZMQ_ROUTER:
    case RH_ZMQ_REP:
        return true;
    case RH_ZMQ_SUB:
    case RH_ZMQ_XSUB:
        socket->is_promised |= is_subscribed(socket, next);
        return socket->is_promised;
    default:
        return false;
    }
}

bool rh__zmq_can_receive(struct rh_zmq_socket *socket)
{
    if (socket->incoming || !rh__zmq_can_read(socket->type) || !is_in_turn(socket))
        return socket->incoming != NULL;
    if (is_plain(socket->type))
        return rh__zmq_ring_peek(&socket->in) != NULL;
    if (socket->type != RH_ZMQ_XPUB && (can_leave(socket) || has_stray(socket)))
        return true;
    socket->incoming = take_next(socket);
    return socket->incoming != NULL;
}

static const char *lacks_peer(const void *socket)
{
    return rh__zmq_socket_lacks_peer(socket);
}

static bool is_over(const void *context)
{
    struct rh_zmq_socket *socket = (struct rh_zmq_socket *)(uintptr_t)context;
    if (!socket->incoming && !socket->is_ended)
        socket->incoming = take_next(socket);
    if (!socket->incoming)
        rh__zmq_socket_look(socket);
    return socket->is_ended || socket->incoming;
}

// As in ZeroMQ, a message in a queue that the socket knows is taken first. Only each hundredth
// receive looks for what else has come, and one for which there is no such message.
static void look_now_and_then(struct rh_zmq_socket *socket)
{
    bool knows = socket->incoming ||
                 (socket->type == RH_ZMQ_XPUB ? socket->notices.count > 0 : socket->in.seen > 0);
    if (++socket->receives < RECEIVES_UNTIL_LOOK && knows && is_over(socket))
        return;
    rh__zmq_catch_up();
    rh__zmq_socket_look(socket);
    socket->receives = 0;
}

// Waits for a message. Gives false with errno if there is none.
static bool await(struct rh_zmq_socket *socket, int flags, const char *call)
{
    int timeout = flags & FLAG_DONTWAIT ? 0 : socket->options[RH_ZMQ_OPTION_RCVTIMEO];
    // The first message that comes is taken, whatever else comes; that none has come depends on
    // everything.
    if (timeout == 0 && !socket->incoming)
        rh__zmq_step(call, socket->name);
    look_now_and_then(socket);
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = socket->name,
                                     .is_over = is_over,
                                     .context = socket,
                                     .lacks_peer = lacks_peer,
                                     .deadline = rh__zmq_deadline(timeout)};
    bool has_come = timeout == 0 ? is_over(socket) : rh__zmq_wait(&wait);
    rh__zmq_descriptor_clear(socket);
    if (has_come && !socket->is_ended)
        return true;
    errno = socket->is_ended ? ETERM : EAGAIN;
    return false;
}

// Notes that the first part of a message was read, or the last.
static void note_read(struct rh_zmq_socket *socket)
{
    socket->has_read = true;
    if (socket->incoming->frames.count > 0)
        return;
    rh__zmq_mail_free(socket->incoming);
    socket->incoming = NULL;
    socket->has_read = false;
    if (socket->type == RH_ZMQ_REQ || socket->type == RH_ZMQ_REP)
        socket->is_asked = socket->type == RH_ZMQ_REP;
}

// A frame that was received.
struct part {
    struct rh_zmq_content *content;
    const struct rh_zmq_pipe *origin;
    bool more; // whether other parts of the same message follow
};

// Receives a frame. Gives false with errno if there is none.
static bool receive(void *object, int flags, const char *call, struct part *part)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, call);
    if (!socket)
        return false;
    if (!rh__zmq_can_read(socket->type) || !is_in_turn(socket)) {
        errno = rh__zmq_can_read(socket->type) ? EFSM : ENOTSUP;
        return false;
    }
    if (!socket->has_read && !await(socket, flags, call))
        return false;
    part->origin = socket->incoming->origin;
    part->content = rh__zmq_mail_take(socket->incoming);
    note_read(socket);
    part->more = socket->has_read;
    return true;
}

static int receive_message(union rh_zmq_msg *message, void *socket, int flags, const char *call)
{
    struct part part;
    if (message->mark != RH_ZMQ_MARK) {
        errno = EFAULT;
        return -1;
    }
    if (!receive(socket, flags, call, &part))
        return -1;
    zmq_msg_close(message);
    zmq_msg_init(message);
    message->content = part.content;
    message->more = part.more;
    message->origin = part.origin;
    return (int)rh__zmq_content_size(part.content);
}

int zmq_msg_recv(union rh_zmq_msg *message, void *socket, int flags)
{
    return receive_message(message, socket, flags, "zmq_msg_recv");
}

int zmq_recvmsg(void *socket, union rh_zmq_msg *message, int flags)
{
    return receive_message(message, socket, flags, "zmq_recvmsg");
}

int zmq_recv(void *socket, void *bytes, size_t size, int flags)
{
    struct part part;
    if (!receive(socket, flags, "zmq_recv", &part))
        return -1;
    size_t length = rh__zmq_content_size(part.content);
    if (length > 0)
        memcpy(bytes, part.content->data, length < size ? length : size);
    rh__zmq_content_free(part.content);
    return (int)length;
}

// The caller frees the bytes of each part.
int zmq_recviov(void *socket, struct iovec *parts, size_t *count, int flags)
{
    if (!count || *count == 0 || !parts) {
        errno = EINVAL;
        return -1;
    }
    size_t room = *count;
    struct part received = {.more = true};
    for (*count = 0; received.more && *count < room; ++*count) {
        if (!receive(socket, flags, __func__, &received))
            return -1;
        struct rh_zmq_content *content = received.content;
        struct iovec *part = &parts[*count];
        part->iov_len = rh__zmq_content_size(content);
        part->iov_base = malloc(part->iov_len > 0 ? part->iov_len : 1);
        if (part->iov_base && part->iov_len > 0)
            memcpy(part->iov_base, content->data, part->iov_len);
        rh__zmq_content_free(content);
    }
    return (int)*count;
}
