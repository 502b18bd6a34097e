// SPDX-License-Identifier: MIT
// The order of the test has a step for a message that is sent only by the delivery behind it: one
// execution, which ends before its first delivery.
// FIXED: The steps stand in the order in which they can be made: 1 execution, 2 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(ping);
RH_SIGNAL(pong);

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, ping))
        rh_send(self, pong);
    else if (rh_as(message, pong))
        rh_progress();
}

RH_TEST(order)
{
    rh_send(rh_spawn(player_behaviour), ping);
}
#ifndef FIXED
RH_TEST_ORDER(order, "deliver pong to player#1\ndeliver ping to player#1");
#else
RH_TEST_ORDER(order, "deliver ping to player#1\ndeliver pong to player#1");
#endif
