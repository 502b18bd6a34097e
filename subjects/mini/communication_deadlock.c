// SPDX-License-Identifier: MIT
// Communication deadlock: two that wait for each other's answer.
//
// An account that gives sends a debit to the one that takes and waits for its answer; meanwhile it
// puts off everything else. If two accounts give to each other at the same time, each puts off the
// other's debit for ever: under any order rule. The same with calls, which put off everything by
// themselves. In the fixed twin an account that waits still answers debits.
//
// bug:     --test broken : deadlock
// cause:   give from outside reached account before debit from account
// bug:     --test broken_with_calls : deadlock
// cause:   give from outside reached calling before debit from calling
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(give, {
    rh_actor *to;
    int amount;
});
RH_MESSAGE(debit, { int amount; });
RH_SIGNAL(booked);

struct account {
    int balance;
    bool waits;
    bool answers_debits; // the fix
};

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = state;
    const struct give *give;
    const struct debit *debit;
    (void)self;

    if ((give = rh_as(message, give))) {
        account->balance -= give->amount;
        account->waits = true;
        rh_send(give->to, debit, {.amount = give->amount});
    } else if ((debit = rh_as(message, debit))) {
        account->balance += debit->amount;
        rh_reply(message, booked);
    } else if (rh_as(message, booked)) {
        account->waits = false;
    }
}

static bool account_guard(const void *state, const rh_message *message)
{
    const struct account *account = state;

    if (!account->waits || rh_as(message, booked))
        return true;
    return account->answers_debits && rh_as(message, debit);
}
RH_GUARD(account_behaviour, account_guard);

static void calling_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = state;
    const struct give *give;
    const struct debit *debit;
    (void)self;

    if ((give = rh_as(message, give))) {
        account->balance -= give->amount;
        rh_check(rh_as(rh_ask(give->to, debit, {.amount = give->amount}), booked));
    } else if ((debit = rh_as(message, debit))) {
        account->balance += debit->amount;
        rh_reply(message, booked);
    }
}

struct watched {
    rh_actor *first;
    rh_actor *second;
};

static void money_has_moved(const void *context)
{
    const struct watched *watched = context;
    const struct account *first = rh_view_state(watched->first);
    const struct account *second = rh_view_state(watched->second);

    rh_check(first->balance == 97 && second->balance == 103);
    rh_check(!first->waits && !second->waits);
}

static void exchange(rh_actor *first, rh_actor *second)
{
    rh_send(first, give, {.to = second, .amount = 5});
    rh_send(second, give, {.to = first, .amount = 2});
}

RH_TEST(broken)
{
    rh_actor *first = rh_spawn(account_behaviour, struct account, {.balance = 100});
    rh_actor *second = rh_spawn(account_behaviour, struct account, {.balance = 100});

    exchange(first, second);
}

RH_TEST(broken_with_calls)
{
    rh_actor *first = rh_spawn(calling_behaviour, struct account, {.balance = 100});
    rh_actor *second = rh_spawn(calling_behaviour, struct account, {.balance = 100});

    exchange(first, second);
}

RH_TEST(fixed)
{
    rh_actor *first =
        rh_spawn(account_behaviour, struct account, {.balance = 100, .answers_debits = true});
    rh_actor *second =
        rh_spawn(account_behaviour, struct account, {.balance = 100, .answers_debits = true});

    rh_finally(money_has_moved, struct watched, {.first = first, .second = second});
    exchange(first, second);
}
