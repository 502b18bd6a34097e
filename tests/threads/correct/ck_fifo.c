// SPDX-License-Identifier: MIT
// Concurrency Kit's queue for one producer and one consumer, with the compiler's own atomic
// operations: a consumer gets what was put, in that order. What it does to pointers is neither atomic
// nor volatile then (a pointer to volatile is), so that it is a data race to C.
// rehearse: --cflags -DCK_USE_CC_BUILTINS=1
#include <ck_fifo.h>
#include <rehearse/component.h>

static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t stub, entries[2];
static int items[] = {1, 2};

static void setup(void)
{
    ck_fifo_spsc_init(&fifo, &stub);
}

static void put(int number)
{
    ck_fifo_spsc_enqueue(&fifo, &entries[number], &items[number]);
}

static int get(void)
{
    int *item;
    return ck_fifo_spsc_dequeue(&fifo, &item) ? *item : 0;
}

RH_COMPONENT(fifo){.setup = setup};

RH_THREADS(one_to_one)
{
    rh_thread
    {
        RH_CALL(put(0));
        RH_CALL(put(1));
    }
    rh_thread
    {
        RH_CALL(get());
        RH_CALL(get());
    }
    rh_at_end
    {
        RH_CALL(get());
    }
}
