// SPDX-License-Identifier: MIT
// A till that pays out before it was filled, in one of two orders; and one that does not.
#include <stdio.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(deposit, { int amount; });
RH_MESSAGE(withdraw, { int amount; });

struct till {
    int balance;
};

static void till_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct till *till = state;
    const struct deposit *deposit;
    const struct withdraw *withdraw;
    (void)self;

    if ((deposit = rh_as(message, deposit))) {
        till->balance += deposit->amount;
    } else if ((withdraw = rh_as(message, withdraw))) {
        printf("asked for %d\n", withdraw->amount);
        rh_check(till->balance >= withdraw->amount);
        till->balance -= withdraw->amount;
    }
}

RH_TEST(overdraw)
{
    rh_actor *till = rh_spawn(till_behaviour, struct till, {.balance = 0});
    rh_send(till, deposit, {.amount = 70});
    rh_send_from(rh_outside("customer"), till, withdraw, {.amount = 70});
}

RH_TEST(calm)
{
    rh_actor *till = rh_spawn(till_behaviour, struct till, {.balance = 0});
    rh_send(till, deposit, {.amount = 70});
    rh_send_from(rh_outside("customer"), till, deposit, {.amount = 7});
}
