// SPDX-License-Identifier: MIT
// kind: refinement
// A stack whose nodes are used again: pop swings the top if it is the node that it was, though
// another may lie below that by now.
#include <rehearse/component.h>
#include <stdatomic.h>

#ifdef FIXED
enum { STEP = 16 };
#else
enum { STEP = 0 };
#endif
enum { NODES = 3, MASK = 15 };

static _Atomic unsigned top = 0, next[NODES] = {1, 2, MASK};

static int pop(void)
{
    for (;;) {
        unsigned old = top;
        if ((old & MASK) == MASK)
            return -1;
        unsigned wanted = next[old & MASK] | ((old & ~(unsigned)MASK) + STEP);
        if (atomic_compare_exchange_strong(&top, &old, wanted))
            return (int)(old & MASK);
    }
}

static void push(int node)
{
    for (;;) {
        unsigned old = top;
        next[node] = old & MASK;
        if (atomic_compare_exchange_strong(&top, &old,
                                           (unsigned)node | ((old & ~(unsigned)MASK) + STEP)))
            return;
    }
}

static void view(rh_view *view)
{
    int place = 0;
    for (unsigned i = top & MASK; i != MASK && place < NODES; i = next[i])
        rh_view_put(view, place++, i);
}

RH_COMPONENT(stack){.view = view};

RH_THREADS(again)
{
    rh_thread
    {
        RH_CALL(pop());
    }
    rh_thread
    {
        int node = RH_CALL(pop());
        RH_CALL(pop());
        RH_CALL(push(node));
    }
}
