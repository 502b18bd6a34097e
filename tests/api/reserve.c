// SPDX-License-Identifier: MIT
// Addresses before their actors: states that name each other, messages that wait, and misuse.
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(token, { int hops; });
RH_SIGNAL(go);
RH_MESSAGE(hello, { int number; });
RH_MESSAGE(answer, { int number; });

struct node {
    int number;
    rh_actor *next;
};

static void node_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct node *node = state;
    const struct token *token = rh_as(message, token);
    rh_check(node->next != self);
    if (token && token->hops > 0)
        rh_send(node->next, token, {.hops = token->hops - 1});
    if (token && token->hops == 0)
        rh_check(node->number == 2);
}

// Four deliveries, one after the other: 3 and 1 to the first, 2 and 0 to the second.
RH_TEST(ring)
{
    rh_actor *first = rh_reserve(node_behaviour);
    rh_actor *second = rh_spawn(node_behaviour, struct node, {.number = 2, .next = first});
    rh_spawn_at(first, struct node, {.number = 1, .next = second});
    rh_send(first, token, {.hops = 3});
}

struct greeter {
    int expected;
    rh_actor *friend;
};

static void greeter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct greeter *greeter = state;
    (void)self;
    if (rh_as(message, hello))
        rh_check(greeter->expected == 7);
    if (rh_as(message, go))
        rh_send(greeter->friend, hello, {.number = 2});
}

// The first hello is sent before its receiver has a state. It comes before, between or after go and
// the second hello: 3 executions. 2 deliveries can come first, 3 second, and 3 third: 8.
RH_TEST(message_waits)
{
    rh_actor *late = rh_reserve(greeter_behaviour);
    rh_send(late, hello, {.number = 1});
    rh_actor *other = rh_spawn(greeter_behaviour, struct greeter, {.friend = late});
    rh_send(other, go);
    rh_spawn_at(late, struct greeter, {.expected = 7, .friend = other});
}

static void couple_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct node *node = state;
    const struct hello *hello = rh_as(message, hello);
    rh_check(hello && node->number == hello->number && node->next != self);
    if (hello->number == 1)
        rh_send(node->next, hello, {.number = 2});
    else
        rh_check(rh_sender(message) == node->next);
}

static void maker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (!rh_as(message, go))
        return;
    rh_actor *left = rh_reserve(couple_behaviour);
    rh_actor *right = rh_reserve(couple_behaviour);
    rh_send(left, hello, {.number = 1});
    rh_spawn_at(right, struct node, {.number = 2, .next = left});
    rh_spawn_at(left, struct node, {.number = 1, .next = right});
}

// After the first go come its two hellos, and the second go with two more, in any order that keeps
// these sequences of two and three: 10. Beginnings of such orders: one for the first go, and the
// sum of C(i + j, i) over all i <= 2, j <= 3 but (0, 0), which is 33: 34.
RH_TEST(in_handler)
{
    rh_actor *maker = rh_spawn(maker_behaviour);
    rh_send(maker, go);
    rh_send(maker, go);
}

static void plain_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go))
        rh_check(!state || !strcmp(state, "bytes"));
}

// One message to each of two actors: 2 executions, 4 deliveries.
RH_TEST(other_forms)
{
    rh_actor *plain = rh_reserve(plain_behaviour);
    rh_actor *sized = rh_reserve(&plain_behaviour);
    rh_send(sized, go);
    rh_send(plain, go);
    rh_spawn_at_sized(sized, "bytes", 6);
    rh_spawn_at(plain);
}

// Nothing is delivered in the first three of these, and each is one execution.
RH_TEST(never_spawned)
{
    rh_actor *first = rh_reserve(node_behaviour);
    rh_actor *second = rh_reserve(node_behaviour);
    rh_spawn_at(first, struct node, {.number = 1, .next = second});
}

RH_TEST(spawned_twice)
{
    rh_actor *plain = rh_reserve(plain_behaviour);
    rh_spawn_at(plain);
    rh_spawn_at(plain);
}

RH_TEST(not_reserved)
{
    rh_spawn_at(rh_spawn(plain_behaviour));
}

struct careless {
    rh_actor *answerer;
    rh_actor *reserved;
};

static void answerer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, go))
        rh_reply(message, answer, {.number = 1});
}

static void careless_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct careless *careless = state;
    (void)self;
    if (rh_as(message, go)) {
        careless->reserved = rh_reserve(plain_behaviour);
        if (careless->answerer)
            rh_ask(careless->answerer, go);
    } else if (rh_as(message, hello)) {
        rh_spawn_at(careless->reserved);
    }
}

// Each ends in its first delivery.
RH_TEST(never_spawned_in_handler)
{
    rh_actor *careless = rh_spawn(careless_behaviour, struct careless, {.answerer = NULL});
    rh_send(careless, go);
    rh_send(careless, hello, {.number = 1});
}

RH_TEST(ask_between)
{
    rh_actor *answerer = rh_spawn(answerer_behaviour);
    rh_send(rh_spawn(careless_behaviour, struct careless, {.answerer = answerer}), go);
}
