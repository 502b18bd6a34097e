// SPDX-License-Identifier: MIT
// A bank, after a sample program of Setak and Bita.
//
// To transfer money the bank has it paid in to one account and taken from another at once. An
// account refuses to be overdrawn by more than ten, and then money has been paid in without having
// been taken from anywhere. Under any order rule it depends on which comes first: the transfer that
// an account is paid by, or the one by which it pays. In the fixed twin the bank pays in when the
// money has been taken, under any order rule.
//
// bug:     --test buggy : final
// cause:   transfer from customer reached office before transfer from customer
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST_ACCOUNTS = 16, OVERDRAFT = 10, AMOUNT = 20 };

RH_MESSAGE(pay, { int times; });
RH_MESSAGE(transfer, {
    int from;
    int to;
    int amount;
});
RH_MESSAGE(deposit, { int amount; });
RH_MESSAGE(withdraw, {
    int to; // where it goes
    int amount;
});
RH_MESSAGE(withdrawn, {
    int to;
    int amount;
});
RH_MESSAGE(refused, { int amount; });

struct accounts {
    int count;
    rh_actor *account[MOST_ACCOUNTS];
};

// Set by the test's body, and only read afterwards.
static struct {
    bool takes_first; // the fix
    rh_actor *office;
    struct accounts accounts;
} bank;

struct account {
    int balance;
};

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = state;
    const struct deposit *deposit;
    const struct withdraw *withdraw;
    (void)self;

    if ((deposit = rh_as(message, deposit))) {
        account->balance += deposit->amount;
    } else if ((withdraw = rh_as(message, withdraw))) {
        if (account->balance - withdraw->amount < -OVERDRAFT) {
            rh_reply(message, refused, {.amount = withdraw->amount});
        } else {
            account->balance -= withdraw->amount;
            rh_reply(message, withdrawn, {.to = withdraw->to, .amount = withdraw->amount});
        }
    }
}

struct office {
    int refused;
};

static void pay_in(int account, int amount)
{
    rh_send(bank.accounts.account[account], deposit, {.amount = amount});
}

static void office_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct office *office = state;
    const struct transfer *transfer;
    const struct withdrawn *withdrawn;
    (void)self;

    if ((transfer = rh_as(message, transfer))) {
        if (!bank.takes_first)
            pay_in(transfer->to, transfer->amount);
        rh_send(bank.accounts.account[transfer->from], withdraw,
                {.to = transfer->to, .amount = transfer->amount});
    } else if ((withdrawn = rh_as(message, withdrawn))) {
        if (bank.takes_first)
            pay_in(withdrawn->to, withdrawn->amount);
    } else if (rh_as(message, refused)) {
        office->refused++;
    }
}

struct customer {
    int account; // pays to the next one
};

static void customer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct customer *customer = state;
    const struct pay *pay = rh_as(message, pay);
    (void)self;

    for (int i = 0; pay && i < pay->times; i++)
        rh_send(bank.office, transfer,
                {.from = customer->account, .to = customer->account + 1, .amount = AMOUNT});
}

struct watched {
    struct accounts accounts;
    int total;
};

static void money_is_neither_made_nor_lost(const void *context)
{
    const struct watched *watched = context;
    int total = 0;

    for (int i = 0; i < watched->accounts.count; i++) {
        const struct account *account = rh_view_state(watched->accounts.account[i]);
        total += account->balance;
    }
    rh_check(total == watched->total);
}

static void open_bank(bool takes_first, int accounts)
{
    bank.takes_first = takes_first;
    bank.office = rh_spawn(office_behaviour, struct office, {.refused = 0});
    bank.accounts.count = accounts;
    for (int i = 0; i < accounts; i++)
        bank.accounts.account[i] =
            rh_spawn(account_behaviour, struct account, {.balance = i == 0 ? 100 : 5});
    rh_finally(money_is_neither_made_nor_lost, struct watched,
               {.accounts = bank.accounts, .total = 100 + 5 * (accounts - 1)});
}

// The first account can pay; each of the others if it has been paid. Nobody owns the last.
static void pay_round(bool takes_first, int accounts, int times)
{
    open_bank(takes_first, accounts);
    for (int i = 0; i < accounts - 1; i++) {
        rh_actor *customer = rh_spawn(customer_behaviour, struct customer, {.account = i});
        rh_send(customer, pay, {.times = times});
    }
}

RH_TEST(buggy)
{
    pay_round(false, 3, 1);
}

RH_TEST(fixed)
{
    pay_round(true, 3, 1);
}

RH_TEST(buggy_full)
{
    pay_round(false, MOST_ACCOUNTS, 4);
}

RH_TEST(fixed_full)
{
    pay_round(true, MOST_ACCOUNTS, 4);
}
