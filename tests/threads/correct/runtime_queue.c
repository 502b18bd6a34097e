// SPDX-License-Identifier: MIT
// The queue that all threads of Rehearse's own run time share: what two threads add, those who take
// get, each once, and some of it by way of their rings.
#include <rehearse/component.h>

#include "runtime/queue.c"

static struct rh_shared_queue queue;
static struct rh_ring rings[2];
static struct rh_cell *const cells = (struct rh_cell *)64;
static bool was_taken[4];

static void setup(void)
{
    pthread_mutex_init(&queue.lock, NULL);
}

static int take_cell(struct rh_cell *cell)
{
    if (!cell)
        return 0;
    RH_CHECK(!was_taken[cell - cells]);
    was_taken[cell - cells] = true;
    return 1;
}

static int take_all(int own)
{
    int count = take_cell(rh_shared_queue_pop(&queue, &rings[own]));
    for (struct rh_cell *cell; (cell = rh_ring_pop(&rings[own]));)
        count += take_cell(cell);
    return count;
}

RH_COMPONENT(queue){.setup = setup};

RH_THREADS(shares)
{
    rh_thread
    {
        rh_shared_queue_push(&queue, cells);
        rh_shared_queue_push(&queue, cells + 1);
        take_all(0);
    }
    rh_thread
    {
        rh_shared_queue_push(&queue, cells + 2);
        take_all(1);
    }
    rh_at_end
    {
        take_all(0);
        RH_CHECK(was_taken[0] && was_taken[1] && was_taken[2]);
        RH_CHECK(rh_shared_queue_is_empty(&queue));
    }
}
