// SPDX-License-Identifier: MIT
// kind: refinement
// A ring whose put moves the tail before the slot is filled: get may see what was there before.
#include <rehearse/component.h>
#include <stdatomic.h>

enum { SLOTS = 4 };

static _Atomic int head, tail, slots[SLOTS];

static void put(int element)
{
    int place = tail;
#ifdef FIXED
    slots[place % SLOTS] = element;
    tail = place + 1;
#else
    tail = place + 1;
    slots[place % SLOTS] = element;
#endif
}

static int get(void)
{
    int place = head;
    if (place == tail)
        return -1;
    int element = slots[place % SLOTS];
    head = place + 1;
    return element;
}

RH_THREADS(early)
{
    rh_thread
    {
        RH_CALL(put(5));
    }
    rh_thread
    {
        RH_CALL(get());
    }
}
