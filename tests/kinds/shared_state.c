// SPDX-License-Identifier: MIT
// A handler writes a global of the program.
// FIXED: A handler only reads one: 2 executions, 4 deliveries.
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
#ifndef FIXED
        handled += go->number + 1;
#else
        rh_check(handled == 0);
#endif
    }
}

RH_TEST(shared_state)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
