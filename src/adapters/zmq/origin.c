// SPDX-License-Identifier: MIT
// What a message says about its sender. Within a process it says nothing, as in ZeroMQ.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/zmq/socket.h"

// Whether sockets of this type tell their name when they connect, even if they have none.
static bool tells_id(enum rh_zmq_type type)
{
    return type == RH_ZMQ_REQ || type == RH_ZMQ_DEALER || type == RH_ZMQ_ROUTER;
}

// The sender's name, which ends at its first zero byte.
static const char *id_of(const struct rh_zmq_pipe *origin)
{
    static char name[RH_ZMQ_ID_MOST + 1];
    const struct rh_zmq_socket *socket = origin->socket;
    memcpy(name, socket->id, socket->id_size);
    name[socket->id_size] = '\0';
    return name;
}

static const char *address_of(const struct rh_zmq_pipe *origin)
{
    static char user[64];
    if (strncmp(origin->address, "tcp://", 6) == 0)
        return "127.0.0.1";
    snprintf(user, sizeof user, "localhost:%u:%u:%d", (unsigned)getuid(), (unsigned)getgid(),
             (int)getpid());
    return user;
}

const char *zmq_msg_gets(const union rh_zmq_msg *message, const char *property)
{
    const struct rh_zmq_pipe *origin = message->mark == RH_ZMQ_MARK ? message->origin : NULL;
    if (origin && strcmp(property, "Socket-Type") == 0)
        return rh__zmq_type_name(origin->socket->type);
    if (origin && strcmp(property, "Identity") == 0 && tells_id(origin->socket->type))
        return id_of(origin);
    if (origin && strcmp(property, "Peer-Address") == 0)
        return address_of(origin);
    errno = EINVAL;
    return NULL;
}
