// SPDX-License-Identifier: MIT
// kind: refinement
// A queue with a pointer to its first and one to its last node, whose nodes are used again. dequeue
// swings the first pointer if it is what it was: it may be that again, with another node behind.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdatomic.h>

// A reference is the number of a node, and in the twin also how often it was changed.
#ifdef FIXED
enum { STEP = 16 };
#else
enum { STEP = 0 };
#endif
enum { NODES = 4, MASK = 15 };

static _Atomic unsigned first = 0, last = 1, next[NODES] = {1, MASK, MASK, MASK};
static _Atomic int elements[NODES] = {0, 1};
static _Atomic unsigned spare = 2;

// The first node is a dummy; the one behind it is given, and becomes the dummy.
static int dequeue(void)
{
    for (;;) {
        unsigned old = first;
        unsigned behind = next[old & MASK] & MASK;
        if (first != old)
            continue;
        if (behind == MASK)
            return -1;
        int element = elements[behind];
        unsigned wanted = behind | ((old & ~(unsigned)MASK) + STEP);
        if (atomic_compare_exchange_strong(&first, &old, wanted)) {
            spare = old & MASK;
            return element;
        }
    }
}

static void enqueue(int element)
{
    unsigned node = spare;
    elements[node] = element;
    next[node] = MASK;
    next[last] = node;
    last = node;
}

static void view(rh_view *view)
{
    int place = 0;
    for (unsigned i = next[first & MASK]; i != MASK && place < NODES; i = next[i])
        rh_view_put(view, place++, elements[i]);
}

RH_COMPONENT(queue){.view = view};

RH_THREADS(again)
{
    rh_thread
    {
        RH_CALL(dequeue());
    }
    rh_thread
    {
        RH_CALL(enqueue(2));
        RH_CALL(dequeue());
        RH_CALL(enqueue(3));
        RH_CALL(dequeue());
        RH_CALL(dequeue());
    }
}
