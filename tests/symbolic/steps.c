// SPDX-License-Identifier: MIT
// Places for one step of the ladder each.
#include <math.h>
#include <rehearse/actor.h>
#include <rehearse/test.h>

int checksum(int number); // of steps_library.c

RH_MESSAGE(ask, { int number; });
RH_MESSAGE(point, { double x, y; });
RH_SIGNAL(first);
RH_SIGNAL(second);

struct desk {
    int seconds, asks;
};

static void desk_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct desk *desk = state;
    const struct ask *ask = rh_as(message, ask);
    const struct point *point = rh_as(message, point);
    (void)self;
    if (ask) {
        desk->asks++;
        if (checksum(ask->number) == 3)
            rh_progress(); // CALL: what the library gives for some number
        if (checksum(ask->number) == 200)
            rh_progress(); // NEVER: the library gives less than 7
    } else if (point) {
        if (hypot(point->x, point->y) > 8 && pow(point->x, 3) < 1000)
            rh_progress(); // DRAWN: real functions that the solver does not have
    } else if (rh_as(message, first)) {
        if (desk->seconds == 3)
            rh_progress(); // LATE: in one order of four
    } else if (rh_as(message, second)) {
        desk->seconds++;
    }
}

RH_TEST(day)
{
    rh_actor *desk = rh_spawn(desk_behaviour, struct desk, {0});
    rh_send_from(rh_outside("late"), desk, first);
    for (int i = 0; i < 3; i++)
        rh_send(desk, second);
}
