// SPDX-License-Identifier: MIT
// How connections end: who tells whom, and what is lost.
#include <string.h>

#include "adapters/zmq/letter.h"
#include "adapters/zmq/outside.h"

void rh__zmq_pipe_detach(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *socket = pipe->socket;
    bool was_gone = pipe->is_gone;
    pipe->is_gone = true;
    rh__zmq_ring_remove(&socket->out, pipe);
    if (socket->partner == pipe)
        socket->partner = NULL;
    if (!was_gone)
        rh__zmq_pipe_end_topics(pipe);
    for (size_t i = 0; i < socket->pipes.count; i++)
        if (socket->pipes.items[i] == pipe) {
            memmove(&socket->pipes.items[i], &socket->pipes.items[i + 1],
                    (--socket->pipes.count - i) * sizeof *socket->pipes.items);
            break;
        }
}

// Whether the last letter that was written has not come to its end yet, which is `end`.
static bool is_on_its_way(const struct rh_zmq_writing *writing, const struct rh_zmq_pipe *end)
{
    return writing->letter > end->opened;
}

// Whether the writer at the peer might have learned before it wrote that this end goes, which it
// does now, although no order of deliveries shows that. One case is that the writer had sent
// something else before in the same delivery, and this end goes because of that and not because of
// anything that the writer did later. The other case is that this thread has caused the writer's
// delivery, and the word that this end goes is sent behind. A socket that writes to several peers,
// or to none, has nothing to wait for.
static bool is_unseen(const struct rh_zmq_pipe *pipe)
{
    enum rh_zmq_type type = pipe->peer->socket->type;
    if (!rh__zmq_is_balancing(type) && type != RH_ZMQ_PAIR)
        return false;
    const struct rh_zmq_thread *here = rh__zmq_acting(), *there = pipe->peer->socket->owner;
    const struct rh_zmq_writing *last = &pipe->peer->last;
    bool is_because = !last->is_first && here->clock.at[there->number] >= last->delivery &&
                      here->past.at[there->number] < last->sent;
    bool is_behind = last->caused_by == here->number && !rh__zmq_pipe_is_remote(pipe);
    return here != there && is_on_its_way(last, pipe) && (is_because || is_behind);
}

void rh__zmq_pipe_tell_leaving(struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_thread *here = rh__zmq_acting();
    struct rh_zmq_pipe *peer = pipe->peer;
    const struct rh_zmq_socket *other = peer->socket;
    bool is_told = other && (rh__zmq_pipe_is_remote(pipe) ||
                             (other->type != RH_ZMQ_PULL && other->type != RH_ZMQ_SUB));
    if (!is_told || peer->is_gone)
        return;
    if (is_unseen(pipe))
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_LEFT, other->name);
    peer->left = (struct rh_zmq_departure){true, here->number, here->clock.at[here->number]};
    rh__zmq_hand_over(peer, RH_ZMQ_DISCONNECT, other->name, rh__zmq_apply_disconnect, NULL);
}

bool rh__zmq_pipes_are_left(const struct rh_zmq_socket *socket)
{
    const struct rh_zmq_clock *clock = &rh__zmq_acting()->clock;
    for (size_t i = 0; i < socket->pipes.count; i++) {
        const struct rh_zmq_departure *left = &socket->pipes.items[i]->left;
        if (left->is_on_its_way && clock->at[left->thread] >= left->delivery)
            return true;
    }
    return false;
}

void rh__zmq_apply_disconnect(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    bool was_attached = pipe->is_attached && !pipe->is_gone;
    rh__zmq_pipe_detach(pipe);
    rh__zmq_descriptor_signal(pipe->socket);
    if (was_attached && rh__zmq_pipe_is_remote(pipe)) {
        rh__zmq_monitor_disconnected(pipe);
        rh__zmq_endpoint_reconnect(pipe);
    }
}

// Whether the pipe's messages are lost if its socket gives the pipe up and does not linger: there
// is no connection yet.
static bool is_hasty(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_pipe *peer = pipe->peer;
    return rh__zmq_pipe_is_remote(pipe) && pipe->is_connecting && pipe->written > 0 &&
           peer->socket && !peer->is_attached && !peer->is_gone;
}

// Whether something may be on its way through the pipe that somebody could miss.
static bool has_sent(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *other = pipe->peer->socket;
    return other && (pipe->written > 0 || other->type == RH_ZMQ_XPUB);
}

// Called when the socket closes the pipe and does not linger.
static void leave_in_haste(const struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_pipe *peer = pipe->peer;
    rh__zmq_touch(&peer->meets);
    peer->is_void |= is_hasty(pipe);
    if (!peer->is_void)
        rh__zmq_cut_off(peer);
}

void rh__zmq_pipes_leave(struct rh_zmq_socket *socket, const struct rh_zmq_endpoint *endpoint,
                         bool connecting, const char *call)
{
    bool is_any_hasty = false;
    if (socket->options[RH_ZMQ_OPTION_LINGER] != 0)
        return;
    for (size_t i = 0; i < socket->pipes.count; i++)
        is_any_hasty |= is_hasty(socket->pipes.items[i]);
    if (is_any_hasty)
        rh__zmq_step(call, socket->name);
    for (size_t i = 0; i < socket->pipes.count; i++) {
        const struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        bool is_left =
            !endpoint || (pipe->endpoint == endpoint && pipe->is_connecting == connecting);
        if (is_left && rh__zmq_pipe_is_remote(pipe) && has_sent(pipe))
            leave_in_haste(pipe);
    }
}

void rh__zmq_pipe_close(struct rh_zmq_pipe *pipe)
{
    int linger = pipe->socket->options[RH_ZMQ_OPTION_LINGER];
    if (linger > 0 && rh__zmq_pipe_is_remote(pipe))
        pipe->sends_until = rh__zmq_deadline(linger);
    if (linger != 0 && rh__zmq_pipe_is_remote(pipe) && pipe->peer->socket)
        rh__zmq_linger_check(pipe);
    rh__zmq_ring_remove(&pipe->socket->in, pipe);
    pipe->is_attached = false;
    rh__zmq_pipe_detach(pipe);
    rh__zmq_pipe_tell_leaving(pipe);
}
