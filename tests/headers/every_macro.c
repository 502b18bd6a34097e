// SPDX-License-Identifier: MIT
// Uses everything that actor.h and test.h offer, once with braces and once without where both exist.
// Compiled as C and as C++ by macros.sh, with all warnings on.
#include <stdlib.h>

#include <rehearse/test.h>

#include "shared.h"

struct account {
    int balance;
    rh_actor *next;
};

struct watched {
    rh_actor *account;
    int limit;
};

// A type name that is a typedef, and one with an anonymous member inside.
typedef struct {
    int first;
    struct {
        int second, third;
    } inner;
} pair;

static void release(rh_actor *self, void *state)
{
    (void)self;
    (void)state;
}

static void stateless_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, quit))
        rh_stop();
    else if (rh_as(message, get))
        rh_ignore(message);
    else
        rh_unhandled(message);
}

static void account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct account *account = (struct account *)state;
    const struct deposit *deposit;
    const struct transfer *transfer;

    rh_at_stop(release);
    rh_progress();
    if ((deposit = rh_as(message, deposit))) {
        account->balance += deposit->amount;
        rh_reply(message, deposit, {.amount = account->balance});
        rh_reply(message, quit);
    } else if ((transfer = rh_as(message, transfer))) {
        rh_check(account->balance >= transfer->amount + transfer->fee);
        rh_send(transfer->to, deposit, {.amount = transfer->amount});
        rh_send(self, transfer, {.amount = 1, .fee = 2, .to = rh_self(), .reason = "a, b"});
        rh_send(rh_sender(message), get);
        const rh_message *reply = rh_ask(transfer->to, deposit, {.amount = 1});
        rh_check(rh_as(reply, deposit) != NULL);
        reply = rh_ask(transfer->to, get);
        rh_check(rh_size(reply) == 0 && rh_name(reply)[0] != '\0');
        rh_after(500, self, deposit, {.amount = rh_choose(3)});
        rh_after(rh_now() + 1, self, quit);
        rh_become(stateless_behaviour);
    } else {
        char *buffer = (char *)malloc(10);
        rh_send(account->next, job, {.buffer = (char *)rh_give(buffer), .length = 10});
        struct packet packet = {8, "1234567"};
        rh_send_sized(account->next, packet, &packet, sizeof packet);
        rh_unhandled(message);
    }
}

static bool account_guard(const void *state, const rh_message *message)
{
    const struct account *account = (const struct account *)state;
    return account->balance > 0 || !rh_as(message, get);
}
RH_GUARD(account_behaviour, account_guard);

static void never_negative(const void *context)
{
    const struct watched *watched = (const struct watched *)context;
    const struct account *account = (const struct account *)rh_view_state(watched->account);
    rh_check(!account || account->balance >= watched->limit);
    rh_check(rh_view_alive(watched->account));
    for (size_t i = 0; i < rh_view_count(watched->account, deposit); i++)
        rh_check(rh_view_pending(watched->account, deposit, i)->amount > 0);
}

RH_TEST(every_macro)
{
    int start = rh_input(int, "start") + rh_parameter(int, offset, 0);
    rh_actor *other = rh_spawn(other_behaviour);
    rh_actor *account =
        rh_spawn(account_behaviour, struct account, {.balance = start, .next = other});
    rh_actor *paired = rh_spawn(stateless_behaviour, pair, {1, {2, 3}});
    rh_actor *sized = rh_spawn_sized(stateless_behaviour, &start, sizeof start);
    rh_actor *late = rh_reserve(account_behaviour);
    rh_actor *later = rh_reserve(stateless_behaviour);
    rh_actor *latest = rh_reserve(stateless_behaviour);
    rh_spawn_at(late, struct account, {.balance = start, .next = later});
    rh_spawn_at_sized(later, &start, sizeof start);
    rh_spawn_at(latest);
    struct account *begun = (struct account *)rh_state_of(late);
    begun->next = *(rh_actor **)rh_block_of(late, sizeof begun->next);
    rh_actor *client = rh_outside("client");
    rh_receptionist(account);
    rh_send_from(client, account, deposit, {.amount = 5});
    rh_send_from(client, account, get);
    rh_may_come(account, get, 2);
    rh_may_come(account, deposit, start + 1, {.amount = 5});
    rh_may_come(account, transfer, 1, {1, 2, paired, "by position"});
    rh_send(paired, quit);
    rh_send(sized, transfer, {1, 2, paired, "by position"});
    rh_invariant(never_negative, struct watched, {.account = account, .limit = 0});
    rh_finally(never_negative, struct watched, {account, 0});
}

RH_TEST_ORDER(every_macro, "deliver deposit to account#1 from client\n"
                           "deliver quit to stateless#1");
RH_INVARIANT(every_macro)
{
    rh_check(rh_view_named("account#1"));
}
RH_FINALLY(every_macro)
{
    rh_check(rh_view_alive(rh_view_named("account#2")));
}

// Macros stand where one statement stands, and each argument is evaluated once.
RH_TEST(as_statements)
{
    int count = 0;
    int amount = 0;
    rh_actor *actors[4];
    for (int i = 0; i < 4; i++)
        actors[i] = rh_spawn(stateless_behaviour);
    if (count)
        rh_send(actors[count++], get);
    else
        rh_send(actors[count++], deposit, {.amount = ++amount});
    rh_check(count == 1 && amount == 1);
}

// A name may go on from another with a word that macros might use for themselves.
RH_SIGNAL(entry_get);
RH_SIGNAL(listed_get);

static void entry_account_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (!rh_as(message, entry_get) && !rh_as(message, listed_get))
        rh_ignore(message);
}
RH_GUARD(entry_account_behaviour, account_guard);

RH_TEST(entry_as_statements)
{
}

RH_TEST(body_as_statements)
{
}

RH_TEST(of_as_statements)
{
}

RH_TEST(listed_as_statements)
{
}
