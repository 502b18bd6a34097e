// SPDX-License-Identifier: MIT
// A handler ends the process.
// FIXED: Nobody calls exit: 2 executions, 4 deliveries.
#include <stdlib.h>

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
        if (go->number == 1)
#else
        if (go->number == 2)
#endif
            exit(3);
    }
}

RH_TEST(exit)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
