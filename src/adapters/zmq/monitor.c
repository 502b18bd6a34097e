// SPDX-License-Identifier: MIT
// Monitors of sockets: what happens to a socket's connections is sent to a PAIR. As in ZeroMQ,
// nothing that happens between threads of one process (inproc) is such an event. Where nobody is
// bound, ZeroMQ tries again and again; here one attempt stands for all.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "adapters/zmq/socket.h"

enum { FIRST_DESCRIPTOR = 1000 };

static bool is_tcp(const char *address)
{
    return strncmp(address, "tcp://", 6) == 0;
}

static const char *name_of(enum rh_zmq_monitor_event event)
{
    switch (event) {
#define X(name, number)                                                                            \
    case RH_ZMQ_EVENT_##name:                                                                      \
        return #name;
        RH_ZMQ_MONITOR_EVENTS(X)
#undef X
    }
    return "";
}

int32_t rh__zmq_monitor_descriptor(const struct rh_zmq_socket *socket)
{
    return FIRST_DESCRIPTOR + (int32_t)socket->number;
}

// An event is a frame with its number and a value, and a frame with an address.
static struct rh_zmq_mail *make_event(enum rh_zmq_monitor_event event, int32_t value,
                                      const char *address)
{
    const uint16_t number = (uint16_t)event;
    unsigned char frame[sizeof number + sizeof value];
    memcpy(frame, &number, sizeof number);
    memcpy(frame + sizeof number, &value, sizeof value);
    struct rh_zmq_mail *mail = rh__zmq_mail_new();
    mail->event = name_of(event);
    rh__zmq_mail_add(mail, rh__zmq_content_new(frame, sizeof frame));
    rh__zmq_mail_add(mail, rh__zmq_content_new(address, strlen(address)));
    return mail;
}

void rh__zmq_monitor_emit(struct rh_zmq_socket *socket, enum rh_zmq_monitor_event event,
                          int32_t value, const char *address)
{
    struct rh_zmq_socket *monitor = socket->monitor;
    if (!monitor || !(socket->monitored & (int)event))
        return;
    struct rh_zmq_mail *mail = make_event(event, value, address);
    if (monitor->pipes.count > 0)
        rh__zmq_pipe_write(monitor->pipes.items[0], mail);
    else
        *rh_vector_push(&monitor->events) = mail;
}

void rh__zmq_monitor_flush(struct rh_zmq_pipe *pipe)
{
    struct rh_zmq_socket *monitor = pipe->socket;
    for (size_t i = 0; i < monitor->events.count; i++)
        rh__zmq_pipe_write(pipe, monitor->events.items[i]);
    monitor->events.count = 0;
}

static bool is_read(const void *context)
{
    const struct rh_zmq_socket *monitor = context;
    return monitor->events.count == 0 || monitor->is_stopped;
}

void rh__zmq_monitor_await(const struct rh_zmq_socket *socket, const char *call)
{
    if (!socket->monitor || is_read(socket->monitor))
        return;
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = socket->monitor->name,
                                     .is_over = is_read,
                                     .context = socket->monitor,
                                     .deadline = RH_ZMQ_NEVER};
    rh__zmq_wait(&wait);
}

// What happens.

static void emit(const struct rh_zmq_pipe *pipe, enum rh_zmq_monitor_event event, int32_t value)
{
    rh__zmq_monitor_emit(pipe->socket, event, value, pipe->address);
}

static void begin_attempt(const struct rh_zmq_pipe *pipe)
{
    if (is_tcp(pipe->address))
        emit(pipe, RH_ZMQ_EVENT_CONNECT_DELAYED, EINPROGRESS);
}

static void try_again(const struct rh_zmq_pipe *pipe)
{
    if (rh__zmq_socket_reconnects(pipe->socket))
        emit(pipe, RH_ZMQ_EVENT_CONNECT_RETRIED,
             pipe->socket->options[RH_ZMQ_OPTION_RECONNECT_IVL]);
}

void rh__zmq_monitor_connected(const struct rh_zmq_pipe *pipe)
{
    begin_attempt(pipe);
    emit(pipe, RH_ZMQ_EVENT_CONNECTED, rh__zmq_monitor_descriptor(pipe->socket));
    emit(pipe, RH_ZMQ_EVENT_HANDSHAKE_SUCCEEDED, 0);
}

void rh__zmq_monitor_delayed(const struct rh_zmq_pipe *pipe)
{
    begin_attempt(pipe);
    emit(pipe, RH_ZMQ_EVENT_CLOSED, rh__zmq_monitor_descriptor(pipe->socket));
    try_again(pipe);
}

void rh__zmq_monitor_accepted(const struct rh_zmq_pipe *pipe)
{
    emit(pipe, RH_ZMQ_EVENT_ACCEPTED, rh__zmq_monitor_descriptor(pipe->socket));
    emit(pipe, RH_ZMQ_EVENT_HANDSHAKE_SUCCEEDED, 0);
}

void rh__zmq_monitor_disconnected(const struct rh_zmq_pipe *pipe)
{
    emit(pipe, RH_ZMQ_EVENT_DISCONNECTED, rh__zmq_monitor_descriptor(pipe->socket));
    if (pipe->is_connecting)
        try_again(pipe);
}

// Beginning and end.

void rh__zmq_monitor_stop(struct rh_zmq_socket *socket)
{
    struct rh_zmq_socket *monitor = socket->monitor;
    if (!monitor)
        return;
    // A peer that has just connected is to hear of the end.
    if (monitor->pipes.count == 0)
        rh__zmq_step("zmq_socket_monitor", monitor->name);
    rh__zmq_monitor_emit(socket, RH_ZMQ_EVENT_MONITOR_STOPPED, 0, "");
    socket->monitor = NULL;
    zmq_close(monitor);
}

static int fail(int error)
{
    errno = error;
    return -1;
}

int zmq_socket_monitor(void *object, const char *endpoint, int events)
{
    struct rh_zmq_socket *socket = rh__zmq_socket_use(object, __func__);
    const int none = 0;
    if (!socket)
        return -1;
    rh__zmq_monitor_stop(socket);
    if (!endpoint)
        return 0;
    bool is_inproc = strncmp(endpoint, "inproc://", 9) == 0;
    if (events >> 16 != 0 || !is_inproc)
        return fail(events >> 16 != 0 ? EINVAL : EPROTONOSUPPORT);
    void *monitor = zmq_socket(socket->context, RH_ZMQ_PAIR);
    if (!monitor)
        return -1;
    zmq_setsockopt(monitor, RH_ZMQ_OPTION_LINGER, &none, sizeof none);
    if (zmq_bind(monitor, endpoint) != 0) {
        int error = errno;
        zmq_close(monitor);
        return fail(error);
    }
    rh__zmq_note(&socket->watched);
    socket->monitor = monitor;
    socket->monitored = events;
    return 0;
}
