// SPDX-License-Identifier: MIT
// BankTransaction of Savina: a teller orders transfers between accounts. An account that is to pay
// takes the money off its balance, and waits until the other has it before it does anything else.
//
// Nothing goes wrong under any order rule, since money goes to accounts with higher numbers only. In
// `both_ways` it goes back too, which the original never lets it do: two accounts wait for each
// other for ever.
#include "savina.h"

enum { ACCOUNTS = 1000, BALANCE = 1 << 20, MOST = 1000 };

RH_SIGNAL(start);
RH_MESSAGE(credit, {
    rh_actor *recipient;
    int amount;
});
RH_MESSAGE(debit, { int amount; });
RH_SIGNAL(debited);
RH_SIGNAL(transferred);
RH_SIGNAL(stop);
RH_MESSAGE(closed, { long balance; });

struct account {
    long balance;
};

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = state;
    const struct credit *credit;
    const struct debit *debit;
    (void)self;

    if ((credit = rh_as(message, credit))) {
        account->balance -= credit->amount;
        rh_check(rh_as(rh_ask(credit->recipient, debit, {.amount = credit->amount}), debited));
        rh_reply(message, transferred);
    } else if ((debit = rh_as(message, debit))) {
        account->balance += debit->amount;
        rh_reply(message, debited);
    } else if (rh_as(message, stop)) {
        rh_reply(message, closed, {.balance = account->balance});
        rh_stop();
    }
}

struct teller {
    int accounts;
    long transfers;
    bool both_ways; // every second one goes back
    long done;
    int closed;
    long sum;
    struct random random;
    rh_actor *account[ACCOUNTS];
};

static void order_transfer(struct teller *teller, bool goes_back)
{
    int from = next_random(&teller->random, teller->accounts * 8 / 10);
    int further = next_random(&teller->random, teller->accounts - from);
    int to = from + (further > 0 ? further : 1);
    int amount = next_random(&teller->random, MOST);

    rh_send(teller->account[goes_back ? to : from], credit,
            {.recipient = teller->account[goes_back ? from : to], .amount = amount});
}

static void begin(struct teller *teller)
{
    for (int i = 0; i < teller->accounts; i++)
        teller->account[i] = rh_spawn(account_behaviour, struct account, {.balance = BALANCE});
    for (long i = 0; i < teller->transfers; i++)
        order_transfer(teller, teller->both_ways && i % 2 == 1);
}

static void teller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct teller *teller = state;
    const struct closed *closed;
    (void)self;

    if (rh_as(message, start)) {
        begin(teller);
    } else if (rh_as(message, transferred) && ++teller->done == teller->transfers) {
        for (int i = 0; i < teller->accounts; i++)
            rh_send(teller->account[i], stop);
    } else if ((closed = rh_as(message, closed))) {
        teller->sum += closed->balance;
        if (++teller->closed == teller->accounts) {
            rh_check(teller->sum == (long)teller->accounts * BALANCE);
            rh_stop();
        }
    }
}

static void bank(int accounts, long transfers, bool both_ways)
{
    rh_actor *teller = rh_spawn(teller_behaviour, struct teller,
                                {.accounts = accounts,
                                 .transfers = transfers,
                                 .both_ways = both_ways,
                                 .random = {SAVINA_SEED}});

    rh_send(teller, start);
}

static void set_up(void *context)
{
    const long *transfers = context;

    bank(ACCOUNTS, *transfers, false);
}

RH_TEST(small)
{
    bank(3, 3, false);
}

RH_TEST(both_ways)
{
    bank(2, 2, true);
}

RH_TEST(one_way)
{
    bank(rh_parameter(int, accounts, 2), rh_parameter(int, transfers, 2), false);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 50000, set_up);
}
