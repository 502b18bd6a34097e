// SPDX-License-Identifier: MIT
#include "runtime/queue.h"

#include <stdlib.h>

#include "base/text.h"

static struct rh_cell *load(const struct rh_ring *ring, uint32_t place)
{
    return __atomic_load_n(&ring->cells[place % RH_RING_SIZE], __ATOMIC_RELAXED);
}

static void store(struct rh_ring *ring, uint32_t place, struct rh_cell *cell)
{
    __atomic_store_n(&ring->cells[place % RH_RING_SIZE], cell, __ATOMIC_RELAXED);
}

// Takes `count` cells from the head; gives false if another thread has taken some.
static bool advance(struct rh_ring *ring, uint32_t head, uint32_t count)
{
    return __atomic_compare_exchange_n(&ring->head, &head, head + count, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

bool rh_ring_push(struct rh_ring *ring, struct rh_cell *cell)
{
    uint32_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
    // Acquires the head that advance released: the cell in this place has been copied.
    if (tail - __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) == RH_RING_SIZE)
        return false;
    store(ring, tail, cell);
    // Releases the place, and the actor, to pop and steal. Comes before the look at who sleeps:
    // idle.c.
    __atomic_store_n(&ring->tail, tail + 1, __ATOMIC_SEQ_CST);
    return true;
}

struct rh_cell *rh_ring_pop(struct rh_ring *ring)
{
    uint32_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
    for (;;) {
        uint32_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
        if (head == tail)
            return NULL;
        struct rh_cell *cell = load(ring, head);
        if (advance(ring, head, 1))
            return cell;
    }
}

struct rh_cell *rh_ring_steal(struct rh_ring *ring, struct rh_ring *mine)
{
    rh_assert(rh_ring_is_empty(mine));
    uint32_t my_tail = __atomic_load_n(&mine->tail, __ATOMIC_RELAXED);
    for (;;) {
        uint32_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
        // Acquires the places that push released.
        uint32_t count = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) - head;
        if (count == 0)
            return NULL;
        // The head was read first and may be old.
        if (count > RH_RING_SIZE)
            continue;
        count -= count / 2;
        struct rh_cell *cell = load(ring, head);
        for (uint32_t i = 1; i < count; i++)
            store(mine, my_tail + i - 1, load(ring, head + i));
        if (advance(ring, head, count)) {
            __atomic_store_n(&mine->tail, my_tail + count - 1, __ATOMIC_RELEASE);
            return cell;
        }
    }
}

bool rh_ring_is_empty(const struct rh_ring *ring)
{
    return __atomic_load_n(&ring->head, __ATOMIC_SEQ_CST) ==
           __atomic_load_n(&ring->tail, __ATOMIC_SEQ_CST);
}

struct rh_ring_sight rh_ring_look(const struct rh_ring *ring)
{
    uint32_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    return (struct rh_ring_sight){head, __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE)};
}

bool rh_ring_has_since(const struct rh_ring *ring, struct rh_ring_sight sight)
{
    uint32_t gone = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) - sight.head;
    return gone < sight.tail - sight.head;
}

static void grow(struct rh_shared_queue *queue)
{
    enum { LEAST = 1024 };
    size_t capacity = queue->capacity > 0 ? queue->capacity * 2 : LEAST;
    struct rh_cell **cells = rh_alloc(sizeof(struct rh_cell *) * capacity);
    for (size_t i = 0; i < queue->count; i++)
        cells[i] = queue->cells[(queue->first + i) % queue->capacity];
    free(queue->cells);
    queue->cells = cells;
    queue->capacity = capacity;
    queue->first = 0;
}

static void append(struct rh_shared_queue *queue, struct rh_cell *const *cells, size_t count)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->capacity - queue->count < count)
        grow(queue);
    for (size_t i = 0; i < count; i++)
        queue->cells[(queue->first + queue->count + i) % queue->capacity] = cells[i];
    __atomic_store_n(&queue->count, queue->count + count, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&queue->lock);
}

void rh_ring_spill(struct rh_ring *ring, struct rh_cell *cell, struct rh_shared_queue *queue)
{
    enum { HALF = RH_RING_SIZE / 2 };
    struct rh_cell *moved[HALF + 1];
    uint32_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < HALF; i++)
        moved[i] = load(ring, head + i);
    if (!advance(ring, head, HALF)) {
        // A thief has taken some cells, so there is room.
        if (!rh_ring_push(ring, cell))
            rh_shared_queue_push(queue, cell);
        return;
    }
    moved[HALF] = cell;
    append(queue, moved, HALF + 1);
}

void rh_shared_queue_push(struct rh_shared_queue *queue, struct rh_cell *cell)
{
    append(queue, &cell, 1);
}

void rh_shared_queue_fini(struct rh_shared_queue *queue)
{
    pthread_mutex_destroy(&queue->lock);
    free(queue->cells);
}

static size_t room(const struct rh_ring *ring)
{
    return RH_RING_SIZE - (__atomic_load_n(&ring->tail, __ATOMIC_RELAXED) -
                           __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE));
}

// Takes up to `most` cells from the front; gives how many.
static size_t take(struct rh_shared_queue *queue, struct rh_cell **cells, size_t most)
{
    pthread_mutex_lock(&queue->lock);
    size_t count = queue->count < most ? queue->count : most;
    for (size_t i = 0; i < count; i++)
        cells[i] = queue->cells[(queue->first + i) % queue->capacity];
    if (count > 0)
        queue->first = (queue->first + count) % queue->capacity;
    __atomic_store_n(&queue->count, queue->count - count, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&queue->lock);
    return count;
}

struct rh_cell *rh_shared_queue_pop(struct rh_shared_queue *queue, struct rh_ring *mine)
{
    enum { HALF = RH_RING_SIZE / 2 };
    struct rh_cell *cells[HALF];
    if (rh_shared_queue_is_empty(queue))
        return NULL;
    size_t most = room(mine) + 1;
    size_t count = take(queue, cells, most < HALF ? most : HALF);
    for (size_t i = 1; i < count; i++)
        (void)rh_ring_push(mine, cells[i]);
    return count > 0 ? cells[0] : NULL;
}
