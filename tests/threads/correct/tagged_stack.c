// SPDX-License-Identifier: MIT
// Treiber's stack with nodes that are used again, and a tag beside the top that makes each change
// of it another one.
#include <rehearse/component.h>
#include <stdatomic.h>
#include <stdint.h>

enum { NODES = 3 };

// Number of a node, from 1, and behind it the tag.
static _Atomic uint64_t top;
static _Atomic unsigned next[NODES + 1];

static void push(unsigned node)
{
    uint64_t old = atomic_load(&top);
    do
        atomic_store(&next[node], (unsigned)(old & 0xff));
    while (!atomic_compare_exchange_strong(&top, &old, ((old >> 8) + 1) << 8 | node));
}

static unsigned pop(void)
{
    uint64_t old = atomic_load(&top);
    while (old & 0xff) {
        unsigned node = (unsigned)(old & 0xff), below = atomic_load(&next[node]);
        if (atomic_compare_exchange_strong(&top, &old, ((old >> 8) + 1) << 8 | below))
            return node;
    }
    return 0;
}

static void setup(void)
{
    push(1);
    push(2);
}

static void view(rh_view *view)
{
    for (unsigned node = top & 0xff, place = 0; node; node = next[node])
        rh_view_put(view, place++, node);
}

RH_COMPONENT(stack){.setup = setup, .view = view};

RH_THREADS(again)
{
    rh_thread
    {
        RH_CALL(pop());
    }
    rh_thread
    {
        RH_CALL(pop());
        RH_CALL(push(3));
    }
}
