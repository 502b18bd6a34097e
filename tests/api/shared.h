// SPDX-License-Identifier: MIT
// A message type that two sources share.
#ifndef TESTS_API_SHARED_H
#define TESTS_API_SHARED_H

#include <rehearse/actor.h>

RH_MESSAGE(parcel, {
    int weight;
    rh_actor *from;
});
RH_SIGNAL(received);

rh_behaviour depot_behaviour;

#endif
