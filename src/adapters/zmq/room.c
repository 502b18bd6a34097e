// SPDX-License-Identifier: MIT
// High-water marks: whether a pipe has room for one more message.
//
// Within a process the two marks add up, and what counts is how many messages the other end has
// read. Between processes there is a network in between. ZeroMQ's own threads take messages from
// the sender's queue, which is as long as the sender's mark, and put them into the network as long
// as that has room: nobody waits before the receiver's queue and the network are full. How much a
// network holds is not known: from NETWORK_BYTES on that is said, from NETWORK_BYTES_MOST on there
// is no room. Whether the sender's queue is full depends on how fast these threads are. Where that
// makes a difference it is taken for not full, and that is said.
#include "adapters/zmq/letter.h"
#include "adapters/zmq/outside.h"

enum { NETWORK_BYTES = 64 << 10, NETWORK_BYTES_MOST = 16 << 20 };

// The sender's high-water mark; 0: no limit.
static uint64_t mark_of(const struct rh_zmq_pipe *pipe)
{
    const struct rh_zmq_socket *other = pipe->peer->socket;
    bool conflates =
        rh__zmq_socket_conflates(pipe->socket) || (other && rh__zmq_socket_conflates(other));
    return conflates ? 0 : (uint64_t)pipe->socket->options[RH_ZMQ_OPTION_SNDHWM];
}

static uint64_t receiving_mark_of(const struct rh_zmq_pipe *pipe)
{
    return (uint64_t)pipe->peer->socket->options[RH_ZMQ_OPTION_RCVHWM];
}

uint64_t rh__zmq_pipe_limit(const struct rh_zmq_pipe *pipe)
{
    uint64_t here = mark_of(pipe);
    if (!pipe->peer->socket)
        return here;
    uint64_t there = receiving_mark_of(pipe);
    return here == 0 || there == 0 ? 0 : here + there;
}

// From the limit on, the answer depends on what the other thread has done.
static void tie_ends(const struct rh_zmq_pipe *pipe)
{
    if (pipe->peer->socket)
        rh__zmq_tie(pipe->socket->owner, pipe->peer->socket->owner);
}

static bool queue_has_room(const struct rh_zmq_pipe *pipe)
{
    uint64_t limit = rh__zmq_pipe_limit(pipe);
    if (limit > 0 && pipe->written >= limit)
        tie_ends(pipe);
    return limit == 0 || pipe->written - pipe->taken < limit;
}

// About how many bytes of what was written here find no room if queues take so many messages.
static uint64_t count_overflow(const struct rh_zmq_pipe *pipe, uint64_t queued)
{
    const struct rh_zmq_pipe *peer = pipe->peer;
    uint64_t unread = pipe->written - peer->read;
    if (unread <= queued)
        return 0;
    return (pipe->written_bytes - peer->read_bytes) / unread * (unread - queued);
}

// Nobody takes anything from the sender's queue before there is a connection.
static bool network_has_room(const struct rh_zmq_pipe *pipe)
{
    uint64_t here = mark_of(pipe), there = receiving_mark_of(pipe);
    if (here == 0 || pipe->written < here)
        return true;
    tie_ends(pipe);
    if (!pipe->peer->is_attached)
        return false;
    uint64_t overflow = there > 0 ? count_overflow(pipe, here + there) : 0;
    if (overflow > NETWORK_BYTES)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_HELD, pipe->socket->name);
    return overflow <= NETWORK_BYTES_MOST;
}

bool rh__zmq_pipe_has_room(const struct rh_zmq_pipe *pipe)
{
    if (pipe->is_gone)
        return false;
    return rh__zmq_pipe_is_remote(pipe) && pipe->peer->socket ? network_has_room(pipe)
                                                              : queue_has_room(pipe);
}

// Of the messages on their way ZeroMQ's threads may have taken none. The sender learns what they
// have taken each time that it is half of the queue.
static bool may_be_full(const struct rh_zmq_pipe *pipe)
{
    uint64_t mark = mark_of(pipe), half = (mark + 1) / 2;
    if (mark == 0 || !rh__zmq_pipe_is_remote(pipe) || !pipe->peer->socket || pipe->written < mark)
        return false;
    tie_ends(pipe);
    uint64_t arrived = pipe->written - rh__zmq_count_flying(pipe->peer);
    return pipe->written - arrived / half * half >= mark;
}

void rh__zmq_pipe_doubt_room(const struct rh_zmq_pipe *pipe)
{
    if (may_be_full(pipe))
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_FULL, pipe->socket->name);
}

void rh__zmq_socket_doubt_room(const struct rh_zmq_socket *socket)
{
    for (size_t i = 0; i < socket->out.pipes.count; i++)
        rh__zmq_pipe_doubt_room(socket->out.pipes.items[i]);
    if (socket->type == RH_ZMQ_PAIR && socket->pipes.count > 0)
        rh__zmq_pipe_doubt_room(socket->pipes.items[0]);
}

// Messages that the peer has no room for stay here if the network has no room either, and
// zmq_ctx_term waits for them.
void rh__zmq_linger_check(const struct rh_zmq_pipe *pipe)
{
    uint64_t room = receiving_mark_of(pipe);
    if (room == 0 || pipe->written <= room || pipe->written_bytes <= NETWORK_BYTES)
        return;
    tie_ends(pipe);
    if (count_overflow(pipe, room) > NETWORK_BYTES)
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_CROWDED, pipe->socket->name);
}
