// SPDX-License-Identifier: MIT
// Subscriptions: what a SUB wants, and what a PUB knows of it.
#include <string.h>

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

// Whether any peer wants exactly this.
static bool is_wanted(const struct rh_zmq_socket *socket, const void *bytes, size_t size)
{
    for (size_t i = 0; i < socket->pipes.count; i++) {
        const struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        for (size_t k = 0; k < pipe->topics.count; k++)
            if (is_topic(pipe->topics.items[k], bytes, size))
                return true;
    }
    return false;
}

// An XPUB reads subscriptions as messages: those that are the first, or the last, of their topic.
static void add_notice(struct rh_zmq_socket *socket, const void *bytes, size_t size, bool on)
{
    struct rh_zmq_mail *mail = rh__zmq_mail_new();
    struct rh_zmq_content *content = rh__zmq_content_new(NULL, size + 1);
    ((uint8_t *)content->data)[0] = on;
    memcpy((uint8_t *)content->data + 1, bytes, size);
    rh__zmq_mail_add(mail, content);
    *rh_vector_push(&socket->notices) = mail;
}

void rh__zmq_pipe_apply_topic(struct rh_zmq_pipe *pipe, const void *topic, size_t size, bool on)
{
    struct rh_zmq_socket *socket = pipe->socket;
    bool was_wanted = is_wanted(socket, topic, size);
    if (on) {
        *rh_vector_push(&pipe->topics) = rh__zmq_content_new(topic, size);
    } else {
        for (size_t i = 0; i < pipe->topics.count; i++)
            if (is_topic(pipe->topics.items[i], topic, size)) {
                rh__zmq_content_free(pipe->topics.items[i]);
                pipe->topics.items[i] = pipe->topics.items[--pipe->topics.count];
                break;
            }
    }
    bool is_first = on && !was_wanted;
    bool is_last = !on && was_wanted && !is_wanted(socket, topic, size);
    if (socket->type == RH_ZMQ_XPUB &&
        (is_first || is_last || (on && socket->options[RH_ZMQ_OPTION_XPUB_VERBOSE])))
        add_notice(socket, topic, size, on);
}

void rh__zmq_socket_subscribe(struct rh_zmq_socket *socket, const void *topic, size_t size, bool on)
{
    struct rh_zmq_content *content = rh__zmq_content_new(topic, size);
    for (size_t i = 0; i < socket->pipes.count; i++)
        rh__zmq_pipe_subscribe(socket->pipes.items[i], content, on);
    if (on) {
        *rh_vector_push(&socket->topics) = content;
        return;
    }
    for (size_t i = 0; i < socket->topics.count; i++)
        if (is_topic(socket->topics.items[i], topic, size)) {
            rh__zmq_content_free(socket->topics.items[i]);
            socket->topics.items[i] = socket->topics.items[--socket->topics.count];
            break;
        }
    rh__zmq_content_free(content);
}
