// SPDX-License-Identifier: MIT
// A lock with tickets, in three threads.
#include <rehearse/component.h>
#include <stdatomic.h>

static _Atomic unsigned next, serving;
static int count;

static int add(void)
{
    unsigned ticket = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != ticket)
        continue;
    int result = ++count;
    atomic_store(&serving, ticket + 1);
    return result;
}

RH_THREADS(adds)
{
    rh_thread
    {
        RH_CALL(add());
    }
    rh_thread
    {
        RH_CALL(add());
    }
    rh_thread
    {
        RH_CALL(add());
    }
}
