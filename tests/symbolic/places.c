// SPDX-License-Identifier: MIT
// Places in all parts of a program that code of an actor may be in.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(put, { int number; });
RH_MESSAGE(look, { int number; });
RH_MESSAGE(seen, { int number; });
RH_SIGNAL(leave);

struct keeper {
    int number;
};

static bool keeper_guard(const void *state, const rh_message *message)
{
    const struct keeper *keeper = state;
    if (rh_as(message, look) && keeper->number == 77)
        return false; // in a guard
    return true;
}

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    const struct put *put = rh_as(message, put);
    (void)self;
    if (put)
        keeper->number = put->number;
    else if (rh_as(message, look))
        rh_reply(message, seen, {.number = keeper->number});
}
RH_GUARD(keeper_behaviour, keeper_guard);

struct door {
    rh_actor *keeper;
    int opened;
};

static void at_end(rh_actor *self, void *state)
{
    struct door *door = state;
    (void)self;
    if (door->opened == 3)
        door->opened = 0; // when it stops
}

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct door *door = state;
    (void)self;
    rh_at_stop(at_end);
    if (rh_as(message, look)) {
        const rh_message *reply = rh_ask(door->keeper, look, {0});
        const struct seen *seen = rh_as(reply, seen);
        if (seen && seen->number == 12)
            door->opened++; // after an ask
        if (seen && seen->number == 12 && seen->number == 13)
            door->opened = 0; // never
    } else if (rh_as(message, leave)) {
        rh_stop();
    }
}

RH_TEST(doors)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour, struct keeper, {0});
    rh_spawn(door_behaviour, struct door, {.keeper = keeper});
    rh_send(keeper, put, {.number = 1});
}
