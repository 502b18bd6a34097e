// SPDX-License-Identifier: MIT
// Asking and replying.
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(poke);
RH_SIGNAL(note);
RH_MESSAGE(get, { int number; });
RH_MESSAGE(value, { int number; });

// Answers with the number plus one, after it has asked the next one if there is one.
static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *next = *(rh_actor **)state;
    const struct get *get;
    (void)self;

    if ((get = rh_as(message, get))) {
        int number = get->number + 1;
        if (next) {
            const rh_message *reply = rh_ask(next, get, {.number = number});
            rh_check(rh_sender(reply) == next);
            // The request is still there although other messages were delivered since.
            rh_check(get->number + 1 == number);
            number = rh_as(reply, value)->number;
        }
        rh_reply(message, value, {.number = number});
    }
}

struct client {
    rh_actor *server;
    int rounds;
    int result;
    bool waiting;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;

    if (rh_as(message, go)) {
        char local[64];
        const rh_message *first = NULL;
        int number = 0;
        memset(local, 'x', sizeof local);
        for (int i = 0; i < client->rounds; i++) {
            client->waiting = true;
            const rh_message *reply = rh_ask(client->server, get, {.number = number});
            client->waiting = false;
            rh_check(rh_self() == self);
            number = rh_as(reply, value)->number;
            if (!first)
                first = reply;
        }
        // Locals and earlier replies outlive the waits.
        for (size_t i = 0; i < sizeof local; i++)
            rh_check(local[i] == 'x');
        rh_check(rh_as(first, value)->number <= number);
        client->result = number;
    } else if (rh_as(message, poke)) {
        rh_check(!client->waiting);
    }
}

struct expected {
    rh_actor *client;
    int result;
};

static void result_is(const void *context)
{
    const struct expected *expected = context;
    const struct client *client = rh_view_state(expected->client);

    rh_check(client->result == expected->result);
}

static rh_actor *client_of(rh_actor *server, int rounds, int result)
{
    rh_actor *client =
        rh_spawn(client_behaviour, struct client, {.server = server, .rounds = rounds});

    rh_finally(result_is, struct expected, {.client = client, .result = result});
    return client;
}

// go, get, value: 1 execution, 3 deliveries.
RH_TEST(ask_once)
{
    rh_actor *server = rh_spawn(server_behaviour, rh_actor *, {NULL});

    rh_send(client_of(server, 1, 1), go);
}

// go and three times get, value: 1 execution, 7 deliveries.
RH_TEST(ask_in_loop)
{
    rh_actor *server = rh_spawn(server_behaviour, rh_actor *, {NULL});

    rh_send(client_of(server, 3, 3), go);
}

// The server asks another one, who asks a third: go, 3 gets, 3 values: 1 execution, 7 deliveries.
RH_TEST(ask_nested)
{
    rh_actor *third = rh_spawn(server_behaviour, rh_actor *, {NULL});
    rh_actor *second = rh_spawn(server_behaviour, rh_actor *, {third});
    rh_actor *first = rh_spawn(server_behaviour, rh_actor *, {second});

    rh_send(client_of(first, 1, 3), go);
}

// While the client waits only its reply is deliverable, so poke comes before go or after the
// value: 2 executions of 4 deliveries without a common first one: 8 deliveries.
RH_TEST(only_the_reply)
{
    rh_actor *server = rh_spawn(server_behaviour, rh_actor *, {NULL});
    rh_actor *client = client_of(server, 1, 1);

    rh_send(client, go);
    rh_send_from(rh_outside("other"), client, poke);
}

// Two clients of one server: chains go - get - value of three: C(6,3) = 20 executions. The
// nodes are the interleavings of i and j deliveries, i, j <= 3: C(8,4) - 1 with the root, so 68.
RH_TEST(two_clients)
{
    rh_actor *server = rh_spawn(server_behaviour, rh_actor *, {NULL});

    rh_send(client_of(server, 1, 1), go);
    rh_send(client_of(server, 1, 1), go);
}

struct ordered {
    int notes;
};

static void ordered_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct ordered *ordered = state;
    (void)self;

    if (rh_as(message, note)) {
        ordered->notes++;
    } else if (rh_as(message, get)) {
        rh_check(ordered->notes == 1);
        rh_reply(message, value, {.number = ordered->notes});
    }
}

static void noting_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *server = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        rh_send(server, note);
        const rh_message *reply = rh_ask(server, get, {.number = 0});
        rh_check(rh_as(reply, value)->number == 1);
        rh_send(server, note);
    }
}

// The request keeps its place behind the note: go, note, get, value, note: 1 execution,
// 5 deliveries. With --delivery any it may overtake the note, and the server's check fails: a second
// execution of 2 deliveries, the first in common: 6 deliveries.
RH_TEST(request_is_fifo)
{
    rh_actor *server = rh_spawn(ordered_behaviour, struct ordered, {.notes = 0});

    rh_send(rh_spawn(noting_behaviour, rh_actor *, {server}), go);
}

static void chatty_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, get)) {
        rh_send(rh_sender(message), poke);
        rh_reply(message, value, {.number = 1});
        rh_send(rh_sender(message), poke);
    }
}

// The server sends poke, the value, poke. The value passes the first poke, for the client takes
// nothing else: go, get, value, poke, poke: 1 execution, 5 deliveries.
RH_TEST(reply_is_exempt_from_fifo)
{
    rh_actor *server = rh_spawn(chatty_behaviour);

    rh_send(client_of(server, 1, 1), go);
}

static void twice_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, get)) {
        rh_reply(message, value, {.number = 1});
        rh_reply(message, value, {.number = 2});
    }
}

// go, get: the second reply to one request is a finding: 1 execution, 2 deliveries.
RH_TEST(second_reply)
{
    rh_send(client_of(rh_spawn(twice_behaviour), 1, 1), go);
}

static void sending_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *server = *(rh_actor **)state;
    const struct value *value;
    (void)self;

    if (rh_as(message, go)) {
        rh_send(server, get, {.number = 6});
        rh_send(server, get, {.number = 7});
    } else if ((value = rh_as(message, value))) {
        rh_check(rh_sender(message) == server);
        rh_check(value->number == 7 || value->number == 8);
    }
}

// A reply to a message that was sent, not asked, is an ordinary send: go, then get(6) < get(7),
// get(6) < value(7) < value(8), get(7) < value(8): get(7) and value(7) in either order:
// 2 executions, 2 + 2 * 3 = 8 deliveries.
RH_TEST(reply_to_plain_send)
{
    rh_actor *server = rh_spawn(server_behaviour, rh_actor *, {NULL});

    rh_send(rh_spawn(sending_behaviour, rh_actor *, {server}), go);
}
