// SPDX-License-Identifier: MIT
// A handler that asks over and over, and what it keeps of the replies. asks.sh says which of these go round for ever.
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <stdlib.h>

RH_SIGNAL(go);
RH_SIGNAL(get);
RH_MESSAGE(got, { int value; });

struct server {
    int value;
    int step;
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    (void)self;
    if (rh_as(message, get)) {
        rh_reply(message, got, {.value = server->value});
        server->value = (server->value + server->step) % 3;
    }
}

struct endless_server {
    int value;
};

static void endless_server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct endless_server *server = state;
    (void)self;
    if (rh_as(message, get))
        rh_reply(message, got, {.value = server->value++ & 1});
}

struct client {
    rh_actor *server;
};

// The replies are nobody's.
static void discard_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;
    while (rh_as(message, go))
        rh_ask(client->server, get);
}

// A variable holds the newest reply while the next is asked for.
static void poll_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    const struct got *got = NULL;
    (void)self;
    if (rh_as(message, go))
        while (!got || got->value < 5)
            got = rh_as(rh_ask(client->server, get), got);
}

// Two variables hold the newest ones.
static void compare_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    const struct got *newest = NULL, *before = NULL;
    (void)self;
    if (rh_as(message, go))
        do {
            before = newest;
            newest = rh_as(rh_ask(client->server, get), got);
        } while (!before || newest->value + before->value < 5);
}

struct kept {
    const struct got *got;
    struct kept *next;
};

// All are kept, in memory of the actor's own.
static void keep_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    struct kept *all = NULL;
    (void)self;
    while (rh_as(message, go)) {
        struct kept *kept = malloc(sizeof *kept);
        kept->got = rh_as(rh_ask(client->server, get), got);
        kept->next = all;
        all = kept;
    }
}

static void start(rh_behaviour *behaviour, int step)
{
    rh_actor *server = rh_spawn(server_behaviour, struct server, {.value = 0, .step = step});
    rh_actor *client = rh_spawn(behaviour, struct client, {.server = server});
    rh_send(client, go);
}

RH_TEST(discards)
{
    start(discard_behaviour, 0);
}

RH_TEST(discards_three)
{
    start(discard_behaviour, 1);
}

RH_TEST(polls)
{
    start(poll_behaviour, 0);
}

// What the newest reply says decides what comes, and there are three of them.
RH_TEST(polls_three)
{
    start(poll_behaviour, 1);
}

RH_TEST(compares)
{
    start(compare_behaviour, 1);
}

RH_TEST(keeps)
{
    start(keep_behaviour, 0);
}

// The replies come back, but the server does not.
RH_TEST(server_counts)
{
    rh_actor *server = rh_spawn(endless_server_behaviour, struct endless_server, {.value = 0});
    rh_actor *client = rh_spawn(poll_behaviour, struct client, {.server = server});
    rh_send(client, go);
}
