// SPDX-License-Identifier: MIT
#include "adapters/zmq/socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/outside.h"

static bool is_remote(const struct rh_zmq_pipe *pipe)
{
    return rh__zmq_endpoint_is_remote(pipe->endpoint);
}

// A ROUTER can't use a pipe before it knows its peer's name, which the peer tells. Within a process
// it knows the name of whoever is bound, and ZMQ_IMMEDIATE does nothing.
static bool is_pending(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *socket = pipe->socket;
    return (socket->type == RH_ZMQ_ROUTER && socket->next_peer_size == 0 &&
            (is_remote(pipe) || !rh__zmq_endpoint_is_bound(pipe->endpoint))) ||
           (socket->options[RH_ZMQ_OPTION_IMMEDIATE] && is_remote(pipe));
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

// Something on its way to a pipe from the pipe's other end. Letters take effect in the order in
// which they were sent, also where the socket has another owner meanwhile and some letters have
// come by another route.
struct rh_zmq_letter {
    struct rh_zmq_pipe *pipe;
    enum rh_zmq_event event;
    uint64_t number;
    // NULL: the letter was taken back.
    void (*apply)(struct rh_zmq_pipe *pipe, void *content);
    void *content;
    // Whether the sender did not linger: the letter comes to nobody.
    bool is_lost;
};

// The thread that has the socket now. The answer matters to the acting thread, and to a thread that
// takes the socket over.
static struct rh_zmq_thread *owner_of(struct rh_zmq_socket *socket)
{
    rh__zmq_check(&socket->taken);
    rh__zmq_note(&socket->used);
    return socket->owner;
}

static void apply_arrival(struct rh_zmq_pipe *pipe, void *content);
static void apply_disconnect(struct rh_zmq_pipe *pipe, void *content);
static void apply_topic(struct rh_zmq_pipe *pipe, void *content);
static void apply_letter(struct rh_zmq_thread *to, void *object, void *content);
static void lose(const struct rh_zmq_letter *letter);

// Within a process a call that sends something has put it where the other thread finds it. Only a
// monitor's events come from ZeroMQ's own threads, and so later.
static bool is_at_once(const struct rh_zmq_letter *letter)
{
    const struct rh_zmq_mail *mail = letter->apply == apply_arrival ? letter->content : NULL;
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
    if (is_remote(letter->pipe))
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

static void open_letter(struct rh_zmq_letter *letter)
{
    struct rh_zmq_pipe *pipe = letter->pipe;
    pipe->opened++;
    if (is_remote(pipe))
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
    if (is_remote(letter->pipe) || !is_at_once(letter))
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

// Hands something over to a pipe: at once if the acting thread has the pipe's socket, and the pipe
// is not remote.
static void hand_over(struct rh_zmq_pipe *pipe, enum rh_zmq_event event, const char *text,
                      void (*apply)(struct rh_zmq_pipe *pipe, void *content), void *content)
{
    struct rh_zmq_thread *from = rh__zmq_acting(), *owner = owner_of(pipe->socket);
    struct rh_zmq_letter *letter = rh_alloc(sizeof *letter);
    *letter = (struct rh_zmq_letter){pipe, event, pipe->posted++, apply, content, false};
    if (is_remote(pipe))
        *rh_vector_push(&pipe->flying) = letter;
    if (owner != from || is_remote(pipe))
        post(from, owner, text, letter);
    else
        apply_letter(from, letter, NULL);
}

// Connections.

static bool is_reading(enum rh_zmq_type type)
{
    return type != RH_ZMQ_PUSH && type != RH_ZMQ_PUB && type != RH_ZMQ_XPUB;
}

// Whether sockets of this type write to one of their peers at a time, in turn.
static bool is_balancing(enum rh_zmq_type type)
{
    return type == RH_ZMQ_PUSH || type == RH_ZMQ_DEALER || type == RH_ZMQ_REQ;
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

static void detach(struct rh_zmq_pipe *pipe)
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
    if (!is_balancing(type) && type != RH_ZMQ_PAIR)
        return false;
    const struct rh_zmq_thread *here = rh__zmq_acting(), *there = pipe->peer->socket->owner;
    const struct rh_zmq_writing *last = &pipe->peer->last;
    bool is_because = !last->is_first && here->clock.at[there->number] >= last->delivery &&
                      here->past.at[there->number] < last->sent;
    bool is_behind = last->caused_by == here->number && !is_remote(pipe);
    return here != there && is_on_its_way(last, pipe) && (is_because || is_behind);
}

// Tells the other side that this side has gone. Within a process a PULL or a SUB need not know.
static void tell_leaving(struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_thread *here = rh__zmq_acting();
    struct rh_zmq_pipe *peer = pipe->peer;
    const struct rh_zmq_socket *other = peer->socket;
    bool is_told =
        other && (is_remote(pipe) || (other->type != RH_ZMQ_PULL && other->type != RH_ZMQ_SUB));
    if (!is_told || peer->is_gone)
        return;
    if (is_unseen(pipe))
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_LEFT, other->name);
    peer->left = (struct rh_zmq_departure){true, here->number, here->clock.at[here->number]};
    hand_over(peer, RH_ZMQ_DISCONNECT, other->name, apply_disconnect, NULL);
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

// Turns away the peer whose name another one claims (ZMQ_ROUTER_HANDOVER): what that peer has sent
// stays, under another name.
static void turn_away(struct rh_zmq_pipe *pipe)
{
    detach(pipe);
    pipe->id_size = 0;
    name_peer(pipe->socket, pipe);
    tell_leaving(pipe);
}

static bool is_refused(const struct rh_zmq_socket *socket, const struct rh_zmq_pipe *pipe)
{
    if (socket->type == RH_ZMQ_PAIR)
        return socket->pipes.count > 0 && socket->pipes.items[0] != pipe;
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
    if (is_balancing(socket->type))
        rh__zmq_ring_add(&socket->out, pipe);
    rh__zmq_monitor_flush(pipe);
}

static void attach(struct rh_zmq_pipe *pipe)
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
    attach(pipe);
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
    if (pipe->is_early && is_remote(pipe))
        rh__zmq_monitor_connected(pipe);
    if (!pipe->is_pending || pipe->is_gone)
        return;
    pipe->is_pending = false;
    if (is_refused(socket, pipe)) {
        detach(pipe);
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
        hand_over(pipe, RH_ZMQ_CONNECT, pipe->socket->name, apply_acceptance, NULL);
}

// Connections that were never there.

// Takes a letter back: a message waits where it will be read, and a subscription will be told
// again.
static void take_back(struct rh_zmq_letter *letter)
{
    if (letter->apply == apply_arrival)
        *rh_vector_push(&letter->pipe->queue) = letter->content;
    else if (letter->apply == apply_topic)
        rh__zmq_content_free(letter->content);
    letter->apply = NULL;
}

static void take_all_back(struct rh_zmq_pipe *pipe)
{
    for (size_t i = 0; i < pipe->flying.count; i++)
        take_back(pipe->flying.items[i]);
    for (size_t i = 0; i < pipe->held.count; i++)
        free(pipe->held.items[i]);
    pipe->flying.count = pipe->held.count = 0;
    pipe->opened = pipe->posted;
}

static void apply_failure(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    rh__zmq_monitor_disconnected(pipe);
}

static void tell_failure(struct rh_zmq_pipe *pipe)
{
    rh__zmq_check(&pipe->socket->watched);
    if (!pipe->is_early && pipe->socket->monitor)
        hand_over(pipe, RH_ZMQ_DISCONNECT, pipe->socket->name, apply_failure, NULL);
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
    take_all_back(pipe);
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
    tell_leaving(pipe);
}

// Called at the end of the socket that is bound: a connection between processes was made, or
// somebody within the process has connected.
static void apply_connect(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    if (is_remote(pipe)) {
        pipe->socket->coming--;
        rh__zmq_touch(&pipe->meets);
    }
    if (pipe->is_void) {
        rh__zmq_unread_note_queue(&pipe->peer->socket->dropped, pipe);
        return;
    }
    if (is_remote(pipe) && !rh__zmq_endpoint_is_of(pipe->endpoint, pipe->socket)) {
        if (pipe->peer->socket->options[RH_ZMQ_OPTION_RECONNECT_IVL] >= 0)
            wait_again(pipe);
        else
            give_up_connection(pipe);
        return;
    }
    if (is_remote(pipe))
        rh__zmq_linger_end(pipe->peer);
    attach(pipe);
    rh__zmq_descriptor_signal(pipe->socket);
    if (!pipe->is_attached)
        return;
    rh__zmq_pipe_ask(pipe, NULL);
    if (is_remote(pipe)) {
        rh__zmq_monitor_accepted(pipe);
        tell_acceptance(pipe->peer);
    }
    pipe->is_new = true;
}

static void announce(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *socket = pipe->socket;
    if (is_remote(pipe)) {
        rh__zmq_check(&socket->awaited);
        rh__zmq_note(&socket->awaited);
        socket->coming++;
    }
    hand_over(pipe, RH_ZMQ_CONNECT, socket->name, apply_connect, NULL);
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
    attach(pipe);
    if (other->type != RH_ZMQ_PULL || is_remote(pipe) || other->owner == rh__zmq_acting())
        announce(pipe->peer);
    greet(pipe);
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
    if (is_remote(pipe)) {
        announce(pipe);
        pipe->heard = pipe->peer->told = pipe->peer->told_taken = 0;
        for (size_t i = 0; i < other->topics.count && !pipe->peer->is_pending; i++)
            rh__zmq_pipe_subscribe(pipe->peer, other->topics.items[i], true);
        if (pipe->peer->is_gone)
            hand_over(pipe, RH_ZMQ_DISCONNECT, socket->name, apply_disconnect, NULL);
        return;
    }
    attach(pipe);
    if (!pipe->is_attached)
        return;
    tell_acceptance(pipe->peer);
    greet(pipe);
    rh__zmq_pipe_ask(pipe, NULL);
    rh__zmq_topics_read(socket);
    if (pipe->peer->is_gone)
        detach(pipe);
}

// Messages.

uint64_t rh__zmq_pipe_limit(const struct rh_zmq_pipe *pipe)
{
    uint64_t here = (uint64_t)pipe->socket->options[RH_ZMQ_OPTION_SNDHWM];
    const struct rh_zmq_socket *other = pipe->peer->socket;
    if (rh__zmq_socket_conflates(pipe->socket) || (other && rh__zmq_socket_conflates(other)))
        return 0;
    if (!other)
        return here;
    uint64_t there = (uint64_t)other->options[RH_ZMQ_OPTION_RCVHWM];
    return here == 0 || there == 0 ? 0 : here + there;
}

// From the limit on, the answer depends on how much the other thread has taken.
bool rh__zmq_pipe_has_room(const struct rh_zmq_pipe *pipe)
{
    uint64_t limit = rh__zmq_pipe_limit(pipe);
    if (pipe->is_gone)
        return false;
    if (limit > 0 && pipe->written >= limit && pipe->peer->socket)
        rh__zmq_tie(pipe->socket->owner, pipe->peer->socket->owner);
    return limit == 0 || pipe->written - pipe->taken < limit;
}

// Whether only the newest message counts. Within a process the side that connects decides for both.
static bool is_conflating(const struct rh_zmq_pipe *pipe)
{
    bool is_here = is_remote(pipe) || pipe->is_connecting;
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
    for (size_t i = 0; i < mail->frames.count && most >= 0 && is_remote(pipe); i++)
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
    if (pipe->socket->type == RH_ZMQ_REQ && is_remote(pipe) && !is_reply)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_STRAY, pipe->socket->name);
}

static void apply_arrival(struct rh_zmq_pipe *pipe, void *content)
{
    struct rh_zmq_mail *mail = content;
    if (pipe->is_void) {
        rh__zmq_unread_note(&pipe->peer->socket->dropped, mail);
        rh__zmq_mail_free(mail);
        return;
    }
    if (pipe->socket->is_closed || (pipe->is_gone && !pipe->is_attached)) {
        if (is_remote(pipe) && pipe->peer->is_connecting)
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
    if (!pipe->is_attached && pipe->socket->type == RH_ZMQ_PULL)
        attach(pipe);
    // As in ZeroMQ, a reader that has not found the queue empty since is not told that there is
    // more.
    if (rh__zmq_ring_activate(&pipe->socket->in, pipe))
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
    if (is_remote(pipe) && rh__zmq_socket_conflates(pipe->socket))
        rh__zmq_give_up("ZMQ_CONFLATE is not supported where messages are sent over tcp or ipc, on "
                        "a %s socket",
                        rh__zmq_type_name(pipe->socket->type));
    mail->origin = is_remote(pipe) ? pipe : NULL;
    if (!peer->socket) {
        // Nobody is there yet: the message waits where it will be read.
        *rh_vector_push(&peer->queue) = mail;
        return;
    }
    note_writing(pipe, mail);
    struct rh_text text = {0};
    rh_text_addf(&text, "%s: ", peer->socket->name);
    rh__zmq_mail_show(mail, &text);
    hand_over(peer, RH_ZMQ_ARRIVE, rh_text_get(&text), apply_arrival, mail);
    rh_text_fini(&text);
}

static void apply_room(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    rh__zmq_ring_activate(&pipe->socket->out, pipe);
    rh__zmq_descriptor_signal(pipe->socket);
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
    if (writer->waits_for_room && !writer->socket->is_closed) {
        writer->waits_for_room = false;
        hand_over(writer, RH_ZMQ_ROOM, writer->socket->name, apply_room, NULL);
    }
    return mail;
}

// Ends.

static void apply_disconnect(struct rh_zmq_pipe *pipe, void *content)
{
    (void)content;
    bool was_attached = pipe->is_attached && !pipe->is_gone;
    detach(pipe);
    rh__zmq_descriptor_signal(pipe->socket);
    if (was_attached && is_remote(pipe)) {
        rh__zmq_monitor_disconnected(pipe);
        rh__zmq_endpoint_reconnect(pipe);
    }
}

// Whether the pipe's messages are lost if its socket gives the pipe up and does not linger: there
// is no connection yet.
static bool is_hasty(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_pipe *peer = pipe->peer;
    return is_remote(pipe) && pipe->is_connecting && pipe->written > 0 && peer->socket &&
           !peer->is_attached && !peer->is_gone;
}

// Whether somebody can tell that the letter has not come. A subscription of a closed socket shows
// to nobody but an XPUB.
static bool is_missable(const struct rh_zmq_letter *letter)
{
    return letter->apply == apply_arrival ||
           (letter->apply == apply_topic && letter->pipe->socket->type == RH_ZMQ_XPUB);
}

static void lose(const struct rh_zmq_letter *letter)
{
    if (letter->apply == apply_topic) {
        rh__zmq_content_free(letter->content);
        return;
    }
    rh__zmq_unread_note(&letter->pipe->peer->socket->dropped, letter->content);
    rh__zmq_mail_free(letter->content);
}

// Of the letters that are still on their way to the pipe ZeroMQ sends all, or the first few: those
// that its own threads have taken over by now.
static void cut_off(const struct rh_zmq_pipe *pipe)
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
        cut_off(peer);
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
        if (is_left && is_remote(pipe) && has_sent(pipe))
            leave_in_haste(pipe);
    }
}

void rh__zmq_pipe_close(struct rh_zmq_pipe *pipe)
{
    int linger = pipe->socket->options[RH_ZMQ_OPTION_LINGER];
    if (linger > 0 && is_remote(pipe))
        pipe->sends_until = rh__zmq_deadline(linger);
    if (linger != 0 && is_remote(pipe) && pipe->peer->socket)
        rh__zmq_linger_check(pipe);
    rh__zmq_ring_remove(&pipe->socket->in, pipe);
    pipe->is_attached = false;
    detach(pipe);
    tell_leaving(pipe);
}

// Subscriptions.

// Applies what a SUB tells its peer: the topic behind 1, or behind 0 to take it back.
static void apply_topic(struct rh_zmq_pipe *pipe, void *content)
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
        if (is_remote(pipe))
            rh__zmq_content_free(request);
        else
            *rh_vector_push(&pipe->peer->requests) = request;
        return;
    }
    size_t size = rh__zmq_content_size(topic);
    char text[2 * RH_ZMQ_NAME_MOST];
    snprintf(text, sizeof text, "%s: %s '%.*s'", other->name, on ? "subscribe to" : "no more of",
             size < 60 ? (int)size : 60, size > 0 ? (const char *)topic->data : "");
    hand_over(pipe->peer, RH_ZMQ_ARRIVE, text, apply_topic, request);
}
