// SPDX-License-Identifier: MIT
// Contexts and sockets: making them, their options, closing and terminating.
#include "adapters/zmq/socket.h"
#include "adapters/zmq/director.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/zmq/outside.h"

#define CONTEXT_MARK UINT32_C(0xc0de21c7)
#define SOCKET_MARK UINT32_C(0xc0de2150)

static struct {
    RH_VECTOR(struct rh_zmq_socket *) sockets; // all that ever were, also closed ones
    unsigned used_contexts;                    // how many contexts are used and not terminated
} own;

const char *rh__zmq_type_name(enum rh_zmq_type type)
{
#define X(name) #name,
    static const char *const names[] = {RH_ZMQ_TYPES(X)};
#undef X
    return names[type];
}

const char *rh__zmq_socket_type(const void *object)
{
    const struct rh_zmq_socket *socket = object;
    return socket && socket->mark == SOCKET_MARK ? rh__zmq_type_name(socket->type) : NULL;
}

bool rh__zmq_socket_conflates(const struct rh_zmq_socket *socket)
{
    switch (socket->type) {
    case RH_ZMQ_PUSH:
    case RH_ZMQ_PULL:
    case RH_ZMQ_PUB:
    case RH_ZMQ_SUB:
    case RH_ZMQ_DEALER:
        return socket->options[RH_ZMQ_OPTION_CONFLATE];
    default:
        return false;
    }
}

bool rh__zmq_can_write(enum rh_zmq_type type)
{
    return type != RH_ZMQ_SUB && type != RH_ZMQ_PULL;
}

bool rh__zmq_can_read(enum rh_zmq_type type)
{
    return type != RH_ZMQ_PUB && type != RH_ZMQ_PUSH;
}

// Contexts.

static struct rh_zmq_context *get_context(void *object)
{
    struct rh_zmq_context *context = object;
    if (context && context->mark == CONTEXT_MARK)
        return context;
    errno = EFAULT;
    return NULL;
}

void *zmq_ctx_new(void)
{
    struct rh_zmq_context *context = rh_alloc(sizeof *context);
    *context = (struct rh_zmq_context){.mark = CONTEXT_MARK, .owner = rh__zmq_caller(__func__)};
    context->options[CONTEXT_IO_THREADS] = 1;
    context->options[CONTEXT_MAX_SOCKETS] = 1023;
    context->options[CONTEXT_SOCKET_LIMIT] = 65535;
    context->options[CONTEXT_MSG_T_SIZE] = sizeof(union rh_zmq_msg);
    context->options[CONTEXT_BLOCKY] = 1;
    context->options[CONTEXT_MAX_MSGSZ] = INT_MAX;
    return context;
}

void *zmq_init(int io_threads)
{
    if (io_threads >= 0)
        return zmq_ctx_new();
    errno = EINVAL;
    return NULL;
}

int zmq_ctx_set(void *object, int option, int value)
{
    struct rh_zmq_context *context = get_context(object);
    bool is_known = option > 0 && option < CONTEXT_OPTIONS && option != CONTEXT_SOCKET_LIMIT &&
                    option != CONTEXT_MSG_T_SIZE && value >= 0;
    if (context && !is_known)
        errno = EINVAL;
    if (!context || !is_known)
        return -1;
    context->options[option] = value;
    return 0;
}

int zmq_ctx_get(void *object, int option)
{
    struct rh_zmq_context *context = get_context(object);
    if (context && option > 0 && option < CONTEXT_OPTIONS)
        return context->options[option];
    if (context)
        errno = EINVAL;
    return -1;
}

static void end_sockets(const struct rh_zmq_context *context, const struct rh_zmq_thread *owner)
{
    for (size_t i = 0; i < own.sockets.count; i++)
        if (own.sockets.items[i]->context == context && own.sockets.items[i]->owner == owner) {
            own.sockets.items[i]->is_stopped = true;
            rh__zmq_descriptor_signal(own.sockets.items[i]);
        }
}

// In ZeroMQ a thread that waits may see the end together with what has ended its wait, if that was
// sent before the end, and the end did not wait for the thread to go on.
static void doubt_woken(const struct rh_zmq_context *context, const struct rh_zmq_thread *thread)
{
    if (thread->woken.delivery > context->known.at[thread->number] &&
        thread->woken.sent <= context->past.at[thread->woken.by])
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_ENDED, thread->name);
}

// Calls that another thread has made since it has sent what has led here could have seen the end.
static void doubt_calls(void)
{
    const struct rh_zmq_thread *thread = rh__zmq_find_hasty();
    if (thread)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_ENDED, thread->name);
}

// The end could have come between two calls that the thread has made in one delivery, in no order
// with it.
static void doubt_between(const struct rh_zmq_context *context, const struct rh_zmq_thread *thread)
{
    const struct rh_zmq_between *between = &thread->between;
    if (between->delivery > context->known.at[thread->number] &&
        (!between->context || between->context == context))
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_ENDED, thread->name);
}

static void doubt_others(const struct rh_zmq_context *context)
{
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (&rh__zmq_engine.threads[i] != rh__zmq_self())
            doubt_between(context, &rh__zmq_engine.threads[i]);
}

static void apply_end(struct rh_zmq_thread *to, void *object, void *content)
{
    (void)content;
    doubt_woken(object, to);
    doubt_between(object, to);
    end_sockets(object, to);
}

static bool has_socket(const struct rh_zmq_context *context, const struct rh_zmq_thread *owner,
                       size_t end)
{
    for (size_t i = 0; i < end; i++) {
        const struct rh_zmq_socket *socket = own.sockets.items[i];
        if (socket->context == context && socket->owner == owner && !socket->is_closed)
            return true;
    }
    return false;
}

// Tells each thread that has sockets of the context, once.
static void tell_end(struct rh_zmq_context *context)
{
    for (size_t i = 0; i < own.sockets.count; i++) {
        const struct rh_zmq_socket *socket = own.sockets.items[i];
        if (socket->context == context && !socket->is_closed && socket->owner != rh__zmq_self() &&
            !has_socket(context, socket->owner, i))
            rh__zmq_post_at_once(rh__zmq_self(), socket->owner, RH_ZMQ_TERMINATE, "",
                                 (struct rh_zmq_parcel){apply_end, context, NULL, NULL});
    }
    end_sockets(context, rh__zmq_self());
}

static void begin_end(struct rh_zmq_context *context, const char *call)
{
    if (context->is_ending)
        return;
    rh__zmq_give_way(call, "");
    if (context->is_ending)
        return;
    rh__zmq_check(&context->made);
    rh__zmq_check(&context->closed);
    rh__zmq_note(&context->ended);
    context->is_ending = true;
    context->known = rh__zmq_self()->clock;
    context->past = rh__zmq_self()->past;
    doubt_calls();
    doubt_others(context);
    tell_end(context);
}

int zmq_ctx_shutdown(void *object)
{
    struct rh_zmq_context *context = get_context(object);
    if (!context)
        return -1;
    begin_end(context, "zmq_ctx_shutdown");
    return 0;
}

static bool is_empty(const void *object)
{
    const struct rh_zmq_context *context = object;
    return context->sockets == 0 && rh__zmq_linger_until(context) == 0;
}

// Waits until all sockets are closed, and what they have sent has gone or need not go any more.
static void await_end(const struct rh_zmq_context *context)
{
    while (!is_empty(context)) {
        uint64_t lingers_until = rh__zmq_linger_until(context);
        const struct rh_zmq_wait wait = {
            .call = "zmq_ctx_term",
            .object = context->sockets > 0 ? "sockets that are not closed"
                                           : "messages to where nobody is bound",
            .is_over = is_empty,
            .context = context,
            .deadline = lingers_until > 0 ? lingers_until : RH_ZMQ_NEVER};
        rh__zmq_wait(&wait);
    }
}

int zmq_ctx_term(void *object)
{
    struct rh_zmq_context *context = get_context(object);
    if (!context)
        return -1;
    context->owner = rh__zmq_caller(__func__);
    begin_end(context, __func__);
    await_end(context);
    rh__zmq_endpoints_leave(context);
    own.used_contexts -= context->is_used;
    context->mark = 0;
    return 0;
}

bool rh__zmq_contexts_are_used(void)
{
    return own.used_contexts > 0;
}

int zmq_term(void *context)
{
    return zmq_ctx_term(context);
}

int zmq_ctx_destroy(void *context)
{
    return zmq_ctx_term(context);
}

// Sockets.

// The threads that have sockets are told that a context is being terminated: the thread that had
// this socket may have been told, or may still be.
static void take_over(struct rh_zmq_socket *socket, struct rh_zmq_thread *thread)
{
    rh__zmq_check(&socket->used);
    rh__zmq_check(&socket->taken);
    rh__zmq_note(&socket->taken);
    rh__zmq_note(&socket->context->made);
    rh__zmq_check(&socket->context->ended);
    socket->owner = thread;
    socket->is_stopped |= socket->context->is_ending;
}

struct rh_zmq_socket *rh__zmq_socket_use(void *object, const char *call)
{
    struct rh_zmq_socket *socket = object;
    struct rh_zmq_thread *caller = rh__zmq_caller(call);
    if (!socket || socket->mark != SOCKET_MARK || socket->is_closed) {
        errno = ENOTSOCK;
        return NULL;
    }
    rh__zmq_call_begin(caller, socket->context);
    if (socket->owner != caller)
        take_over(socket, caller);
    rh__zmq_note(&socket->used);
    if (socket->monitor && socket->monitor->owner != caller)
        rh__zmq_socket_use(socket->monitor, call);
    socket->has_news = false;
    if (socket->is_ended) {
        rh__zmq_call_forget(caller);
        errno = ETERM;
        return NULL;
    }
    return socket;
}

static void set_defaults(struct rh_zmq_socket *socket)
{
#define X(number, name, value, matters) socket->options[number] = value;
    RH_ZMQ_OPTIONS(X)
#undef X
    if (!socket->context->options[CONTEXT_BLOCKY])
        socket->options[RH_ZMQ_OPTION_LINGER] = 0;
    int most = socket->context->options[CONTEXT_MAX_MSGSZ];
    socket->frame_most = most == INT_MAX ? -1 : most;
}

void *zmq_socket(void *object, int type)
{
    struct rh_zmq_context *context = get_context(object);
    if (!context)
        return NULL;
    if (type >= RH_ZMQ_TYPE_COUNT)
        rh__zmq_give_up("zmq_socket: sockets of type %d (STREAM, or a draft) are not supported",
                        type);
    rh__zmq_call_begin(rh__zmq_caller("zmq_socket"), context);
    rh__zmq_note(&context->made);
    rh__zmq_check(&context->ended);
    if (type < 0 || context->is_ending) {
        errno = context->is_ending ? ETERM : EINVAL;
        return NULL;
    }
    struct rh_zmq_socket *socket = rh_alloc(sizeof *socket);
    *socket = (struct rh_zmq_socket){.mark = SOCKET_MARK,
                                     .context = context,
                                     .type = (enum rh_zmq_type)type,
                                     .number = (uint32_t)own.sockets.count + 1,
                                     .owner = rh__zmq_self()};
    snprintf(socket->name, sizeof socket->name, "%s", rh__zmq_type_name(socket->type));
    set_defaults(socket);
    own.used_contexts += !context->is_used;
    context->is_used = true;
    context->sockets++;
    *rh_vector_push(&own.sockets) = socket;
    return socket;
}

// A thread that waits for the context's end looks what there is left to wait for.
static void apply_closed(struct rh_zmq_thread *to, void *object, void *content)
{
    (void)content;
    if (to->wait && to->wait->context == object)
        rh__zmq_wake(to);
}

void rh__zmq_context_note(struct rh_zmq_context *context, const char *name)
{
    rh__zmq_check(&context->ended);
    rh__zmq_note(&context->closed);
    if (context->is_ending && context->owner != rh__zmq_acting())
        rh__zmq_post_from(rh__zmq_acting(), context->owner, RH_ZMQ_CLOSED, name,
                          (struct rh_zmq_parcel){apply_closed, context, NULL, NULL});
}

static void note_unread(const struct rh_zmq_socket *socket, struct rh_zmq_unread *unread)
{
    if (socket->incoming && !socket->has_read)
        rh__zmq_unread_note(unread, socket->incoming);
    for (size_t i = 0; i < socket->in.pipes.count; i++)
        rh__zmq_unread_note_queue(unread, socket->in.pipes.items[i]);
}

void rh__zmq_sockets_judge(void)
{
    for (size_t i = 0; i < own.sockets.count; i++) {
        const struct rh_zmq_socket *socket = own.sockets.items[i];
        struct rh_zmq_unread unread = socket->unread;
        if (!socket->is_closed)
            note_unread(socket, &unread);
        rh__zmq_unread_report(&unread, socket->owner, socket->is_closed, socket->name,
                              socket->is_closed ? " was closed" : " has it to the end");
        rh__zmq_unread_report(&socket->dropped, socket->owner, true, socket->name,
                              " was closed, and lingers no longer (ZMQ_LINGER)");
    }
    rh__zmq_endpoints_judge();
}

int zmq_close(void *object)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, "zmq_close");
    if (!socket && errno == ENOTSOCK)
        return -1;
    if (socket)
        rh__zmq_call_forget(rh__zmq_self());
    socket = object;
    if (socket->context->is_ending && !socket->is_ended)
        doubt_between(socket->context, rh__zmq_self());
    if (socket->has_lost && socket->options[RH_ZMQ_OPTION_LINGER] != 0)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_KEPT, socket->name);
    // With peers, closing is no event of its own: it would come behind what peers do because of
    // something that was sent before it.
    if (socket->is_bound && socket->pipes.count == 0)
        rh__zmq_give_way("zmq_close", socket->name);
    rh__zmq_peers_use(socket, "zmq_close");
    rh__zmq_pipes_await(socket, "zmq_close");
    rh__zmq_pipes_leave(socket, NULL, false, "zmq_close");
    rh__zmq_endpoints_unbind(socket);
    rh__zmq_monitor_stop(socket);
    note_unread(socket, &socket->unread);
    rh__zmq_linger_begin(socket, NULL);
    socket->is_closed = true;
    while (socket->pipes.count > 0)
        rh__zmq_pipe_close(socket->pipes.items[socket->pipes.count - 1]);
    rh__zmq_descriptor_close(socket);
    socket->context->sockets--;
    rh__zmq_context_note(socket->context, socket->name);
    return 0;
}

// Options.

static const char *option_name(int option, bool *matters)
{
    switch (option) {
#define X(number, name, value, is_needed)                                                          \
    case number:                                                                                   \
        *matters = is_needed;                                                                      \
        return #name;
        RH_ZMQ_OPTIONS(X)
#undef X
    default:
        *matters = true;
        return NULL;
    }
}

static int refuse(int error)
{
    errno = error;
    return -1;
}

// The option can't be set, or asked for: ends the search, unless ZeroMQ has no such option either.
static int refuse_option(const struct rh_zmq_socket *socket, int option, const char *call)
{
#define X(number, name) [number] = #name,
    static const char *const names[OPTION_COUNT] = {RH_ZMQ_OTHER_OPTIONS(X)};
#undef X
    if (option > 0 && option < OPTION_COUNT && names[option])
        rh__zmq_give_up("%s: ZMQ_%s is not supported, on a %s socket", call, names[option],
                        rh__zmq_type_name(socket->type));
    return refuse(EINVAL);
}

static int set_number(struct rh_zmq_socket *socket, int option, const void *value, size_t size)
{
    bool matters;
    const char *name = option_name(option, &matters);
    if (!name)
        return refuse_option(socket, option, "zmq_setsockopt");
    if (size != sizeof(int))
        return refuse(EINVAL);
    int number;
    memcpy(&number, value, sizeof number);
    if (matters && number != socket->options[option])
        rh__zmq_give_up("zmq_setsockopt: ZMQ_%s is not supported, on a %s socket", name,
                        rh__zmq_type_name(socket->type));
    bool is_limit = option == RH_ZMQ_OPTION_SNDHWM || option == RH_ZMQ_OPTION_RCVHWM;
    bool is_timeout = option == RH_ZMQ_OPTION_RCVTIMEO || option == RH_ZMQ_OPTION_SNDTIMEO ||
                      option == RH_ZMQ_OPTION_LINGER;
    if ((is_limit && number < 0) || (is_timeout && number < -1))
        return refuse(EINVAL);
    socket->options[option] = number;
    return 0;
}

static int set_id(struct rh_zmq_socket *socket, const void *value, size_t size)
{
    if (size == 0 || size > RH_ZMQ_ID_MOST || *(const char *)value == '\0')
        return refuse(EINVAL);
    memcpy(socket->id, value, size);
    socket->id_size = size;
    return 0;
}

// Only a ROUTER has names for the peers that it connects to.
static int set_next_peer(struct rh_zmq_socket *socket, const void *value, size_t size)
{
    if (socket->type != RH_ZMQ_ROUTER || size == 0 || size > RH_ZMQ_ID_MOST)
        return refuse(EINVAL);
    memcpy(socket->next_peer, value, size);
    socket->next_peer_size = size;
    return 0;
}

int zmq_setsockopt(void *object, int option, const void *value, size_t size)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, "zmq_setsockopt");
    if (!socket)
        return -1;
    switch (option) {
    case OPTION_SUBSCRIBE:
    case OPTION_UNSUBSCRIBE:
        if (socket->type != RH_ZMQ_SUB)
            return refuse(EINVAL);
        rh__zmq_peers_use(socket, "zmq_setsockopt");
        rh__zmq_socket_subscribe(socket, value, size, option == OPTION_SUBSCRIBE);
        return 0;
    case OPTION_ROUTING_ID:
        return set_id(socket, value, size);
    case OPTION_CONNECT_ROUTING_ID:
        return set_next_peer(socket, value, size);
    case OPTION_AFFINITY:
        return size == sizeof(int64_t) ? 0 : refuse(EINVAL);
    case OPTION_MAXMSGSIZE:
        if (size != sizeof socket->frame_most)
            return refuse(EINVAL);
        memcpy(&socket->frame_most, value, size);
        return 0;
    case OPTION_ZAP_DOMAIN:
        if (size > 0)
            rh__zmq_give_up("zmq_setsockopt: ZMQ_ZAP_DOMAIN is not supported, on a %s socket",
                            rh__zmq_type_name(socket->type));
        return 0;
    default:
        return set_number(socket, option, value, size);
    }
}

static int give_bytes(const void *bytes, size_t length, void *value, size_t *size)
{
    if (*size < length)
        return refuse(EINVAL);
    memcpy(value, bytes, length);
    *size = length;
    return 0;
}

static int give_number(int number, void *value, size_t *size)
{
    return give_bytes(&number, sizeof number, value, size);
}

int zmq_getsockopt(void *object, int option, void *value, size_t *size)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, "zmq_getsockopt");
    static const int64_t every = 0;
    bool matters;
    int events;
    if (!socket)
        return -1;
    switch (option) {
    case OPTION_TYPE:
        return give_number((int)socket->type, value, size);
    case OPTION_RCVMORE:
        return give_number(socket->has_read && socket->incoming, value, size);
    case OPTION_EVENTS:
        rh__zmq_step("zmq_getsockopt ZMQ_EVENTS", socket->name);
        events = rh__zmq_events(socket);
        return socket->is_ended ? refuse(ETERM) : give_number(events, value, size);
    case OPTION_FD:
        return give_number(rh__zmq_descriptor_get(socket), value, size);
    case OPTION_LAST_ENDPOINT:
        return give_bytes(socket->endpoint, strlen(socket->endpoint) + 1, value, size);
    case OPTION_ROUTING_ID:
        return give_bytes(socket->id, socket->id_size, value, size);
    case OPTION_AFFINITY:
        return give_bytes(&every, sizeof every, value, size);
    case OPTION_MAXMSGSIZE:
        return give_bytes(&socket->frame_most, sizeof socket->frame_most, value, size);
    case OPTION_THREAD_SAFE:
        return give_number(0, value, size);
    case OPTION_ZAP_DOMAIN:
        return give_bytes("", 1, value, size);
    default:
        if (!option_name(option, &matters))
            return refuse_option(socket, option, "zmq_getsockopt");
        return give_number(socket->options[option], value, size);
    }
}
