// SPDX-License-Identifier: MIT
// Concurrency Kit's ring, with the compiler's own atomic operations.
// rehearse: --cflags -DCK_USE_CC_BUILTINS=1
#include <ck_ring.h>
#include <rehearse/component.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int items[] = {1, 2};

static void setup(void)
{
    ck_ring_init(&ring, 4);
}

static bool put(int number)
{
    return ck_ring_enqueue_spsc(&ring, buffer, &items[number]);
}

static int get(void)
{
    void *item;
    return ck_ring_dequeue_spsc(&ring, buffer, &item) ? *(int *)item : 0;
}

static bool put_among_others(int number)
{
    return ck_ring_enqueue_mpmc(&ring, buffer, &items[number]);
}

static int get_among_others(void)
{
    void *item;
    return ck_ring_dequeue_mpmc(&ring, buffer, &item) ? *(int *)item : 0;
}

RH_COMPONENT(ring){.setup = setup};

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
}

RH_THREADS(two_to_one)
{
    rh_thread
    {
        RH_CALL(put_among_others(0));
    }
    rh_thread
    {
        RH_CALL(put_among_others(1));
    }
    rh_thread
    {
        RH_CALL(get_among_others());
    }
}
