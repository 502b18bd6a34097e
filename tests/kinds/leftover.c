// SPDX-License-Identifier: MIT
// No second key ever comes: the guard refuses the visitor to the end. The door holds a refused
// message, which is a deadlock, and the message is left over. 1 execution, 1 delivery.
// FIXED: One key opens the door, and the visitor gets in. 1 execution, 2 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(visit);
RH_SIGNAL(key);

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *keys = state;
    (void)self;

    if (rh_as(message, key))
        ++*keys;
    else if (rh_as(message, visit))
        rh_check(*keys >= 1);
}

static bool door_guard(const void *state, const rh_message *message)
{
    const int *keys = state;

#ifndef FIXED
    return *keys >= 2 || rh_as(message, key);
#else
    return *keys >= 1 || rh_as(message, key);
#endif
}
RH_GUARD(door_behaviour, door_guard);

RH_TEST(leftover)
{
    rh_actor *door = rh_spawn(door_behaviour, int, {0});

    rh_send(door, visit);
    rh_send(door, key);
}
