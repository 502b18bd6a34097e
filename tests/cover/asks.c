// SPDX-License-Identifier: MIT
// Actors that wait for replies: those are no receives to put in order, and nothing comes between.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(query, { int key; });
RH_MESSAGE(answer, { int value; });
RH_MESSAGE(start, { int key; });
RH_SIGNAL(ping);

struct store {
    rh_actor *behind; // asked in turn; NULL: answers itself
    int asked;
};

static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct store *store = state;
    const struct query *query = rh_as(message, query);
    (void)self;
    store->asked++;
    if (rh_as(message, ping) || !query)
        return;
    int value = query->key;
    if (store->behind) {
        const rh_message *reply = rh_ask(store->behind, query, {.key = query->key});
        value = rh_as(reply, answer)->value;
    }
    rh_reply(message, answer, {.value = value + 1});
}

struct client {
    rh_actor *store;
    int sum;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct start *start = rh_as(message, start);
    (void)self;
    if (!start)
        return;
    const rh_message *reply = rh_ask(client->store, query, {.key = start->key});
    client->sum += rh_as(reply, answer)->value;
    rh_send(client->store, ping);
}

RH_TEST(two_clients)
{
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.behind = NULL});
    rh_actor *ann = rh_outside("ann"), *ben = rh_outside("ben");
    for (int i = 0; i < 2; i++) {
        rh_actor *client = rh_spawn(client_behaviour, struct client, {.store = store});
        rh_send_from(ann, client, start, {.key = 1});
        rh_send_from(ben, client, start, {.key = 2});
    }
}

RH_TEST(chain)
{
    rh_actor *last = rh_spawn(store_behaviour, struct store, {.behind = NULL});
    rh_actor *first = rh_spawn(store_behaviour, struct store, {.behind = last});
    rh_actor *client = rh_spawn(client_behaviour, struct client, {.store = first});
    rh_send_from(rh_outside("ann"), client, start, {.key = 1});
    rh_send_from(rh_outside("ben"), client, start, {.key = 2});
    rh_send_from(rh_outside("eva"), last, ping);
}
