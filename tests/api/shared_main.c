// SPDX-License-Identifier: MIT
// The sending half: parcel and received are the same types here and in shared_depot.c.
#include <rehearse/test.h>

#include "shared.h"

RH_SIGNAL(go);

static void carrier_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *depot = *(rh_actor **)state;

    if (rh_as(message, go))
        rh_send(depot, parcel, {.weight = 3, .from = self});
    else if (rh_as(message, received))
        rh_check(rh_sender(message) == depot);
}

struct watched {
    rh_actor *depot;
};

static void six_in_all(const void *context)
{
    const struct watched *watched = context;

    rh_check(*(const int *)rh_view_state(watched->depot) == 6);
}

// Two chains go - parcel - received: C(6,3) = 20 executions, C(8,4) - 2 = 68 deliveries.
RH_TEST(shared_types)
{
    rh_actor *depot = rh_spawn(depot_behaviour, int, {0});

    rh_finally(six_in_all, struct watched, {.depot = depot});
    rh_send(rh_spawn(carrier_behaviour, rh_actor *, {depot}), go);
    rh_send(rh_spawn(carrier_behaviour, rh_actor *, {depot}), go);
}
