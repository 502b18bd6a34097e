// SPDX-License-Identifier: MIT
// Invariants and final checks look at the world through accessors.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(transfer, {
    rh_actor *to;
    int amount;
});
RH_MESSAGE(credit, { int amount; });
RH_SIGNAL(leave);

struct account {
    int balance;
};

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = state;
    const struct transfer *transfer;
    const struct credit *credit;
    (void)self;

    if ((transfer = rh_as(message, transfer))) {
        account->balance -= transfer->amount;
        rh_send(transfer->to, credit, {.amount = transfer->amount});
    } else if ((credit = rh_as(message, credit))) {
        account->balance += credit->amount;
    } else if (rh_as(message, leave)) {
        rh_stop();
    }
}

struct bank {
    rh_actor *accounts[2];
};

static int on_the_way(rh_actor *to)
{
    int sum = 0;
    size_t count = rh_view_count(to, credit);

    for (size_t i = 0; i < count; i++)
        sum += rh_view_pending(to, credit, i)->amount;
    rh_check(rh_view_pending(to, credit, count) == NULL);
    return sum;
}

static void no_money_lost(const void *context)
{
    const struct bank *bank = context;
    int sum = 0;

    for (int i = 0; i < 2; i++) {
        const struct account *account = rh_view_state(bank->accounts[i]);
        rh_check(account && rh_view_alive(bank->accounts[i]));
        sum += account->balance + on_the_way(bank->accounts[i]);
    }
    rh_check(sum == 20);
}

static void all_arrived(const void *context)
{
    const struct bank *bank = context;

    for (int i = 0; i < 2; i++)
        rh_check(rh_view_count(bank->accounts[i], credit) == 0);
}

static struct bank bank_new(void)
{
    rh_actor *first = rh_spawn(account_behaviour, struct account, {.balance = 10});
    rh_actor *second = rh_spawn(account_behaviour, struct account, {.balance = 10});
    struct bank bank = {.accounts = {first, second}};

    rh_send(first, transfer, {.to = second, .amount = 3});
    rh_send(second, transfer, {.to = first, .amount = 4});
    return bank;
}

// Chains transfer - credit, crosswise: C(4,2) = 6 executions, 18 deliveries.
RH_TEST(money_is_kept)
{
    struct bank bank = bank_new();

    rh_invariant(no_money_lost, struct bank, {.accounts = {bank.accounts[0], bank.accounts[1]}});
    rh_finally(all_arrived, struct bank, {.accounts = {bank.accounts[0], bank.accounts[1]}});
}

static void sum_is_twenty(const void *context)
{
    const struct bank *bank = context;
    const struct account *first = rh_view_state(bank->accounts[0]);
    const struct account *second = rh_view_state(bank->accounts[1]);

    rh_check(first->balance + second->balance == 20);
}

// Money on the way is forgotten: broken after the first delivery, be it the one or the other:
// 2 executions, 2 deliveries.
RH_TEST(invariant_breaks)
{
    struct bank bank = bank_new();

    rh_invariant(sum_is_twenty, struct bank, {.accounts = {bank.accounts[0], bank.accounts[1]}});
}

// The same rule at the end only holds: 6 executions, 18 deliveries.
RH_TEST(final_holds)
{
    struct bank bank = bank_new();

    rh_finally(sum_is_twenty, struct bank, {.accounts = {bank.accounts[0], bank.accounts[1]}});
}

static void still_there(const void *context)
{
    const struct bank *bank = context;

    rh_check(rh_view_alive(bank->accounts[0]) == (rh_view_state(bank->accounts[0]) != NULL));
    rh_check(rh_view_alive(bank->accounts[0]));
}

// 1 execution, 1 delivery, and the account is gone at its end.
RH_TEST(final_breaks)
{
    rh_actor *account = rh_spawn(account_behaviour, struct account, {.balance = 1});

    rh_finally(still_there, struct bank, {.accounts = {account}});
    rh_send(account, leave);
}
