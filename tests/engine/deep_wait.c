// SPDX-License-Identifier: MIT
// A handler waits with a large frame of which it has written little. What other handlers left there is no part of
// its state, whichever executions were undone before.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });
RH_MESSAGE(value, { int number; });
RH_SIGNAL(get);

struct client {
    rh_actor *server;
    int value;
};

struct server {
    int count;
};

static void hide(char *bytes)
{
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    (void)self;

    if (rh_as(message, go)) {
        char bytes[20000];
        hide(bytes);
        bytes[0] = 1;
        const rh_message *reply = rh_ask(client->server, get);
        client->value = rh_as(reply, value)->number;
        hide(bytes);
    }
}

static void dirty_stack(int number)
{
    char bytes[30000];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)number;
    hide(bytes);
}

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct go *go;
    (void)self;

    if (rh_as(message, get)) {
        server->count++;
        rh_reply(message, value, {.number = server->count});
    } else if ((go = rh_as(message, go))) {
        dirty_stack(go->number);
        server->count += 10;
    }
}

RH_TEST(deep_wait)
{
    rh_actor *server = rh_spawn(server_behaviour, struct server, {0});
    rh_actor *first = rh_spawn(client_behaviour, struct client, {.server = server});
    rh_actor *second = rh_spawn(client_behaviour, struct client, {.server = server});

    rh_send(first, go, {.number = 1});
    rh_send(second, go, {.number = 2});
    rh_send(server, go, {.number = 3});
}
