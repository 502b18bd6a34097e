// SPDX-License-Identifier: MIT
// Messages that were sent where nobody is bound, with a transport between processes, when their socket is closed: they
// wait for as long as ZMQ_LINGER says, and a context that is terminated waits for them. Within a process (inproc) they
// stay for whoever binds, and nobody waits, as in ZeroMQ.
#include "adapters/zmq/endpoint.h"

static bool has_messages(const struct rh_zmq_pipe *pipe)
{
    return pipe->peer->queue.count > pipe->peer->first;
}

static bool is_over(const struct rh_zmq_pipe *pipe)
{
    return pipe->lingers_until > 0 && pipe->lingers_until <= rh__zmq_now();
}

// false if nothing is left of it.
static bool keep(struct rh_zmq_pipe *pipe, bool is_remote)
{
    int linger = pipe->socket->options[RH_ZMQ_OPTION_LINGER];
    if (!has_messages(pipe))
        return false;
    if (is_remote && linger == 0) {
        rh__zmq_unread_note_queue(&pipe->socket->dropped, pipe->peer);
        return false;
    }
    if (is_remote)
        pipe->lingers_until = rh__zmq_deadline(linger);
    return true;
}

static void leave(struct rh_zmq_endpoint *endpoint, const struct rh_zmq_socket *socket)
{
    size_t kept = 0;
    for (size_t i = 0; i < endpoint->waiting.count; i++) {
        struct rh_zmq_pipe *pipe = endpoint->waiting.items[i];
        bool is_left = pipe->socket == socket && pipe->lingers_until == 0;
        if (!is_left || keep(pipe, !endpoint->context))
            endpoint->waiting.items[kept++] = pipe;
    }
    endpoint->waiting.count = kept;
}

void rh__zmq_linger_begin(const struct rh_zmq_socket *socket,
                          const struct rh_zmq_endpoint *endpoint)
{
    for (size_t i = 0; i < rh__zmq_endpoint_count(); i++)
        if (!endpoint || rh__zmq_endpoint_get(i) == endpoint)
            leave(rh__zmq_endpoint_get(i), socket);
}

bool rh__zmq_linger_take(const struct rh_zmq_pipe *pipe)
{
    if (is_over(pipe)) {
        rh__zmq_unread_note_queue(&pipe->socket->dropped, pipe->peer);
        return false;
    }
    if (pipe->lingers_until > 0)
        rh__zmq_context_note(pipe->socket->context, pipe->socket->name);
    return true;
}

uint64_t rh__zmq_linger_until(const struct rh_zmq_context *context)
{
    uint64_t latest = 0;
    for (size_t i = 0; i < rh__zmq_endpoint_count(); i++) {
        const struct rh_zmq_endpoint *endpoint = rh__zmq_endpoint_get(i);
        for (size_t k = 0; k < endpoint->waiting.count; k++) {
            const struct rh_zmq_pipe *pipe = endpoint->waiting.items[k];
            if (pipe->socket->context == context && !is_over(pipe) && pipe->lingers_until > latest)
                latest = pipe->lingers_until;
        }
    }
    return latest;
}
