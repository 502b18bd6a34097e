// SPDX-License-Identifier: MIT
// See disagree_first.c.
#include <rehearse/actor.h>

RH_MESSAGE(parcel, {
    int weight;
    int price;
});

void second_behaviour(rh_actor *self, void *state, const rh_message *message);

void second_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct parcel *parcel = rh_as(message, parcel);
    (void)self;
    (void)state;

    if (parcel)
        rh_check(parcel->price >= 0);
}
