// SPDX-License-Identifier: MIT
// Undefined behaviour in one of two orders, which only a program with UndefinedBehaviorSanitizer notices.
#include <limits.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(number, { int value; });

struct sum {
    int value;
};

static void sum_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sum *sum = state;
    const struct number *number = rh_as(message, number);
    (void)self;
    if (number)
        sum->value += number->value;
}

RH_TEST(sum_overflows)
{
    rh_actor *sum = rh_spawn(sum_behaviour, struct sum, {.value = 1});
    rh_send_from(rh_outside("ann"), sum, number, {.value = -1});
    rh_send_from(rh_outside("ben"), sum, number, {.value = INT_MAX});
}
