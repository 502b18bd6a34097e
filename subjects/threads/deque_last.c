// SPDX-License-Identifier: MIT
// kind: refinement
// A deque from which its owner takes at one end and a thief at the other. Both may take the last
// element.
#include <rehearse/component.h>
#include <stdatomic.h>

static _Atomic int top, bottom = 1, elements[4] = {7};

static int take(void)
{
    int last = bottom - 1;
    bottom = last;
    int first = top;
    if (first > last) {
        bottom = first;
        return -1;
    }
    int element = elements[last];
#ifdef FIXED
    if (first == last) {
        if (!atomic_compare_exchange_strong(&top, &first, first + 1))
            element = -1;
        bottom = last + 1;
    }
#endif
    return element;
}

static int steal(void)
{
    int first = top;
    if (first >= bottom)
        return -1;
    int element = elements[first];
    return atomic_compare_exchange_strong(&top, &first, first + 1) ? element : -1;
}

RH_THREADS(last)
{
    rh_thread
    {
        RH_CALL(take());
    }
    rh_thread
    {
        RH_CALL(steal());
    }
}
