// SPDX-License-Identifier: MIT
// Names under which sockets find each other. All transports are served inside the process: all
// contexts of the process know what is bound to a port or a path, and nobody else sees it.
#ifndef REHEARSE_ADAPTERS_ZMQ_ENDPOINT_H
#define REHEARSE_ADAPTERS_ZMQ_ENDPOINT_H

#include "adapters/zmq/socket.h"

struct rh_zmq_endpoint {
    char name[RH_ZMQ_ENDPOINT_MOST];
    char shown[RH_ZMQ_ENDPOINT_MOST];        // the address as the socket that is bound has given it
    const struct rh_zmq_context *context;    // the context of an inproc endpoint; otherwise NULL
    struct rh_zmq_socket *bound;             // the socket that is bound; NULL: none
    bool was_bound, was_connected;           // whether a socket ever was
    RH_VECTOR(struct rh_zmq_pipe *) waiting; // pipes that were connected while nobody was bound
    // Used when a socket is bound or unbound, and when a socket connects.
    struct rh_zmq_shared binds, connects;
    // How many connections each thread has made through the endpoint.
    uint32_t connections[RH_ZMQ_THREADS_MOST];
    // Context of a socket that was bound to this port and is being closed; NULL: none.
    const struct rh_zmq_context *left_by;
    uint64_t left_at;           // when the socket of `left_by` was closed
    bool is_awaited;            // whether the message that frees the port is on its way
    struct rh_zmq_haste closed; // when the endpoint was unbound
    // Whether messages to the socket that was bound were lost, which in ZeroMQ may wait at their
    // sender.
    bool has_lost;
};

// address.c
// Makes the name that the endpoint of an address is known by, and the one that is shown. Gives
// false with errno if there is no such transport or address.
bool rh__zmq_address_name(const struct rh_zmq_socket *socket, const char *address, bool binds,
                          char *name, char *shown);
// Makes the name that would be shown if a socket were bound to the address.
void rh__zmq_address_resolve(const char *address, char *shown);

size_t rh__zmq_endpoint_count(void);
struct rh_zmq_endpoint *rh__zmq_endpoint_get(size_t index);

#endif
