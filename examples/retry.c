// SPDX-License-Identifier: MIT
// A client that asks a store again when no answer comes in time.
//
// The timer may fire while the answer is on its way. Then two answers come, and a client that takes
// any answer for the one it waits for reads the second as the value of the next key.
//
//     rehearse explore examples/retry.c --test late_answer
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { KEYS = 2 };

RH_SIGNAL(start);
RH_MESSAGE(read, { int key; });
RH_MESSAGE(value, {
    int key;
    int number;
});
RH_MESSAGE(timeout, { int key; });

static int number_of(int key)
{
    return 100 + key;
}

static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct read *read;
    (void)self;
    (void)state;

    if ((read = rh_as(message, read)))
        rh_reply(message, value, {.key = read->key, .number = number_of(read->key)});
}

struct client {
    rh_actor *store;
    bool careful; // looks at the key of an answer before it takes it
    int key;      // the one it waits for
    int retries;  // left
};

static void request(const struct client *client)
{
    rh_send(client->store, read, {.key = client->key});
    if (client->retries > 0)
        rh_after(100, rh_self(), timeout, {.key = client->key});
}

static void take(struct client *client, const struct value *value)
{
    if (client->careful && value->key != client->key)
        return;
    if (client->key > KEYS)
        return;
    rh_check(value->number == number_of(client->key));
    client->key++;
    if (client->key <= KEYS)
        request(client);
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct value *value;
    const struct timeout *timeout;
    (void)self;

    if (rh_as(message, start)) {
        request(client);
    } else if ((value = rh_as(message, value))) {
        take(client, value);
    } else if ((timeout = rh_as(message, timeout))) {
        if (timeout->key == client->key && client->retries > 0) {
            client->retries--;
            request(client);
        }
    }
}

static void read_all(bool careful)
{
    rh_actor *store = rh_spawn(store_behaviour);
    rh_actor *client = rh_spawn(client_behaviour, struct client,
                                {.store = store, .careful = careful, .key = 1, .retries = 1});

    rh_send(client, start);
}

RH_TEST(late_answer)
{
    read_all(false);
}

RH_TEST(careful_client)
{
    read_all(true);
}
