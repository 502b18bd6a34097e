// SPDX-License-Identifier: MIT
// A handler counts in a static variable of its own.
// FIXED: The variable is local: 2 executions, 4 deliveries.
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
        static int handled;
#else
        int handled = 0;
#endif
        handled += go->number + 1;
        rh_check(handled > 0);
    }
}

RH_TEST(shared_state_static)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
