// SPDX-License-Identifier: MIT
#include "runtime/queue.h"

static struct rh_cell *load(const struct rh_ring *ring, uint32_t place)
{
    return __atomic_load_n(&ring->cells[place % RH_RING_SIZE], __ATOMIC_RELAXED);
}

static void store(struct rh_ring *ring, uint32_t place, struct rh_cell *cell)
{
    __atomic_store_n(&ring->cells[place % RH_RING_SIZE], cell, __ATOMIC_RELAXED);
}

// Takes `count` from the head; false if somebody else has taken some.
static bool advance(struct rh_ring *ring, uint32_t head, uint32_t count)
{
    return __atomic_compare_exchange_n(&ring->head, &head, head + count, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

bool rh_ring_push(struct rh_ring *ring, struct rh_cell *cell)
{
    uint32_t tail = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
    // Acquires the head that advance released: the place has been copied.
    if (tail - __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE) == RH_RING_SIZE)
        return false;
    store(ring, tail, cell);
    // Releases the place, and the actor, to pop and steal; and comes before the look at who sleeps: idle.c.
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

// A list of `count` cells, linked.
static void append(struct rh_shared_queue *queue, struct rh_cell *first, struct rh_cell *last,
                   size_t count)
{
    last->next = NULL;
    pthread_mutex_lock(&queue->lock);
    if (queue->last)
        queue->last->next = first;
    else
        queue->first = first;
    queue->last = last;
    __atomic_store_n(&queue->count, queue->count + count, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&queue->lock);
}

void rh_ring_spill(struct rh_ring *ring, struct rh_cell *cell, struct rh_shared_queue *queue)
{
    enum { HALF = RH_RING_SIZE / 2 };
    struct rh_cell *moved[HALF];
    uint32_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < HALF; i++)
        moved[i] = load(ring, head + i);
    if (!advance(ring, head, HALF)) {
        // A thief was there, so there is room.
        if (!rh_ring_push(ring, cell))
            rh_shared_queue_push(queue, cell);
        return;
    }
    for (uint32_t i = 0; i + 1 < HALF; i++)
        moved[i]->next = moved[i + 1];
    moved[HALF - 1]->next = cell;
    append(queue, moved[0], cell, HALF + 1);
}

void rh_shared_queue_push(struct rh_shared_queue *queue, struct rh_cell *cell)
{
    append(queue, cell, cell, 1);
}

static struct rh_cell *unlink_first(struct rh_shared_queue *queue)
{
    struct rh_cell *cell = queue->first;
    queue->first = cell->next;
    if (!queue->first)
        queue->last = NULL;
    __atomic_store_n(&queue->count, queue->count - 1, __ATOMIC_RELEASE);
    return cell;
}

static size_t room(const struct rh_ring *ring)
{
    return RH_RING_SIZE - (__atomic_load_n(&ring->tail, __ATOMIC_RELAXED) -
                           __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE));
}

struct rh_cell *rh_shared_queue_pop(struct rh_shared_queue *queue, struct rh_ring *mine)
{
    if (rh_shared_queue_is_empty(queue))
        return NULL;
    pthread_mutex_lock(&queue->lock);
    struct rh_cell *cell = NULL;
    if (queue->count > 0) {
        size_t most = room(mine);
        cell = unlink_first(queue);
        for (size_t i = 1; queue->count > 0 && i < RH_RING_SIZE / 2 && i <= most; i++)
            (void)rh_ring_push(mine, unlink_first(queue));
    }
    pthread_mutex_unlock(&queue->lock);
    return cell;
}
