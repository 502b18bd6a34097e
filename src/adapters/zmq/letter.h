// SPDX-License-Identifier: MIT
// What the files of pipes have in common: letter.c has what is on its way to a pipe, connection.c
// how connections come about, departure.c how they end, pipe.c the messages and subscriptions that
// go through them.
#ifndef REHEARSE_ADAPTERS_ZMQ_LETTER_H
#define REHEARSE_ADAPTERS_ZMQ_LETTER_H

#include "adapters/zmq/socket.h"

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

// Whether the connection goes over tcp or ipc.
static inline bool rh__zmq_pipe_is_remote(const struct rh_zmq_pipe *pipe)
{
    return rh__zmq_endpoint_is_remote(pipe->endpoint);
}

// Whether sockets of this type write to one of their peers at a time, in turn.
static inline bool rh__zmq_is_balancing(enum rh_zmq_type type)
{
    return type == RH_ZMQ_PUSH || type == RH_ZMQ_DEALER || type == RH_ZMQ_REQ;
}

// letter.c
// Hands something over to a pipe: at once if the acting thread has the pipe's socket, and the pipe
// is not remote.
void rh__zmq_hand_over(struct rh_zmq_pipe *pipe, enum rh_zmq_event event, const char *text,
                       void (*apply)(struct rh_zmq_pipe *pipe, void *content), void *content);
// How many messages are on their way to the remote pipe.
uint64_t rh__zmq_count_flying(const struct rh_zmq_pipe *pipe);
// Takes back all letters that are on their way to the pipe: a message waits where it will be read,
// and a subscription will be told again.
void rh__zmq_take_all_back(struct rh_zmq_pipe *pipe);
// Of the letters that are still on their way to the pipe ZeroMQ sends all, or the first few: those
// that its own threads have taken over by now.
void rh__zmq_cut_off(const struct rh_zmq_pipe *pipe);

// What letters do: a message arrives; a SUB tells its peer a topic; the peer has gone.
void rh__zmq_apply_arrival(struct rh_zmq_pipe *pipe, void *content);
void rh__zmq_apply_topic(struct rh_zmq_pipe *pipe, void *content);
void rh__zmq_apply_disconnect(struct rh_zmq_pipe *pipe, void *content);

// connection.c: the socket of this end knows the pipe from now on, unless it refuses the pipe.
void rh__zmq_pipe_attach(struct rh_zmq_pipe *pipe);

// departure.c
// The socket of this end does not write to the pipe any more.
void rh__zmq_pipe_detach(struct rh_zmq_pipe *pipe);
// Tells the other side that this side has gone. Within a process a PULL or a SUB need not know.
void rh__zmq_pipe_tell_leaving(struct rh_zmq_pipe *pipe);

#endif
