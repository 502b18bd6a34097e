// SPDX-License-Identifier: MIT
// How connections come about, and what happens to those that were never there.
#include <string.h>

#include "adapters/zmq/letter.h"
#include "adapters/zmq/outside.h"

// A ROUTER can't use a pipe before it knows its peer's name, which the peer tells. Within a process
// it knows the name of whoever is bound, and ZMQ_IMMEDIATE does nothing.
static bool is_pending(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *socket = pipe->socket;
    return (socket->type == RH_ZMQ_ROUTER && socket->next_peer_size == 0 &&
            (rh__zmq_pipe_is_remote(pipe) || !rh__zmq_endpoint_is_bound(pipe->endpoint))) ||
           (socket->options[RH_ZMQ_OPTION_IMMEDIATE] && rh__zmq_pipe_is_remote(pipe));
}

// ZMQ_CONNECT_ROUTING_ID holds for one connection.
static void take_name(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *socket = pipe->socket;
    memcpy(pipe->id, socket->next_peer, socket->next_peer_size);
    pipe->id_size = socket->next_peer_size;
    pipe->is_named_here = pipe->id_size > 0;
    socket->next_peer_size = 0;
}

struct rh_zmq_pipe *rh__zmq_pipe_new(struct rh_zmq_socket *socket, struct rh_zmq_endpoint *endpoint,
                                     const char *address)
{
    struct rh_zmq_pipe *pipe = rh_alloc(sizeof *pipe);
    struct rh_zmq_pipe *peer = rh_alloc(sizeof *peer);
    *pipe = (struct rh_zmq_pipe){.socket = socket,
                                 .peer = peer,
                                 .endpoint = endpoint,
                                 .is_connecting = true,
                                 .joined = rh__zmq_haste()};
    pipe->is_pending = is_pending(pipe);
    take_name(pipe);
    *peer = (struct rh_zmq_pipe){.peer = pipe, .endpoint = endpoint};
    pipe->address = rh_strdup(address);
    peer->address = rh_strdup(address);
    pipe->route = rh__zmq_endpoint_add_route(endpoint);
    peer->route = rh_strdup(pipe->route);
    return pipe;
}

static bool is_reading(enum rh_zmq_type type)
{
    return type != RH_ZMQ_PUSH && type != RH_ZMQ_PUB && type != RH_ZMQ_XPUB;
}

// The pipe of another peer that has the same name; NULL if there is none.
static struct rh_zmq_pipe *find_namesake(const struct rh_zmq_socket *socket,
                                         const struct rh_zmq_pipe *pipe)
{
    for (size_t i = 0; i < socket->pipes.count; i++) {
        struct rh_zmq_pipe *other = socket->pipes.items[i];
        bool is_known = other != pipe && !other->is_pending;
        if (is_known && other->id_size == pipe->id_size &&
            memcmp(other->id, pipe->id, pipe->id_size) == 0)
            return other;
    }
    return NULL;
}

// A ROUTER knows its peers by the names that they have given themselves, or names them itself.
static void name_peer(struct rh_zmq_socket *socket, struct rh_zmq_pipe *pipe)
{
    if (pipe->id_size > 0)
        return;
    // No two sockets give the same name.
    uint32_t number = (socket->number << 16) + ++socket->next_id;
    const uint8_t id[] = {0, (uint8_t)(number >> 24), (uint8_t)(number >> 16),
                          (uint8_t)(number >> 8), (uint8_t)number};
    memcpy(pipe->id, id, sizeof id);
    pipe->id_size = sizeof id;
}

// Turns away the peer whose name another one claims (ZMQ_ROUTER_HANDOVER): what that peer has sent
// stays, under another name.
static void turn_away(struct rh_zmq_pipe *pipe)
{
    rh__zmq_pipe_detach(pipe);
    pipe->id_size = 0;
    name_peer(pipe->socket, pipe);
    rh__zmq_pipe_tell_leaving(pipe);
}

static bool is_refused(const struct rh_zmq_socket *socket, const struct rh_zmq_pipe *pipe)
{
    if (socket->type == RH_ZMQ_PAIR) {
        bool has_other = socket->pipes.count > 0 && socket->pipes.items[0] != pipe;
        if (has_other)
            rh__zmq_outside_differs(RH_ZMQ_DIFFERS_REFUSED, socket->name);
        return has_other;
    }
    struct rh_zmq_pipe *namesake =
        socket->type == RH_ZMQ_ROUTER && pipe->id_size > 0 ? find_namesake(socket, pipe) : NULL;
    if (!namesake || !socket->options[RH_ZMQ_OPTION_ROUTER_HANDOVER])
        return namesake != NULL;
    turn_away(namesake);
    return false;
}

static void begin_use(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *socket = pipe->socket;
    if (socket->type == RH_ZMQ_ROUTER || socket->type == RH_ZMQ_REP)
        name_peer(socket, pipe);
    if (is_reading(socket->type))
        rh__zmq_ring_add(&socket->in, pipe);
    if (rh__zmq_is_balancing(socket->type))
        rh__zmq_ring_add(&socket->out, pipe);
    rh__zmq_monitor_flush(pipe);
}

void rh__zmq_pipe_attach(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *socket = pipe->socket;
    if (socket->is_closed || is_refused(socket, pipe)) {
        pipe->is_gone = true;
        return;
    }
    pipe->is_attached = true;
    *rh_vector_push(&socket->pipes) = pipe;
    if (!pipe->is_pending)
        begin_use(pipe);
}

static bool probes(const struct rh_zmq_socket *socket)
{
    return (socket->type == RH_ZMQ_ROUTER || socket->type == RH_ZMQ_DEALER ||
            socket->type == RH_ZMQ_REQ) &&
           socket->options[RH_ZMQ_OPTION_PROBE_ROUTER];
}

// Sends what goes first through a pipe that can be used.
static void greet(struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *socket = pipe->socket;
    if (!pipe->is_attached || pipe->is_pending)
        return;
    for (size_t i = 0; i < socket->topics.count; i++)
        rh__zmq_pipe_subscribe(pipe, socket->topics.items[i], true);
    if (!probes(socket))
        return;
    struct rh_zmq_mail *empty = rh__zmq_mail_new();
    rh__zmq_mail_add(empty, NULL);
    rh__zmq_pipe_write(pipe, empty);
}

void rh__zmq_socket_look(struct rh_zmq_socket *socket)
{
    socket->is_ended |= socket->is_stopped;
    socket->in.seen = socket->in.active;
    rh__zmq_topics_read(socket);
    for (size_t i = 0; i < socket->pipes.count; i++) {
        struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        rh__zmq_pipe_see_taken(pipe);
        if (!pipe->is_new)
            continue;
        pipe->is_new = false;
        greet(pipe);
    }
}

void rh__zmq_pipe_begin(struct rh_zmq_pipe *pipe)
{
    rh__zmq_pipe_attach(pipe);
    greet(pipe);
}

// Each side learns the name that the other one has when they meet.
static void exchange_ids(struct rh_zmq_pipe *pipe)
{
    for (int i = 0; i < 2; i++, pipe = pipe->peer) {
        const struct rh_zmq_socket *other = pipe->peer->socket;
        if (other->id_size == 0 || pipe->is_named_here)
            continue;
        memcpy(pipe->id, other->id, other->id_size);
        pipe->id_size = other->id_size;
    }
}

// The connection of the connecting side was accepted. That side is told only if it has to know.
static void apply_acceptance(struct rh_zmq_pipe *pipe, void *content)
{
    struct rh_zmq_socket *socket = pipe->socket;
    (void)content;
    if (pipe->is_early && rh__zmq_pipe_is_remote(pipe))
        rh__zmq_monitor_connected(pipe);
    if (!pipe->is_pending || pipe->is_gone)
        return;
    pipe->is_pending = false;
    if (is_refused(socket, pipe)) {
        rh__zmq_pipe_detach(pipe);
        return;
    }
    begin_use(pipe);
    rh__zmq_descriptor_signal(socket);
    // Without ZMQ_IMMEDIATE the pipe has been there from the beginning.
    pipe->is_new = socket->options[RH_ZMQ_OPTION_IMMEDIATE];
    if (!pipe->is_new)
        greet(pipe);
}

static void tell_acceptance(struct rh_zmq_pipe *pipe)
{
    rh__zmq_check(&pipe->socket->watched);
    if (pipe->is_pending || (pipe->is_early && pipe->socket->monitor))
        rh__zmq_hand_over(pipe, RH_ZMQ_CONNECT, pipe->socket->name, apply_acceptance, NULL);
}

// Connections that were never there.

static void apply_failure(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    rh__zmq_monitor_disconnected(pipe);
}

static void tell_failure(struct rh_zmq_pipe *pipe)
{
    rh__zmq_check(&pipe->socket->watched);
    if (!pipe->is_early && pipe->socket->monitor)
        rh__zmq_hand_over(pipe, RH_ZMQ_DISCONNECT, pipe->socket->name, apply_failure, NULL);
}

static void forget_peer(struct rh_zmq_pipe *pipe)
{
    if (!pipe->is_named_here)
        pipe->id_size = 0;
    pipe->left = (struct rh_zmq_departure){0};
}

// Whoever was bound has closed the socket before there was a connection. ZeroMQ has read nothing
// from the pipe then, keeps what is in it, and tries again, as if nobody had been bound.
static void wait_again(struct rh_zmq_pipe *pipe)
{
    rh__zmq_check(&pipe->kept);
    rh__zmq_note(&pipe->kept);
    rh__zmq_take_all_back(pipe);
    tell_failure(pipe->peer);
    forget_peer(pipe);
    forget_peer(pipe->peer);
    pipe->socket = NULL;
    rh__zmq_endpoint_wait(pipe->peer);
}

// Ends a connection that was never there, for a socket that does not connect again.
static void give_up_connection(struct rh_zmq_pipe *pipe)
{
    rh__zmq_unread_note_queue(&pipe->socket->unread, pipe);
    pipe->is_gone = true;
    rh__zmq_linger_end(pipe->peer);
    rh__zmq_pipe_tell_leaving(pipe);
}

// Called at the end of the socket that is bound: a connection between processes was made, or
// somebody within the process has connected.
static void apply_connect(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    if (rh__zmq_pipe_is_remote(pipe)) {
        pipe->socket->coming--;
        rh__zmq_touch(&pipe->meets);
    }
    if (pipe->is_void) {
        rh__zmq_unread_note_queue(&pipe->peer->socket->dropped, pipe);
        return;
    }
    if (rh__zmq_pipe_is_remote(pipe) && !rh__zmq_endpoint_is_of(pipe->endpoint, pipe->socket)) {
        if (rh__zmq_socket_reconnects(pipe->peer->socket))
            wait_again(pipe);
        else
            give_up_connection(pipe);
        return;
    }
    if (rh__zmq_pipe_is_remote(pipe))
        rh__zmq_linger_end(pipe->peer);
    rh__zmq_pipe_attach(pipe);
    rh__zmq_descriptor_signal(pipe->socket);
    if (!pipe->is_attached)
        return;
    rh__zmq_pipe_ask(pipe, NULL);
    if (rh__zmq_pipe_is_remote(pipe)) {
        rh__zmq_monitor_accepted(pipe);
        tell_acceptance(pipe->peer);
        rh__zmq_pipe_tell_room(pipe->peer);
    }
    pipe->is_new = true;
}

static void announce(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *socket = pipe->socket;
    if (rh__zmq_pipe_is_remote(pipe)) {
        rh__zmq_check(&socket->awaited);
        rh__zmq_note(&socket->awaited);
        socket->coming++;
    }
    rh__zmq_hand_over(pipe, RH_ZMQ_CONNECT, socket->name, apply_connect, NULL);
}

void rh__zmq_pipes_await(struct rh_zmq_socket *socket, const char *call)
{
    rh__zmq_check(&socket->awaited);
    rh__zmq_note(&socket->awaited);
    if (socket->coming > 0)
        rh__zmq_step(call, socket->name);
}

// Within a process a PULL need not know of another thread's peer before it has a message from that
// peer, and need never know that the peer has gone.
void rh__zmq_pipe_join(struct rh_zmq_pipe *pipe, struct rh_zmq_socket *other)
{
    pipe->peer->socket = other;
    exchange_ids(pipe);
    rh__zmq_pipe_attach(pipe);
    if (other->type != RH_ZMQ_PULL || rh__zmq_pipe_is_remote(pipe) ||
        other->owner == rh__zmq_acting())
        announce(pipe->peer);
    greet(pipe);
}

// ZeroMQ would try for the next time before twice the interval is over, and no more if the socket
// has lingered.
static void hasten(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *socket = pipe->socket;
    uint64_t until = rh__zmq_deadline(2 * (int64_t)socket->options[RH_ZMQ_OPTION_RECONNECT_IVL]);
    rh__zmq_hasten(until, socket->name);
    if (pipe->lingers_until > 0 && pipe->lingers_until < until)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_SOON, socket->name);
}

// What the other side has subscribed to, or written, before anybody was bound comes with the
// connection; if the other side has gone by now, nothing else comes.
void rh__zmq_pipe_accept(struct rh_zmq_pipe *pipe, struct rh_zmq_socket *socket)
{
    const struct rh_zmq_socket *other = pipe->peer->socket;
    pipe->socket = socket;
    exchange_ids(pipe);
    // ZeroMQ tries to connect again after some time: whoever is bound does not know of the
    // connection yet.
    if (rh__zmq_pipe_is_remote(pipe)) {
        hasten(pipe->peer);
        announce(pipe);
        pipe->heard = pipe->peer->told = pipe->peer->told_taken = 0;
        for (size_t i = 0; i < other->topics.count && !pipe->peer->is_pending; i++)
            rh__zmq_pipe_subscribe(pipe->peer, other->topics.items[i], true);
        if (pipe->peer->is_gone)
            rh__zmq_hand_over(pipe, RH_ZMQ_DISCONNECT, socket->name, rh__zmq_apply_disconnect,
                              NULL);
        return;
    }
    rh__zmq_pipe_attach(pipe);
    if (!pipe->is_attached)
        return;
    tell_acceptance(pipe->peer);
    greet(pipe);
    rh__zmq_pipe_ask(pipe, NULL);
    rh__zmq_topics_read(socket);
    if (pipe->peer->is_gone)
        rh__zmq_pipe_detach(pipe);
}
