// SPDX-License-Identifier: MIT
// What actors send depends on fields of what they receive, on its number, and on choices of their own.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_MESSAGE(question, {
    int amount;
    int limit;
});
RH_SIGNAL(much);
RH_SIGNAL(over);
RH_SIGNAL(third);
RH_SIGNAL(lucky);

struct server {
    int questions;
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct question *question = rh_as(message, question);
    (void)self;
    if (!question)
        return;
    if (question->amount >= 30)
        rh_reply(message, much);
    if (question->amount == question->limit)
        rh_reply(message, over);
    if (++server->questions == 3)
        rh_reply(message, third);
}

struct client {
    rh_actor *server;
    int amount;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    (void)self;
    if (rh_as(message, much) || rh_as(message, over) || rh_as(message, third) ||
        rh_as(message, lucky) || !rh_as(message, start))
        return;
    for (int amount = client->amount; amount < client->amount + 20; amount += 10)
        rh_send(client->server, question,
                {.amount = amount, .limit = amount < 20 || amount > 30 ? 50 - amount : amount});
}

struct dice {
    rh_actor *client;
};

static void dice_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct dice *dice = state;
    (void)self;
    if (rh_as(message, start) && rh_choose(3) == 2)
        rh_send(dice->client, lucky);
}

RH_TEST(shop)
{
    rh_actor *server = rh_spawn(server_behaviour, struct server, {.questions = 0});
    rh_actor *first = rh_spawn(client_behaviour, struct client, {.server = server, .amount = 10});
    rh_actor *second = rh_spawn(client_behaviour, struct client, {.server = server, .amount = 30});
    rh_send(rh_spawn(dice_behaviour, struct dice, {.client = first}), start);
    rh_send(first, start);
    rh_send(second, start);
}
