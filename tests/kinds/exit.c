// SPDX-License-Identifier: MIT
// A handler ends the process.
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
        if (go->number == 1)
            exit(3);
    }
}

RH_TEST(exit)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
