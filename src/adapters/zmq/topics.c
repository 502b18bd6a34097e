// SPDX-License-Identifier: MIT
// Subscriptions: what a SUB wants, and what a PUB knows of that.
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/outside.h"
#include "adapters/zmq/socket.h"

static bool is_topic(const struct rh_zmq_content *topic, const void *bytes, size_t size)
{
    return rh__zmq_content_size(topic) == size && (size == 0 || !memcmp(topic->data, bytes, size));
}

bool rh__zmq_topics_match(struct rh_zmq_content *const *topics, size_t count,
                          const struct rh_zmq_mail *mail)
{
    const struct rh_zmq_content *first = mail->frames.items[0];
    for (size_t i = 0; i < count; i++) {
        size_t size = rh__zmq_content_size(topics[i]);
        if (size == 0 ||
            (size <= rh__zmq_content_size(first) && !memcmp(topics[i]->data, first->data, size)))
            return true;
    }
    return false;
}

static bool wants(const struct rh_zmq_pipe *pipe, const void *bytes, size_t size)
{
    for (size_t i = 0; i < pipe->topics.count; i++)
        if (is_topic(pipe->topics.items[i], bytes, size))
            return true;
    return false;
}

// Whether this peer or another one, also one that is leaving, wants exactly this topic.
static bool is_wanted(const struct rh_zmq_pipe *pipe, const void *bytes, size_t size)
{
    const struct rh_zmq_socket *socket = pipe->socket;
    for (size_t i = 0; i < socket->pipes.count; i++)
        if (wants(socket->pipes.items[i], bytes, size))
            return true;
    for (size_t i = 0; i < socket->leaving.count; i++)
        if (wants(socket->leaving.items[i], bytes, size))
            return true;
    return wants(pipe, bytes, size);
}

// An XPUB reads subscriptions as messages: the first, and the end of the last, of each topic.
static void add_notice(struct rh_zmq_socket *socket, const void *bytes, size_t size, bool on)
{
    struct rh_zmq_mail *mail = rh__zmq_mail_new();
    struct rh_zmq_content *content = rh__zmq_content_new(NULL, size + 1);
    ((uint8_t *)content->data)[0] = on;
    memcpy((uint8_t *)content->data + 1, bytes, size);
    rh__zmq_mail_add(mail, content);
    *rh_vector_push(&socket->notices) = mail;
}

static void remove_topic(struct rh_zmq_pipe *pipe, const void *topic, size_t size)
{
    for (size_t i = 0; i < pipe->topics.count; i++)
        if (is_topic(pipe->topics.items[i], topic, size)) {
            rh__zmq_content_free(pipe->topics.items[i]);
            pipe->topics.items[i] = pipe->topics.items[--pipe->topics.count];
            return;
        }
}

// A peer that asks twice for a topic has it once.
static void apply_topic(struct rh_zmq_pipe *pipe, const void *topic, size_t size, bool on)
{
    const struct rh_zmq_socket *socket = pipe->socket;
    bool was_wanted = is_wanted(pipe, topic, size);
    if (!on)
        remove_topic(pipe, topic, size);
    else if (!wants(pipe, topic, size))
        *rh_vector_push(&pipe->topics) = rh__zmq_content_new(topic, size);
    bool is_first = on && !was_wanted;
    bool is_last = !on && was_wanted && !is_wanted(pipe, topic, size);
    if (socket->type == RH_ZMQ_XPUB &&
        (is_first || is_last || (on && socket->options[RH_ZMQ_OPTION_XPUB_VERBOSE])))
        add_notice(pipe->socket, topic, size, on);
}

// Applies a request: the topic behind 1, or behind 0 to take it back. Takes the request.
static void apply_request(struct rh_zmq_pipe *pipe, struct rh_zmq_content *request)
{
    const uint8_t *bytes = request->data;
    apply_topic(pipe, bytes + 1, request->size - 1, bytes[0] == 1);
    rh__zmq_content_free(request);
}

static int compare_topics(const void *one, const void *other)
{
    const struct rh_zmq_content *a = *(struct rh_zmq_content *const *)one;
    const struct rh_zmq_content *b = *(struct rh_zmq_content *const *)other;
    size_t size = rh__zmq_content_size(a), others = rh__zmq_content_size(b);
    size_t least = size < others ? size : others;
    int order = least > 0 ? memcmp(a->data, b->data, least) : 0;
    return order != 0 ? order : (size > others) - (size < others);
}

// Forgets the peer's topics, in the order of their bytes, as ZeroMQ does.
static void forget_topics(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_content **topics = pipe->topics.items;
    size_t count = pipe->topics.count;
    if (count > 0)
        qsort(topics, count, sizeof *topics, compare_topics);
    pipe->topics.count = 0;
    for (size_t i = 0; i < count; i++) {
        const void *bytes = topics[i] ? topics[i]->data : "";
        size_t size = rh__zmq_content_size(topics[i]);
        if (pipe->socket->type == RH_ZMQ_XPUB && !is_wanted(pipe, bytes, size))
            add_notice(pipe->socket, bytes, size, false);
        rh__zmq_content_free(topics[i]);
    }
}

void rh__zmq_pipe_end_topics(struct rh_zmq_pipe *pipe)
{
    if (pipe->socket->type == RH_ZMQ_XPUB && !pipe->socket->is_closed)
        *rh_vector_push(&pipe->socket->leaving) = pipe;
    else
        forget_topics(pipe);
}

static void end(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *socket = pipe->socket;
    size_t at = 0;
    while (socket->leaving.items[at] != pipe)
        at++;
    memmove(&socket->leaving.items[at], &socket->leaving.items[at + 1],
            (--socket->leaving.count - at) * sizeof *socket->leaving.items);
    forget_topics(pipe);
    rh__zmq_descriptor_signal(socket);
}

static void apply_end(struct rh_zmq_thread *to, void *object, void *content)
{
    (void)to;
    (void)content;
    end(object);
}

// ZeroMQ's own threads learn that the peer may go, and say when it has gone: mostly later, but
// maybe while the socket's thread still looks.
static void let_go(const struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < socket->leaving.count;) {
        struct rh_zmq_pipe *pipe = socket->leaving.items[i];
        bool is_new = !pipe->is_let_go;
        pipe->is_let_go = true;
        if (is_new && (pipe->topics.count == 0 ||
                       rh__zmq_choose(2, "a subscriber has gone: ", socket->name) == 1)) {
            end(pipe);
            continue;
        }
        if (is_new)
            rh__zmq_post_by("zmq", rh__zmq_acting(), rh__zmq_acting(), RH_ZMQ_DISCONNECT,
                            socket->name, (struct rh_zmq_parcel){apply_end, pipe, NULL, NULL});
        i++;
    }
}

void rh__zmq_pipe_ask(struct rh_zmq_pipe *pipe, struct rh_zmq_content *request)
{
    struct rh_zmq_socket *socket = pipe->socket;
    size_t at = 0;
    while (at < socket->asking.count && socket->asking.items[at] != pipe)
        at++;
    if (at == socket->asking.count)
        *rh_vector_push(&socket->asking) = pipe;
    if (request)
        *rh_vector_push(&pipe->requests) = request;
}

// Also reads what a peer that has gone meanwhile had asked for.
void rh__zmq_topics_read(struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < socket->asking.count; i++) {
        struct rh_zmq_pipe *pipe = socket->asking.items[i];
        for (size_t k = 0; k < pipe->requests.count; k++)
            apply_request(pipe, pipe->requests.items[k]);
        pipe->heard += pipe->requests.count;
        pipe->requests.count = 0;
    }
    socket->asking.count = 0;
    let_go(socket);
}

// How many requests may be on their way, as many as messages; 0: no limit. Between processes more
// may be, but for a while they may still be where they were written.
static uint64_t request_limit(const struct rh_zmq_pipe *pipe)
{
    return rh__zmq_endpoint_is_remote(pipe->endpoint)
               ? (uint64_t)pipe->socket->options[RH_ZMQ_OPTION_SNDHWM]
               : rh__zmq_pipe_limit(pipe);
}

// From the limit on, the answer depends on how many requests the other thread has read.
static bool is_at_limit(const struct rh_zmq_pipe *pipe)
{
    uint64_t limit = request_limit(pipe);
    if (limit == 0 || pipe->told < limit)
        return false;
    if (pipe->peer->socket)
        rh__zmq_tie(pipe->socket->owner, pipe->peer->socket->owner);
    return true;
}

void rh__zmq_pipe_see_taken(struct rh_zmq_pipe *pipe)
{
    uint64_t half = (request_limit(pipe) + 1) / 2;
    if (half > 0 && is_at_limit(pipe))
        pipe->told_taken = pipe->peer->heard / half * half;
}

// Within a process ZeroMQ drops a request for which there is no room. Between processes it does if
// its own threads are late.
static bool is_dropped(const struct rh_zmq_pipe *pipe)
{
    bool is_remote = rh__zmq_endpoint_is_remote(pipe->endpoint);
    bool is_full = is_at_limit(pipe) && pipe->told - pipe->told_taken >= request_limit(pipe);
    if (is_full && is_remote)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_UNTOLD, pipe->socket->name);
    return is_full && !is_remote;
}

struct rh_zmq_content *rh__zmq_pipe_request(struct rh_zmq_pipe *pipe,
                                            const struct rh_zmq_content *topic, bool on)
{
    if (is_dropped(pipe))
        return NULL;
    pipe->told++;
    size_t size = rh__zmq_content_size(topic);
    struct rh_zmq_content *request = rh__zmq_content_new(NULL, size + 1);
    uint8_t *bytes = request->data;
    bytes[0] = on;
    if (size > 0)
        memcpy(bytes + 1, topic->data, size);
    return request;
}

// Takes the topic off once. Gives false if the topic is there once more, or was not there at all.
static bool take_off(struct rh_zmq_socket *socket, const void *topic, size_t size)
{
    size_t found = 0;
    for (size_t i = socket->topics.count; i > 0; i--) {
        if (!is_topic(socket->topics.items[i - 1], topic, size) || found++ > 0)
            continue;
        rh__zmq_content_free(socket->topics.items[i - 1]);
        socket->topics.items[i - 1] = socket->topics.items[--socket->topics.count];
    }
    return found == 1;
}

// As in ZeroMQ, peers are told of each subscription, but only of the end of a topic's last one.
void rh__zmq_socket_subscribe(struct rh_zmq_socket *socket, const void *topic, size_t size, bool on)
{
    if (!on && !take_off(socket, topic, size))
        return;
    struct rh_zmq_content *content = rh__zmq_content_new(topic, size);
    for (size_t i = 0; i < socket->pipes.count; i++)
        rh__zmq_pipe_subscribe(socket->pipes.items[i], content, on);
    if (on)
        *rh_vector_push(&socket->topics) = content;
    else
        rh__zmq_content_free(content);
}
