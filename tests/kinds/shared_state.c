// SPDX-License-Identifier: MIT
// A handler writes a global of the program.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static int handled;

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
        handled += go->number + 1;
    }
}

RH_TEST(shared_state)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
