// SPDX-License-Identifier: MIT
// A division by zero when the first message comes.
// FIXED: The divisor is never zero: 2 executions, 4 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
#ifndef FIXED
        volatile int divisor = go->number;
#else
        volatile int divisor = 1;
#endif
        rh_check(100 / divisor == 100);
    }
}

RH_TEST(crash_division)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
