// SPDX-License-Identifier: MIT
// A server that holds a value, and a client that takes two readings of it for one.
//
// The client sends `set`, asks for the value twice, expects 5 both times, and stops the server.
// Known bug, an atomicity violation, where `set` and `get` of one client are not ordered:
// - `--delivery any`: get, set, get reads 0 and then 5; a set may even come last, and is lost.
// - `--delivery fifo`, if each call goes through a temporary actor, as in some libraries.
// The readings may be (5,5), (0,5) and (0,0). In the fixed client the set is a call too.
//
// bug:     --test equal_readings --delivery any : check
// cause:   get from client reached server before set from client
// bug:     --test right_readings --delivery any : check
// cause:   get from client reached server before set from client
// bug:     --test readings_by_courier : check
// cause:   get from courier reached server before set from remote
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_MESSAGE(set, { int value; });
RH_SIGNAL(was_set);
RH_SIGNAL(get);
RH_MESSAGE(value, { int number; });
RH_SIGNAL(shutdown);

struct server {
    int value;
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct set *set;
    (void)self;

    if ((set = rh_as(message, set)))
        server->value = set->value;
    else if (rh_as(message, get))
        rh_reply(message, value, {.number = server->value});
    else if (rh_as(message, shutdown))
        rh_stop();
}

// A server that confirms.
static void polite_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    server_behaviour(self, state, message);
    if (rh_as(message, set))
        rh_reply(message, was_set);
}

enum oracle { NO_ORACLE, EQUAL, EQUAL_AND_SET };

struct client {
    rh_actor *server;
    enum oracle oracle;
};

static int read_value(rh_actor *server)
{
    const rh_message *reply = rh_ask(server, get);
    return rh_as(reply, value)->number;
}

static void judge(enum oracle oracle, int first, int second)
{
    if (oracle != NO_ORACLE)
        rh_check(first == second);
    if (oracle == EQUAL_AND_SET)
        rh_check(second == 5);
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;

    if (!rh_as(message, start))
        return;
    rh_send(client->server, set, {.value = 5});
    int first = read_value(client->server);
    int second = read_value(client->server);
    rh_send(client->server, shutdown);
    judge(client->oracle, first, second);
}

static void patient_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;

    if (!rh_as(message, start))
        return;
    const rh_message *reply = rh_ask(client->server, set, {.value = 5});
    rh_check(rh_as(reply, was_set));
    int first = read_value(client->server);
    int second = read_value(client->server);
    rh_send(client->server, shutdown);
    judge(client->oracle, first, second);
}

// The temporary actor of one call: it asks in the client's place.
static void courier_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;

    if (!rh_as(message, get))
        return;
    int number = read_value(client->server);
    rh_reply(message, value, {.number = number});
    rh_stop();
}

static int read_by_courier(rh_actor *server)
{
    rh_actor *courier = rh_spawn(courier_behaviour, struct client, {.server = server});
    return read_value(courier);
}

static void remote_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;

    if (!rh_as(message, start))
        return;
    rh_send(client->server, set, {.value = 5});
    int first = read_by_courier(client->server);
    int second = read_by_courier(client->server);
    rh_send(client->server, shutdown);
    judge(client->oracle, first, second);
}

static rh_actor *new_server(void)
{
    return rh_spawn(server_behaviour, struct server, {.value = 0});
}

static void run_client(enum oracle oracle)
{
    rh_actor *server = new_server();
    rh_actor *client =
        rh_spawn(client_behaviour, struct client, {.server = server, .oracle = oracle});

    rh_send(client, start);
}

// Without an oracle, to count executions that no failed check cuts short.
RH_TEST(readings)
{
    run_client(NO_ORACLE);
}

RH_TEST(equal_readings)
{
    run_client(EQUAL);
}

RH_TEST(right_readings)
{
    run_client(EQUAL_AND_SET);
}

RH_TEST(readings_by_courier)
{
    rh_actor *server = new_server();
    rh_actor *client =
        rh_spawn(remote_behaviour, struct client, {.server = server, .oracle = EQUAL});

    rh_send(client, start);
}

RH_TEST(fixed)
{
    rh_actor *server = rh_spawn(polite_behaviour, struct server, {.value = 0});
    rh_actor *client =
        rh_spawn(patient_behaviour, struct client, {.server = server, .oracle = EQUAL_AND_SET});

    rh_send(client, start);
}
