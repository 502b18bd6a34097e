// SPDX-License-Identifier: MIT
// kind: refinement
// x++ is a read and a write.
#include <rehearse/component.h>
#include <stdatomic.h>

#ifdef FIXED
static _Atomic int count;
#else
static int count;
#endif

static int increment(void)
{
    return count++;
}

RH_THREADS(twice)
{
    rh_thread
    {
        RH_CALL(increment());
    }
    rh_thread
    {
        RH_CALL(increment());
    }
}
