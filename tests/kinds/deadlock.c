// SPDX-License-Identifier: MIT
// The server takes the request and never replies: the client waits for ever. 1 execution, 2
// deliveries.
// FIXED: The server replies. 1 execution, 3 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(get);
RH_SIGNAL(value);

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const bool *answers = state;
    (void)self;

    if (rh_as(message, get) && *answers)
        rh_reply(message, value);
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *server = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go))
        rh_check(rh_as(rh_ask(server, get), value));
}

RH_TEST(deadlock)
{
#ifndef FIXED
    rh_actor *server = rh_spawn(server_behaviour, bool, {false});
#else
    rh_actor *server = rh_spawn(server_behaviour, bool, {true});
#endif

    rh_send(rh_spawn(client_behaviour, rh_actor *, {server}), go);
}
