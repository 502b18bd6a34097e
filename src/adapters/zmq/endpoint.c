// SPDX-License-Identifier: MIT
#include "adapters/zmq/endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/outside.h"

static struct {
    RH_VECTOR(struct rh_zmq_endpoint *) endpoints;
} own;

const char *rh__zmq_endpoint_name(const struct rh_zmq_endpoint *endpoint)
{
    return endpoint->name;
}

bool rh__zmq_endpoint_is_remote(const struct rh_zmq_endpoint *endpoint)
{
    return !endpoint->context;
}

bool rh__zmq_endpoint_is_bound(const struct rh_zmq_endpoint *endpoint)
{
    return endpoint->bound != NULL;
}

size_t rh__zmq_endpoint_count(void)
{
    return own.endpoints.count;
}

struct rh_zmq_endpoint *rh__zmq_endpoint_get(size_t index)
{
    return own.endpoints.items[index];
}

static struct rh_zmq_endpoint *get_endpoint(const struct rh_zmq_context *context, const char *name)
{
    const struct rh_zmq_context *scope = strncmp(name, "inproc:", 7) == 0 ? context : NULL;
    for (size_t i = 0; i < own.endpoints.count; i++)
        if (own.endpoints.items[i]->context == scope &&
            strcmp(own.endpoints.items[i]->name, name) == 0)
            return own.endpoints.items[i];
    struct rh_zmq_endpoint *endpoint = rh_alloc(sizeof *endpoint);
    snprintf(endpoint->name, sizeof endpoint->name, "%s", name);
    endpoint->context = scope;
    *rh_vector_push(&own.endpoints) = endpoint;
    return endpoint;
}

// Names.

static bool fail(int error)
{
    errno = error;
    return false;
}

void rh__zmq_socket_rename(struct rh_zmq_socket *socket, const char *endpoint)
{
    bool is_first = socket->endpoint[0] == '\0';
    snprintf(socket->endpoint, sizeof socket->endpoint, "%s", endpoint);
    if (is_first)
        snprintf(socket->name, sizeof socket->name, "%s %.80s", rh__zmq_type_name(socket->type),
                 endpoint);
}

// The name of a route through the endpoint, which is one word.
static char *make_route(const struct rh_zmq_endpoint *endpoint, uint32_t number)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_.:/@%+,=~";
    bool is_tcp = strncmp(endpoint->name, "tcp://*:", 8) == 0;
    struct rh_text text = {0};
    rh_text_addf(&text, "%.3s:", endpoint->name);
    for (const char *at = endpoint->name + (is_tcp ? 8 : 6); *at; at++)
        rh_text_addf(&text, "%c", strchr(plain, *at) ? *at : '_');
    if (number > 1)
        rh_text_addf(&text, "#%u", number);
    return rh_text_take(&text);
}

char *rh__zmq_endpoint_add_route(struct rh_zmq_endpoint *endpoint)
{
    if (endpoint->context)
        return rh_strdup("");
    return make_route(endpoint, ++endpoint->connections[rh__zmq_acting()->number]);
}

// Binding.

static bool fit_together(enum rh_zmq_type one, enum rh_zmq_type other)
{
    static const uint16_t partners[RH_ZMQ_TYPE_COUNT] = {
        [RH_ZMQ_PAIR] = 1 << RH_ZMQ_PAIR,
        [RH_ZMQ_PUB] = 1 << RH_ZMQ_SUB | 1 << RH_ZMQ_XSUB,
        [RH_ZMQ_SUB] = 1 << RH_ZMQ_PUB | 1 << RH_ZMQ_XPUB,
        [RH_ZMQ_REQ] = 1 << RH_ZMQ_REP | 1 << RH_ZMQ_ROUTER,
        [RH_ZMQ_REP] = 1 << RH_ZMQ_REQ | 1 << RH_ZMQ_DEALER,
        [RH_ZMQ_DEALER] = 1 << RH_ZMQ_REP | 1 << RH_ZMQ_DEALER | 1 << RH_ZMQ_ROUTER,
        [RH_ZMQ_ROUTER] = 1 << RH_ZMQ_REQ | 1 << RH_ZMQ_DEALER | 1 << RH_ZMQ_ROUTER,
        [RH_ZMQ_PULL] = 1 << RH_ZMQ_PUSH,
        [RH_ZMQ_PUSH] = 1 << RH_ZMQ_PULL,
        [RH_ZMQ_XPUB] = 1 << RH_ZMQ_SUB | 1 << RH_ZMQ_XSUB,
        [RH_ZMQ_XSUB] = 1 << RH_ZMQ_PUB | 1 << RH_ZMQ_XPUB};
    return partners[one] >> other & 1;
}

// Within a process ZeroMQ does not check whether types fit, and nobody intends what happens when
// they do not.
static void check_types(const struct rh_zmq_socket *one, const struct rh_zmq_socket *other,
                        const char *call)
{
    if (!fit_together(one->type, other->type))
        rh__zmq_give_up("%s: a %s socket is connected with a %s socket at %s, which is not "
                        "supported",
                        call, rh__zmq_type_name(one->type), rh__zmq_type_name(other->type),
                        one->endpoint);
}

static void accept_waiting(struct rh_zmq_endpoint *endpoint, struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < endpoint->waiting.count; i++) {
        struct rh_zmq_pipe *pipe = endpoint->waiting.items[i];
        if (!rh__zmq_linger_take(pipe))
            continue;
        check_types(socket, pipe->socket, "zmq_bind");
        rh__zmq_pipe_accept(pipe->peer, socket);
    }
    endpoint->waiting.count = 0;
}

// As in ZeroMQ, the event of a bind that failed has the address without its transport.
static int refuse_bind(struct rh_zmq_socket *socket, const char *shown)
{
    if (strncmp(shown, "tcp://", 6) == 0) {
        rh__zmq_monitor_emit(socket, RH_ZMQ_EVENT_CLOSED, rh__zmq_monitor_descriptor(socket), "");
        rh__zmq_monitor_emit(socket, RH_ZMQ_EVENT_BIND_FAILED, EADDRINUSE, shown + 6);
        rh__zmq_monitor_await(socket, "zmq_bind");
    }
    errno = EADDRINUSE;
    return -1;
}

// Ports that are being given back.

// A port that was given back is still in use as long as no time passes.
static bool is_in_use_yet(const struct rh_zmq_endpoint *endpoint)
{
    return endpoint->left_by && endpoint->left_at == rh__zmq_now();
}

static void leave_port(struct rh_zmq_endpoint *endpoint, const struct rh_zmq_socket *socket)
{
    if (strncmp(endpoint->name, "tcp:", 4) != 0)
        return;
    endpoint->left_by = socket->context;
    endpoint->left_at = rh__zmq_now();
    endpoint->is_awaited = false;
}

void rh__zmq_endpoints_leave(const struct rh_zmq_context *context)
{
    for (size_t i = 0; i < own.endpoints.count; i++)
        if (own.endpoints.items[i]->left_by == context)
            own.endpoints.items[i]->left_by = NULL;
}

static void apply_free(struct rh_zmq_thread *to, void *object, void *content)
{
    struct rh_zmq_endpoint *endpoint = object;
    (void)to;
    (void)content;
    rh__zmq_touch(&endpoint->binds);
    if (endpoint->is_awaited)
        endpoint->left_by = NULL;
}

// ZeroMQ closes its listening socket some time after zmq_close and zmq_unbind: by now, or not yet.
static void await_port(struct rh_zmq_endpoint *endpoint, const struct rh_zmq_socket *socket)
{
    rh__zmq_touch(&endpoint->binds);
    if (!is_in_use_yet(endpoint))
        return;
    if (!endpoint->is_awaited)
        rh__zmq_post_by("network", rh__zmq_self(), rh__zmq_self(), RH_ZMQ_CLOSED, endpoint->shown,
                        (struct rh_zmq_parcel){apply_free, endpoint, NULL, NULL});
    endpoint->is_awaited = true;
    rh__zmq_step("zmq_bind", socket->name);
}

// The loss matters to whoever binds next, and to the end of a context that waits for the messages.
void rh__zmq_endpoint_lose(struct rh_zmq_endpoint *endpoint, struct rh_zmq_socket *socket)
{
    endpoint->has_lost = socket->has_lost = true;
    bool lingers = socket->is_closed && socket->options[RH_ZMQ_OPTION_LINGER] != 0;
    if (endpoint->bound || lingers)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_KEPT, socket->name);
}

// Notes that the caller, which is going to use the endpoint, could have come before another
// thread's hasty use.
static void check_haste(const struct rh_zmq_haste *haste, const struct rh_zmq_endpoint *endpoint)
{
    if (rh__zmq_was_hasty(haste))
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_CLOSED,
                                endpoint->shown[0] != '\0' ? endpoint->shown : endpoint->name);
}

// Looks at what has come to the socket. Gives false with errno if its context ends.
static bool is_alive(struct rh_zmq_socket *socket)
{
    rh__zmq_socket_look(socket);
    rh__zmq_descriptor_clear(socket);
    return !socket->is_ended || fail(ETERM);
}

// ZeroMQ has a command for the socket itself that something of its own is at work with the network.
static void tell_itself(const struct rh_zmq_endpoint *endpoint, struct rh_zmq_socket *socket)
{
    if (!endpoint->context)
        rh__zmq_descriptor_signal(socket);
}

int zmq_bind(void *object, const char *address)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, "zmq_bind");
    char name[RH_ZMQ_ENDPOINT_MOST], shown[RH_ZMQ_ENDPOINT_MOST];
    if (!socket || !is_alive(socket) || !rh__zmq_address_name(socket, address, true, name, shown))
        return -1;
    struct rh_zmq_endpoint *endpoint = get_endpoint(socket->context, name);
    rh__zmq_give_way("zmq_bind", socket->name);
    check_haste(&endpoint->closed, endpoint);
    if (endpoint->has_lost)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_KEPT, socket->name);
    await_port(endpoint, socket);
    if (!is_alive(socket))
        return -1;
    rh__zmq_touch(&endpoint->binds);
    rh__zmq_acquire(&endpoint->connects);
    // Of an ipc path the newest owner counts.
    bool is_taken = endpoint->bound && strncmp(name, "ipc:", 4) != 0;
    if (is_taken || is_in_use_yet(endpoint))
        return refuse_bind(socket, shown);
    endpoint->bound = socket;
    endpoint->was_bound = true;
    snprintf(endpoint->shown, sizeof endpoint->shown, "%s", shown);
    socket->is_bound = true;
    rh__zmq_socket_rename(socket, shown);
    if (!endpoint->context)
        rh__zmq_monitor_emit(socket, RH_ZMQ_EVENT_LISTENING, rh__zmq_monitor_descriptor(socket),
                             shown);
    accept_waiting(endpoint, socket);
    // Without another look: what was sent within a process before somebody was bound.
    socket->in.seen = socket->in.active;
    rh__zmq_monitor_await(socket, "zmq_bind");
    tell_itself(endpoint, socket);
    return 0;
}

// Whether what the socket does to this peer depends on other threads now, and not when it comes
// there.
static bool is_unsettled(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *peer = pipe->peer->socket;
    return !peer || (peer->owner == pipe->socket->owner && !peer->is_closed &&
                     !rh__zmq_endpoint_is_remote(pipe->endpoint));
}

static bool has_unsettled(const struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < socket->pipes.count; i++)
        if (is_unsettled(socket->pipes.items[i]))
            return true;
    return false;
}

// Whether the socket's messages wait depends on when its peers have closed their sockets, if they
// have.
static void use_kept(const struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < socket->pipes.count; i++) {
        rh__zmq_check(&socket->pipes.items[i]->peer->kept);
        rh__zmq_note(&socket->pipes.items[i]->peer->kept);
    }
}

// Notes what a thread that binds, or takes a socket over, looks at.
static void note_use(const struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *peer = pipe->peer->socket;
    if (!peer) {
        rh__zmq_release(&pipe->endpoint->connects);
        return;
    }
    if (pipe->is_early)
        rh__zmq_check(&pipe->endpoint->binds);
    rh__zmq_check(&peer->taken);
    rh__zmq_note(&peer->used);
}

void rh__zmq_peers_use(struct rh_zmq_socket *socket, const char *call)
{
    use_kept(socket);
    if (has_unsettled(socket) && !rh__zmq_is_alone())
        rh__zmq_step(call, socket->name);
    use_kept(socket);
    for (size_t i = 0; i < socket->pipes.count; i++)
        note_use(socket->pipes.items[i]);
}

static void connect_to(struct rh_zmq_socket *socket, struct rh_zmq_endpoint *endpoint,
                       const char *shown)
{
    check_haste(&endpoint->closed, endpoint);
    rh__zmq_check(&endpoint->binds);
    endpoint->was_connected = true;
    struct rh_zmq_pipe *pipe = rh__zmq_pipe_new(socket, endpoint, shown);
    if (endpoint->bound) {
        check_types(socket, endpoint->bound, "zmq_connect");
        rh__zmq_note(&endpoint->connects);
        rh__zmq_pipe_join(pipe, endpoint->bound);
        if (!endpoint->context)
            rh__zmq_monitor_connected(pipe);
        return;
    }
    // Pipes that wait are taken in the order in which they have come.
    rh__zmq_touch(&endpoint->connects);
    pipe->is_early = true;
    rh__zmq_pipe_begin(pipe);
    if (endpoint->context || rh__zmq_socket_reconnects(socket))
        *rh_vector_push(&endpoint->waiting) = pipe;
    if (!endpoint->context)
        rh__zmq_monitor_delayed(pipe);
}

bool rh__zmq_socket_reconnects(const struct rh_zmq_socket *socket)
{
    return socket->options[RH_ZMQ_OPTION_RECONNECT_IVL] > 0;
}

void rh__zmq_endpoint_wait(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_endpoint *endpoint = pipe->endpoint;
    rh__zmq_check(&endpoint->binds);
    rh__zmq_touch(&endpoint->connects);
    pipe->is_early = true;
    if (!rh__zmq_linger_has(pipe)) {
        rh__zmq_linger_end(pipe);
        return;
    }
    if (!endpoint->bound) {
        *rh_vector_push(&endpoint->waiting) = pipe;
        return;
    }
    check_types(pipe->socket, endpoint->bound, "zmq_connect");
    rh__zmq_pipe_accept(pipe->peer, endpoint->bound);
}

// An ipc path that another socket has bound as well still leads to the earlier socket for those who
// have connected before.
bool rh__zmq_endpoint_is_of(const struct rh_zmq_endpoint *endpoint,
                            const struct rh_zmq_socket *socket)
{
    return !socket->is_closed && (endpoint->bound == socket ||
                                  (endpoint->bound && strncmp(endpoint->name, "ipc:", 4) == 0));
}

// Whether another thread may bind first, or take over the socket that is bound.
static bool is_open(const struct rh_zmq_endpoint *endpoint, const struct rh_zmq_socket *socket)
{
    return !endpoint->bound || (endpoint->context && endpoint->bound->owner == socket->owner);
}

int zmq_connect(void *object, const char *address)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, "zmq_connect");
    char name[RH_ZMQ_ENDPOINT_MOST], shown[RH_ZMQ_ENDPOINT_MOST];
    if (!socket || !is_alive(socket) || !rh__zmq_address_name(socket, address, false, name, shown))
        return -1;
    struct rh_zmq_endpoint *endpoint = get_endpoint(socket->context, name);
    rh__zmq_socket_rename(socket, address);
    if (is_open(endpoint, socket) && !rh__zmq_is_alone())
        rh__zmq_step("zmq_connect", socket->name);
    if (!is_alive(socket))
        return -1;
    bool has_seen_all = socket->in.seen == socket->in.active;
    connect_to(socket, endpoint, shown);
    if (has_seen_all)
        socket->in.seen = socket->in.active;
    tell_itself(endpoint, socket);
    return 0;
}

static void end_rest(struct rh_zmq_pipe *pipe)
{
    pipe->rests = false;
    rh__zmq_check(&pipe->endpoint->binds);
    if (!pipe->endpoint->bound)
        rh__zmq_monitor_delayed(pipe);
    rh__zmq_endpoint_wait(pipe);
}

static void apply_reconnect(struct rh_zmq_thread *to, void *object, void *content)
{
    struct rh_zmq_pipe *pipe = object;
    (void)to;
    (void)content;
    if (pipe->rests)
        end_rest(pipe);
}

// What a socket that does not linger has in the pipe is lost.
static void hurry(struct rh_zmq_pipe *pipe)
{
    if (pipe->socket->options[RH_ZMQ_OPTION_LINGER] != 0) {
        end_rest(pipe);
        return;
    }
    pipe->rests = false;
    *rh_vector_push(&pipe->endpoint->waiting) = pipe;
}

void rh__zmq_endpoint_hurry(const struct rh_zmq_endpoint *endpoint,
                            const struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < socket->pipes.count; i++) {
        struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        if (pipe->rests && (!endpoint || pipe->endpoint == endpoint))
            hurry(pipe);
    }
}

// The new pipe is there at once, and takes messages.
void rh__zmq_endpoint_reconnect(const struct rh_zmq_pipe *lost)
{
    struct rh_zmq_socket *socket = lost->socket;
    if (!lost->is_connecting || lost->endpoint->context || socket->is_closed ||
        !rh__zmq_socket_reconnects(socket))
        return;
    struct rh_zmq_pipe *pipe = rh__zmq_pipe_new(socket, lost->endpoint, lost->address);
    pipe->is_early = pipe->rests = true;
    rh__zmq_pipe_begin(pipe);
    rh__zmq_post_later(rh__zmq_deadline(socket->options[RH_ZMQ_OPTION_RECONNECT_IVL]),
                       &socket->owner, RH_ZMQ_CONNECT, socket->name,
                       (struct rh_zmq_parcel){apply_reconnect, pipe, NULL, NULL});
}

// Ends.

static void unbind(struct rh_zmq_endpoint *endpoint)
{
    struct rh_zmq_socket *socket = endpoint->bound;
    rh__zmq_touch(&endpoint->binds);
    rh__zmq_check(&endpoint->connects);
    endpoint->bound = NULL;
    endpoint->closed = rh__zmq_haste();
    for (size_t i = 0; i < socket->pipes.count; i++)
        if (socket->pipes.items[i]->endpoint == endpoint)
            check_haste(&socket->pipes.items[i]->peer->joined, endpoint);
    leave_port(endpoint, socket);
    if (!endpoint->context)
        rh__zmq_monitor_emit(socket, RH_ZMQ_EVENT_CLOSED, rh__zmq_monitor_descriptor(socket),
                             endpoint->shown);
}

void rh__zmq_endpoints_unbind(struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < own.endpoints.count; i++)
        if (own.endpoints.items[i]->bound == socket)
            unbind(own.endpoints.items[i]);
}

const char *rh__zmq_socket_lacks_peer(const struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < own.endpoints.count; i++) {
        const struct rh_zmq_endpoint *endpoint = own.endpoints.items[i];
        if (endpoint->bound == socket && !endpoint->context && !endpoint->was_connected)
            return endpoint->shown;
    }
    for (size_t i = 0; i < socket->pipes.count; i++) {
        const struct rh_zmq_pipe *pipe = socket->pipes.items[i];
        if (!pipe->endpoint->context && !pipe->endpoint->was_bound)
            return pipe->address;
    }
    return NULL;
}

void rh__zmq_endpoints_judge(void)
{
    for (size_t i = 0; i < own.endpoints.count; i++) {
        const struct rh_zmq_endpoint *endpoint = own.endpoints.items[i];
        for (size_t k = 0; k < endpoint->waiting.count; k++) {
            const struct rh_zmq_pipe *pipe = endpoint->waiting.items[k];
            struct rh_zmq_unread unread = {0};
            rh__zmq_unread_note_queue(&unread, pipe->peer);
            rh__zmq_unread_report(&unread, pipe->socket->owner, false, "nobody was bound to ",
                                  endpoint->name);
        }
    }
}

static void close_pipes(struct rh_zmq_socket *socket, const struct rh_zmq_endpoint *endpoint,
                        bool connecting)
{
    for (size_t i = socket->pipes.count; i > 0; i--) {
        struct rh_zmq_pipe *pipe = socket->pipes.items[i - 1];
        if (pipe->endpoint == endpoint && pipe->is_connecting == connecting)
            rh__zmq_pipe_close(pipe);
    }
}

// The endpoint that the socket is bound to, by an address as a program writes it; NULL with errno
// if there is none.
static struct rh_zmq_endpoint *find_bound(const struct rh_zmq_socket *socket, const char *address)
{
    char shown[RH_ZMQ_ENDPOINT_MOST];
    const char *rest = strstr(address, "://");
    bool is_known = rest && rest[3] &&
                    (!strncmp(address, "tcp:", 4) || !strncmp(address, "ipc:", 4) ||
                     !strncmp(address, "inproc:", 7));
    errno = is_known ? ENOENT : rest && rest[3] ? EPROTONOSUPPORT : EINVAL;
    if (!is_known)
        return NULL;
    rh__zmq_address_resolve(address, shown);
    for (size_t i = 0; i < own.endpoints.count; i++) {
        struct rh_zmq_endpoint *endpoint = own.endpoints.items[i];
        if (endpoint->bound == socket && strcmp(endpoint->shown, shown) == 0)
            return endpoint;
    }
    return NULL;
}

int zmq_unbind(void *object, const char *address)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, "zmq_unbind");
    if (!socket || !is_alive(socket))
        return -1;
    struct rh_zmq_endpoint *endpoint = find_bound(socket, address);
    if (!endpoint)
        return -1;
    rh__zmq_give_way("zmq_unbind", socket->name);
    rh__zmq_pipes_await(socket, "zmq_unbind");
    rh__zmq_pipes_leave(socket, endpoint, false, "zmq_unbind");
    unbind(endpoint);
    if (!endpoint->context)
        close_pipes(socket, endpoint, false);
    return 0;
}

static bool is_connected(const struct rh_zmq_socket *socket, const struct rh_zmq_endpoint *endpoint)
{
    for (size_t i = 0; i < socket->pipes.count; i++)
        if (socket->pipes.items[i]->endpoint == endpoint && socket->pipes.items[i]->is_connecting)
            return true;
    return false;
}

int zmq_disconnect(void *object, const char *address)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, "zmq_disconnect");
    char name[RH_ZMQ_ENDPOINT_MOST], shown[RH_ZMQ_ENDPOINT_MOST];
    if (!socket || !is_alive(socket))
        return -1;
    if (!rh__zmq_address_name(socket, address, false, name, shown)) {
        bool is_parsed = strncmp(address, "tcp://", 6) == 0 || strncmp(address, "ipc://", 6) == 0;
        errno = is_parsed && address[6] ? ENOENT : errno;
        return -1;
    }
    struct rh_zmq_endpoint *endpoint = get_endpoint(socket->context, name);
    if (!is_connected(socket, endpoint)) {
        errno = ENOENT;
        return -1;
    }
    rh__zmq_peers_use(socket, "zmq_disconnect");
    rh__zmq_pipes_leave(socket, endpoint, true, "zmq_disconnect");
    rh__zmq_linger_begin(socket, endpoint);
    close_pipes(socket, endpoint, true);
    return 0;
}
