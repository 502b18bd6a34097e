// SPDX-License-Identifier: MIT
// Senders to one receiver that remembers the last value: as many classes as orders.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(number, { int value; });

static void last_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct number *number = rh_as(message, number);
    (void)self;
    if (number)
        *(int *)state = number->value;
}

static void send_numbers(int count)
{
    static const char *const names[] = {"ann", "ben", "eva", "kim", "lea", "max"};
    rh_actor *last = rh_spawn(last_behaviour, int, {0});
    for (int i = 0; i < count; i++)
        rh_send_from(rh_outside(names[i]), last, number, {i + 1});
}

RH_TEST(senders_4)
{
    send_numbers(4);
}

RH_TEST(senders_5)
{
    send_numbers(5);
}

RH_TEST(senders_6)
{
    send_numbers(6);
}
