// SPDX-License-Identifier: MIT
// Functions of ZeroMQ that this version does not have: each ends the search with its name, and the
// type of the socket that it was called for.
#include "adapters/zmq/socket.h"

static _Noreturn void refuse(const char *call, const void *socket)
{
    const char *type = rh__zmq_socket_type(socket);
    rh__zmq_caller(call);
    rh__zmq_give_up("%s is not supported%s%s%s", call, type ? ", on a " : "", type ? type : "",
                    type ? " socket" : "");
}

// ON_SOCKET: the first argument is a socket. PLAIN: no argument is looked at.
#define ON_SOCKET(name)                                                                            \
    int name(void *socket);                                                                        \
    int name(void *socket)                                                                         \
    {                                                                                              \
        refuse(#name, socket);                                                                     \
    }
#define PLAIN(name)                                                                                \
    int name(void);                                                                                \
    int name(void)                                                                                 \
    {                                                                                              \
        refuse(#name, NULL);                                                                       \
    }

ON_SOCKET(zmq_socket_monitor_versioned)
ON_SOCKET(zmq_socket_monitor_pipes_stats)
ON_SOCKET(zmq_socket_get_peer_state)
ON_SOCKET(zmq_join)
ON_SOCKET(zmq_leave)
ON_SOCKET(zmq_connect_peer)
PLAIN(zmq_curve_keypair)
PLAIN(zmq_curve_public)
PLAIN(zmq_ctx_set_ext)
PLAIN(zmq_ctx_get_ext)
PLAIN(zmq_msg_set_routing_id)
PLAIN(zmq_msg_routing_id)
PLAIN(zmq_msg_set_group)
PLAIN(zmq_msg_group)
PLAIN(zmq_poller_fd)
PLAIN(zmq_ppoll)
