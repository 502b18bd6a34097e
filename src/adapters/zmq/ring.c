// SPDX-License-Identifier: MIT
#include "adapters/zmq/socket.h"

#include <string.h>

static size_t index_of(const struct rh_zmq_ring *ring, const struct rh_zmq_pipe *pipe)
{
    size_t at = 0;
    while (at < ring->pipes.count && ring->pipes.items[at] != pipe)
        at++;
    return at;
}

static void swap(struct rh_zmq_ring *ring, size_t one, size_t other)
{
    struct rh_zmq_pipe *pipe = ring->pipes.items[one];
    ring->pipes.items[one] = ring->pipes.items[other];
    ring->pipes.items[other] = pipe;
}

void rh__zmq_ring_add(struct rh_zmq_ring *ring, struct rh_zmq_pipe *pipe)
{
    *rh_vector_push(&ring->pipes) = pipe;
    rh__zmq_ring_activate(ring, pipe);
}

bool rh__zmq_ring_activate(struct rh_zmq_ring *ring, const struct rh_zmq_pipe *pipe)
{
    size_t at = index_of(ring, pipe);
    if (at < ring->active || at == ring->pipes.count)
        return false;
    swap(ring, at, ring->active);
    ring->active++;
    return true;
}

// Moves a pipe behind those that can be used.
static void deactivate(struct rh_zmq_ring *ring, size_t at)
{
    ring->active--;
    ring->seen -= ring->seen > ring->active;
    swap(ring, at, ring->active);
    if (ring->current == ring->active)
        ring->current = 0;
}

void rh__zmq_ring_remove(struct rh_zmq_ring *ring, const struct rh_zmq_pipe *pipe)
{
    size_t at = index_of(ring, pipe);
    if (at == ring->pipes.count)
        return;
    if (at < ring->active) {
        deactivate(ring, at);
        at = ring->active;
    }
    ring->pipes.count--;
    memmove(ring->pipes.items + at, ring->pipes.items + at + 1,
            (ring->pipes.count - at) * sizeof *ring->pipes.items);
}

const struct rh_zmq_mail *rh__zmq_ring_peek(struct rh_zmq_ring *ring)
{
    while (ring->active > 0) {
        const struct rh_zmq_pipe *pipe = ring->pipes.items[ring->current];
        if (pipe->first < pipe->queue.count)
            return pipe->queue.items[pipe->first];
        deactivate(ring, ring->current);
    }
    return NULL;
}

struct rh_zmq_mail *rh__zmq_ring_take(struct rh_zmq_ring *ring, struct rh_zmq_pipe **from)
{
    while (ring->active > 0) {
        *from = ring->pipes.items[ring->current];
        struct rh_zmq_mail *mail = rh__zmq_pipe_read(*from);
        if (mail) {
            ring->current = (ring->current + 1) % ring->active;
            return mail;
        }
        deactivate(ring, ring->current);
    }
    return NULL;
}

struct rh_zmq_pipe *rh__zmq_ring_find(struct rh_zmq_ring *ring)
{
    while (ring->active > 0) {
        struct rh_zmq_pipe *pipe = ring->pipes.items[ring->current];
        if (rh__zmq_pipe_has_room(pipe))
            return pipe;
        pipe->waits_for_room = true;
        deactivate(ring, ring->current);
    }
    return NULL;
}

void rh__zmq_ring_next(struct rh_zmq_ring *ring)
{
    ring->current++;
    if (ring->current >= ring->active)
        ring->current = 0;
}
