// SPDX-License-Identifier: MIT
// kind: refinement
// A ring for one producer and one consumer. At the wrap the consumer's index has, for a moment, a
// value that it never should have: the producer takes the ring for one that is not full.
#include <rehearse/component.h>
#include <stdatomic.h>

enum { SLOTS = 3 };

// Full: the place behind the tail is the head.
static _Atomic int head = SLOTS - 1, tail = SLOTS - 2;
static _Atomic int slots[SLOTS] = {1, 2, 3};

static int get(void)
{
    if (head == tail)
        return -1;
    int element = slots[head];
#ifdef FIXED
    head = (head + 1) % SLOTS;
#else
    head = head + 1;
    if (head == SLOTS)
        head = 0;
#endif
    return element;
}

static bool put(int element)
{
    int next = (tail + 1) % SLOTS;
    if (next == head)
        return false;
    slots[tail] = element;
    tail = next;
    return true;
}

RH_THREADS(wrap)
{
    rh_thread
    {
        RH_CALL(get());
    }
    rh_thread
    {
        RH_CALL(put(4));
        RH_CALL(put(5));
    }
}
