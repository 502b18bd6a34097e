// SPDX-License-Identifier: MIT
// A client that knows its balance, two tellers, and the server that holds the money.
//
// The client lets a withdrawal through only if its own balance covers it, so the server trusts that
// it can always pay. But deposits go through one teller and withdrawals through the other, and
// nothing makes the deposit arrive first.
//
//     rehearse explore examples/bank.c
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(deposit, { int amount; });
RH_MESSAGE(withdraw, { int amount; });

struct server {
    int balance;
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct deposit *deposit;
    const struct withdraw *withdraw;
    (void)self;

    if ((deposit = rh_as(message, deposit))) {
        server->balance += deposit->amount;
    } else if ((withdraw = rh_as(message, withdraw))) {
        rh_check(server->balance >= withdraw->amount);
        server->balance -= withdraw->amount;
    }
}

struct teller {
    rh_actor *server;
};

static void teller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct teller *teller = state;
    const struct deposit *deposit;
    const struct withdraw *withdraw;
    (void)self;

    if ((deposit = rh_as(message, deposit))) {
        rh_send(teller->server, deposit, {.amount = deposit->amount});
    } else if ((withdraw = rh_as(message, withdraw))) {
        rh_send(teller->server, withdraw, {.amount = withdraw->amount});
    }
}

struct client {
    int balance;
    rh_actor *in;  // the teller that takes deposits
    rh_actor *out; // the teller that pays out
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct deposit *deposit;
    const struct withdraw *withdraw;
    (void)self;

    if ((deposit = rh_as(message, deposit))) {
        client->balance += deposit->amount;
        rh_send(client->in, deposit, {.amount = deposit->amount});
    } else if ((withdraw = rh_as(message, withdraw))) {
        if (client->balance >= withdraw->amount) {
            client->balance -= withdraw->amount;
            rh_send(client->out, withdraw, {.amount = withdraw->amount});
        }
    }
}

RH_TEST(overdraw)
{
    rh_actor *server = rh_spawn(server_behaviour, struct server, {.balance = 100});
    rh_actor *in = rh_spawn(teller_behaviour, struct teller, {.server = server});
    rh_actor *out = rh_spawn(teller_behaviour, struct teller, {.server = server});
    rh_actor *client =
        rh_spawn(client_behaviour, struct client, {.balance = 100, .in = in, .out = out});

    rh_send(client, deposit, {.amount = 50});
    rh_send(client, withdraw, {.amount = 120});
}
