// SPDX-License-Identifier: MIT
// A crash after which unwinding crashes too, and one after which it never ends: both are crashes all the same.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <stdlib.h>
#include <unwind.h>

RH_MESSAGE(go, { int number; });

static int crashing;

// In the place of the compiler's.
_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn note, void *argument)
{
    (void)note;
    (void)argument;
    if (crashing == 1)
        abort();
    for (volatile int i = 0; crashing == 2; i = !i)
        ;
    return _URC_END_OF_STACK;
}

struct counter {
    int count;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    const struct go *go = rh_as(message, go);
    (void)self;

    if (go) {
        crashing = go->number;
        *(volatile int *)NULL = counter->count;
    }
}

RH_TEST(unwinder_fails)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
