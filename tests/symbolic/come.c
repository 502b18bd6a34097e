// SPDX-License-Identifier: MIT
// What the outside may vary: messages that a test lists with rh_may_come, and inputs. What enumeration
// comes to with everything that may come is marked LIVE, the rest DEAD.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(deposit, { int amount; });
RH_MESSAGE(withdraw, { int amount; });
RH_SIGNAL(audit);

struct account {
    int balance;
    int deposits;
};

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = state;
    const struct deposit *deposit = rh_as(message, deposit);
    const struct withdraw *withdraw = rh_as(message, withdraw);
    (void)self;
    if (deposit) {
        account->balance += deposit->amount;
        account->deposits++;
    } else if (withdraw) {
        account->balance -= withdraw->amount;
    } else if (rh_as(message, audit)) {
        if (account->balance == 130)
            rh_progress(); // LIVE: both deposits
        if (account->balance == 180)
            rh_progress(); // DEAD: a third one
        if (account->balance == 31)
            rh_progress(); // DEAD: an amount that nobody pays
        if (account->deposits == 2 && account->balance == 60)
            rh_progress(); // LIVE: all three
        if (account->deposits == 1 && account->balance == 9)
            rh_progress(); // LIVE: the smaller deposit, and the withdrawal
    }
}

static void may_come(rh_actor *account, int withdrawn)
{
    rh_may_come(account, deposit, 2, {.amount = 50});
    rh_may_come(account, withdraw, 1, {.amount = withdrawn});
    rh_may_come(account, audit, 1);
}

RH_TEST(listed)
{
    rh_actor *account = rh_spawn(account_behaviour, struct account, {.balance = 30});
    may_come(account, 70);
    rh_may_come(account, deposit, 1, {.amount = 49});
}

// With an input it is the withdrawal that varies.
RH_TEST(varied)
{
    rh_actor *account = rh_spawn(account_behaviour, struct account, {.balance = 30});
    may_come(account, rh_input(int, "withdrawn"));
}
