// SPDX-License-Identifier: MIT
// Only one of two actors asks the other: 1 execution, 3 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { rh_actor *other; });
RH_SIGNAL(get);
RH_SIGNAL(value);

static void peer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go;
    (void)self;
    (void)state;

    if ((go = rh_as(message, go)))
        rh_check(rh_as(rh_ask(go->other, get), value));
    else if (rh_as(message, get))
        rh_reply(message, value);
}

RH_TEST(deadlock_two)
{
    rh_actor *a = rh_spawn(peer_behaviour);
    rh_actor *b = rh_spawn(peer_behaviour);

    rh_send(a, go, {.other = b});
}
