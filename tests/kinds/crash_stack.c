// SPDX-License-Identifier: MIT
// A recursion without end overflows the stack.
// FIXED: A recursion that ends: 2 executions, 4 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static int depth(volatile int *bottom)
{
    volatile int here = *bottom + 1;
#ifndef FIXED
    int deeper = here < 0 ? 0 : depth(&here);
#else
    int deeper = here > 100 ? 0 : depth(&here);
#endif

    return deeper + here;
}

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
        volatile int bottom = go->number;
        rh_check(depth(&bottom) != 0);
    }
}

RH_TEST(crash_stack)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
