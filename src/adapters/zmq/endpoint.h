// SPDX-License-Identifier: MIT
// Names under which sockets find each other. All transports are served inside the process: what is bound to a port or a
// path is known to all its contexts, and nobody else sees it.
#ifndef REHEARSE_ADAPTERS_ZMQ_ENDPOINT_H
#define REHEARSE_ADAPTERS_ZMQ_ENDPOINT_H

#include "adapters/zmq/socket.h"

struct rh_zmq_endpoint {
    char name[RH_ZMQ_ENDPOINT_MOST];
    char shown[RH_ZMQ_ENDPOINT_MOST];        // as who is bound has called it
    const struct rh_zmq_context *context;    // for inproc; otherwise NULL
    struct rh_zmq_socket *bound;             // NULL: none
    RH_VECTOR(struct rh_zmq_pipe *) waiting; // connected before somebody was bound
    struct rh_zmq_shared binds, connects;
    uint32_t connections[RH_ZMQ_THREADS_MOST]; // that each thread has made through it
    const struct rh_zmq_context
        *left_by;     // whose socket was bound to this port and is being closed; NULL: nobody's
    uint64_t left_at; // when that began
    bool is_awaited;  // its end is on its way
    struct rh_zmq_haste closed; // by who was bound
    bool has_lost; // what was on its way to who was bound, and may wait at its sender in ZeroMQ
};

size_t rh__zmq_endpoint_count(void);
struct rh_zmq_endpoint *rh__zmq_endpoint_get(size_t index);

#endif
