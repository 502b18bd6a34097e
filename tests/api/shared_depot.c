// SPDX-License-Identifier: MIT
// The receiving half of shared_main.c.
#include "shared.h"

void depot_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *weight = state;
    const struct parcel *parcel = rh_as(message, parcel);

    if (parcel) {
        rh_check(parcel->from != self && parcel->weight > 0);
        *weight += parcel->weight;
        rh_send(parcel->from, received);
    }
}
