// SPDX-License-Identifier: MIT
// A handler that never returns, busy.
// FIXED: The loop ends: 2 executions, 4 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
        volatile unsigned spins = 0;
#ifndef FIXED
        while (go->number == 1)
#else
        while (go->number == 1 && spins < 1000)
#endif
            spins++;
    }
}

RH_TEST(hang)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
