// SPDX-License-Identifier: MIT
// A guard looks at a variable that another actor writes. written_late.sh allows that with a suppression file.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(unlock);
RH_SIGNAL(enter);

static bool is_open;

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_ignore(message);
}

static bool door_guard(const void *state, const rh_message *message)
{
    (void)state;
    (void)message;
    return is_open;
}
RH_GUARD(door_behaviour, door_guard);

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, unlock))
        is_open = true;
}

RH_TEST(door)
{
    rh_send(rh_spawn(door_behaviour), enter);
    rh_send(rh_spawn(keeper_behaviour), unlock);
}
