// SPDX-License-Identifier: MIT
// Fails if the withdrawal comes first, in one of 2 orders.
// FIXED: The account can pay whatever the order: 2 executions, 4 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(deposit);
RH_SIGNAL(withdraw);

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *balance = state;
    (void)self;

    if (rh_as(message, deposit)) {
        ++*balance;
    } else if (rh_as(message, withdraw)) {
        --*balance;
        rh_check(*balance >= 0);
    }
}

RH_TEST(check)
{
#ifndef FIXED
    rh_actor *account = rh_spawn(account_behaviour, int, {0});
#else
    rh_actor *account = rh_spawn(account_behaviour, int, {1});
#endif

    rh_send(account, deposit);
    rh_send_from(rh_outside("other"), account, withdraw);
}
