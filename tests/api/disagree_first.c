// SPDX-License-Identifier: MIT
// Takes a parcel for one number; disagree_second.c takes it for two. Refused at start-up.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(parcel, { int weight; });

static void first_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, parcel))
        rh_ignore(message);
}

RH_TEST(disagree)
{
    rh_send(rh_spawn(first_behaviour), parcel, {.weight = 1});
}
