// SPDX-License-Identifier: MIT
// The ring of actors of Rehearse's own run time: the owner adds and takes, a thief steals half.
#include <rehearse/component.h>

#include "runtime/queue.c"

static struct rh_ring ring, stolen;
static struct rh_cell *const cells = (struct rh_cell *)64;
static bool was_taken[4];

static void take_cell(struct rh_cell *cell)
{
    if (!cell)
        return;
    RH_CHECK(!was_taken[cell - cells]);
    was_taken[cell - cells] = true;
}

static void add(int number)
{
    rh_ring_push(&ring, cells + number);
}

RH_THREADS(steals)
{
    rh_thread
    {
        add(0);
        add(1);
        take_cell(rh_ring_pop(&ring));
    }
    rh_thread
    {
        take_cell(rh_ring_steal(&ring, &stolen));
    }
    rh_at_end
    {
        for (struct rh_cell *cell; (cell = rh_ring_pop(&ring));)
            take_cell(cell);
        for (struct rh_cell *cell; (cell = rh_ring_pop(&stolen));)
            take_cell(cell);
        RH_CHECK(was_taken[0] && was_taken[1]);
    }
}
