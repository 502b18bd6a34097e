// SPDX-License-Identifier: MIT
// A message that a guard refuses lets another of the same sender pass: a door that is closed lets `b` in, which opens it
// for `a`.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(a);
RH_SIGNAL(b);
RH_SIGNAL(close_it);

struct door {
    bool is_closed;
};

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct door *door = state;
    (void)self;
    if (rh_as(message, close_it))
        door->is_closed = true;
    else if (rh_as(message, b))
        door->is_closed = false;
    else
        rh_ignore(message);
}

static bool door_guard(const void *state, const rh_message *message)
{
    const struct door *door = state;
    return !door->is_closed || !rh_as(message, a);
}
RH_GUARD(door_behaviour, door_guard);

RH_TEST(refused)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {.is_closed = false});
    rh_actor *ann = rh_outside("ann");
    rh_send_from(ann, door, a);
    rh_send_from(ann, door, b);
    rh_send_from(rh_outside("ben"), door, close_it);
}
