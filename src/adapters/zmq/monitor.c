// SPDX-License-Identifier: MIT
// Monitors of sockets. As in ZeroMQ, nothing that happens between threads of one process (inproc) is an event of theirs;
// what would be one, with other transports, is not served.
#include <errno.h>
#include <string.h>

#include "adapters/zmq/socket.h"

static bool is_inproc(const char *endpoint)
{
    return strncmp(endpoint, "inproc://", 9) == 0;
}

void rh__zmq_monitor_check(const struct rh_zmq_socket *socket, const char *endpoint)
{
    if (socket->monitor && !is_inproc(endpoint))
        rh__zmq_give_up("zmq_socket_monitor is not supported with %s, on a %s socket", endpoint,
                        rh__zmq_type_name(socket->type));
}

// The last event: a number and a value, and in another frame an address.
static void send_stopped(void *monitor)
{
    const uint16_t event = MONITOR_STOPPED;
    unsigned char frame[sizeof event + sizeof(uint32_t)] = {0};
    memcpy(frame, &event, sizeof event);
    if (zmq_send(monitor, frame, sizeof frame, FLAG_SNDMORE | FLAG_DONTWAIT) >= 0)
        zmq_send(monitor, "", 0, FLAG_DONTWAIT);
}

void rh__zmq_monitor_stop(struct rh_zmq_socket *socket)
{
    void *monitor = socket->monitor;
    if (!monitor)
        return;
    socket->monitor = NULL;
    if (socket->monitored & MONITOR_STOPPED)
        send_stopped(monitor);
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
    if (events >> 16 != 0 || !is_inproc(endpoint))
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
    socket->monitor = monitor;
    socket->monitored = events;
    if (socket->remote[0] != '\0')
        rh__zmq_monitor_check(socket, socket->remote);
    return 0;
}
