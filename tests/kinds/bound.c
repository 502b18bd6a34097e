// SPDX-License-Identifier: MIT
// A counter that never comes to rest: cut at --max-length, and no state comes back. 1 execution.
// FIXED: The counter rests at ten. 1 execution, 10 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(next);

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *count = state;

#ifndef FIXED
    if (rh_as(message, next) && ++*count > 0)
#else
    if (rh_as(message, next) && ++*count < 10)
#endif
        rh_send(self, next);
}

RH_TEST(bound)
{
    rh_send(rh_spawn(counter_behaviour, int, {0}), next);
}
