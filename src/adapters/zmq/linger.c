// SPDX-License-Identifier: MIT
// Messages that were sent where nobody is bound, over a transport between processes, when their
// socket is closed: they wait for as long as ZMQ_LINGER says, and a context that is terminated
// waits for them. The context also waits where somebody is bound and the connection is not there
// yet, which it may never be if the bound socket is closed first. Within a process (inproc) the
// messages stay for whoever binds, and nobody waits, as in ZeroMQ.
#include "adapters/zmq/endpoint.h"

static struct {
    // Pipes that their sockets have given up when somebody was bound and the ends had not met.
    RH_VECTOR(struct rh_zmq_pipe *) unmet;
} own;

static bool has_messages(const struct rh_zmq_pipe *pipe)
{
    return pipe->peer->queue.count > pipe->peer->first;
}

static bool is_over(const struct rh_zmq_pipe *pipe)
{
    return pipe->lingers_until > 0 && pipe->lingers_until <= rh__zmq_now();
}

// Gives false if nothing is left in the pipe.
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

// Whether somebody is bound and the two ends of the connection have not met.
static bool is_unmet(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_pipe *peer = pipe->peer;
    return peer->socket && !peer->is_attached && !peer->is_gone && !peer->is_void;
}

// Whether the ends have met matters to the thread that terminates the context.
static void leave_unmet(struct rh_zmq_pipe *pipe)
{
    if (!rh__zmq_endpoint_is_remote(pipe->endpoint) || !pipe->is_connecting || pipe->written == 0)
        return;
    if (pipe->socket->context->is_ending)
        rh__zmq_touch(&pipe->peer->meets);
    if (!is_unmet(pipe))
        return;
    pipe->lingers_until = rh__zmq_deadline(pipe->socket->options[RH_ZMQ_OPTION_LINGER]);
    *rh_vector_push(&own.unmet) = pipe;
}

void rh__zmq_linger_begin(const struct rh_zmq_socket *socket,
                          const struct rh_zmq_endpoint *endpoint)
{
    rh__zmq_endpoint_hurry(endpoint, socket);
    for (size_t i = 0; i < socket->pipes.count; i++) {
        struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        if (!endpoint || (pipe->endpoint == endpoint && pipe->is_connecting))
            leave_unmet(pipe);
    }
    for (size_t i = 0; i < rh__zmq_endpoint_count(); i++)
        if (!endpoint || rh__zmq_endpoint_get(i) == endpoint)
            leave(rh__zmq_endpoint_get(i), socket);
}

// The pipe's place in `unmet`; the count of `unmet` if it is not there.
static size_t find_unmet(const struct rh_zmq_pipe *pipe)
{
    size_t at = 0;
    while (at < own.unmet.count && own.unmet.items[at] != pipe)
        at++;
    return at;
}

bool rh__zmq_linger_take(struct rh_zmq_pipe *pipe)
{
    if (is_over(pipe)) {
        rh__zmq_unread_note_queue(&pipe->socket->dropped, pipe->peer);
        return false;
    }
    if (pipe->lingers_until > 0 && find_unmet(pipe) == own.unmet.count)
        *rh_vector_push(&own.unmet) = pipe;
    return true;
}

bool rh__zmq_linger_has(const struct rh_zmq_pipe *pipe)
{
    return !pipe->is_gone || has_messages(pipe);
}

void rh__zmq_linger_end(const struct rh_zmq_pipe *pipe)
{
    size_t at = find_unmet(pipe);
    if (at == own.unmet.count)
        return;
    own.unmet.items[at] = own.unmet.items[--own.unmet.count];
    rh__zmq_context_note(pipe->socket->context, pipe->socket->name);
}

static void find_latest(const struct rh_zmq_pipe *pipe, const struct rh_zmq_context *context,
                        uint64_t *latest)
{
    if (pipe->socket->context == context && !is_over(pipe) && pipe->lingers_until > *latest)
        *latest = pipe->lingers_until;
}

uint64_t rh__zmq_linger_until(const struct rh_zmq_context *context)
{
    uint64_t latest = 0;
    for (size_t i = 0; i < rh__zmq_endpoint_count(); i++) {
        const struct rh_zmq_endpoint *endpoint = rh__zmq_endpoint_get(i);
        for (size_t k = 0; k < endpoint->waiting.count; k++)
            find_latest(endpoint->waiting.items[k], context, &latest);
    }
    for (size_t i = 0; i < own.unmet.count; i++)
        find_latest(own.unmet.items[i], context, &latest);
    return latest;
}
