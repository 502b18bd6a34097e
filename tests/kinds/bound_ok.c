// SPDX-License-Identifier: MIT
// The counter rests at ten. 1 execution, 10 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(next);

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *count = state;

    if (rh_as(message, next) && ++*count < 10)
        rh_send(self, next);
}

RH_TEST(bound)
{
    rh_send(rh_spawn(counter_behaviour, int, {0}), next);
}
