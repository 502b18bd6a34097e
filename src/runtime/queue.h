// SPDX-License-Identifier: MIT
// Actors that are to run. Each thread has a ring: the owner adds at the tail, and owner and thieves
// take from the head, so that no actor waits for ever. What does not fit goes to a queue that all
// threads share.
#ifndef REHEARSE_RUNTIME_QUEUE_H
#define REHEARSE_RUNTIME_QUEUE_H

#include <pthread.h>

#include "runtime/cell.h"

enum { RH_RING_SIZE = 256 };

// Head and tail only grow; both are atomic. A thief copies cells before it takes them: the copies
// are right if the head has not moved since, for the owner reuses a place only when the head is
// past it.
struct rh_ring {
    _Alignas(64) uint32_t head;
    _Alignas(64) uint32_t tail; // only the owner moves it
    struct rh_cell *cells[RH_RING_SIZE];
};

// A queue that all threads share. It never touches the cells, which may be in the caches of other
// cores: so the lock is held for a short time only.
struct rh_shared_queue {
    pthread_mutex_t lock;
    struct rh_cell **cells; // a ring that grows; owned
    size_t capacity;
    size_t first;
    size_t count; // atomic; changed with the lock
};

// Gives false if the ring is full. For the owner.
bool rh_ring_push(struct rh_ring *ring, struct rh_cell *cell);
// Gives NULL if the ring is empty. For the owner.
struct rh_cell *rh_ring_pop(struct rh_ring *ring);
// Takes one cell, and moves up to half of the others to `mine`, which is empty. NULL if the ring is
// empty.
struct rh_cell *rh_ring_steal(struct rh_ring *ring, struct rh_ring *mine);
// Moves half of a full ring, and the cell, to the shared queue. For the owner.
void rh_ring_spill(struct rh_ring *ring, struct rh_cell *cell, struct rh_shared_queue *queue);
bool rh_ring_is_empty(const struct rh_ring *ring);

// What is in a ring at some moment; rh_ring_has_since says whether some of it is still there.
struct rh_ring_sight {
    uint32_t head, tail;
};
struct rh_ring_sight rh_ring_look(const struct rh_ring *ring);
bool rh_ring_has_since(const struct rh_ring *ring, struct rh_ring_sight sight);

// The caller has initialized the lock, and all else is zero.
void rh_shared_queue_fini(struct rh_shared_queue *queue);
void rh_shared_queue_push(struct rh_shared_queue *queue, struct rh_cell *cell);
// Takes one cell, and moves others to `mine` until that is half full. NULL if the queue is empty.
struct rh_cell *rh_shared_queue_pop(struct rh_shared_queue *queue, struct rh_ring *mine);

static inline bool rh_shared_queue_is_empty(const struct rh_shared_queue *queue)
{
    return __atomic_load_n(&queue->count, __ATOMIC_SEQ_CST) == 0;
}

#endif
