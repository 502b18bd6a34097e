// SPDX-License-Identifier: MIT
// Bad interleaving: an update that is lost.
//
// Two clients each read a counter and write back one more. Under any order rule both may read
// before either writes: the counter ends at 1 instead of 2. In the fixed twin they tell the counter
// to add, so that reading and writing are one delivery.
//
// bug:     --test broken : final
// cause:   get from reading reached counter before set from reading
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(get);
RH_MESSAGE(value, { int number; });
RH_MESSAGE(set, { int number; });
RH_MESSAGE(add, { int number; });

struct counter {
    int number;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    const struct set *set;
    const struct add *add;
    (void)self;

    if (rh_as(message, get))
        rh_reply(message, value, {.number = counter->number});
    else if ((set = rh_as(message, set)))
        counter->number = set->number;
    else if ((add = rh_as(message, add)))
        counter->number += add->number;
}

struct client {
    rh_actor *counter;
};

static void reading_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;

    if (!rh_as(message, start))
        return;
    const rh_message *reply = rh_ask(client->counter, get);
    rh_send(client->counter, set, {.number = rh_as(reply, value)->number + 1});
}

static void adding_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    (void)self;

    if (rh_as(message, start))
        rh_send(client->counter, add, {.number = 1});
}

struct watched {
    rh_actor *counter;
};

static void both_counted(const void *context)
{
    const struct watched *watched = context;
    const struct counter *counter = rh_view_state(watched->counter);

    rh_check(counter->number == 2);
}

static rh_actor *new_counter(void)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {.number = 0});

    rh_finally(both_counted, struct watched, {.counter = counter});
    return counter;
}

RH_TEST(broken)
{
    rh_actor *counter = new_counter();
    rh_actor *first = rh_spawn(reading_behaviour, struct client, {.counter = counter});
    rh_actor *second = rh_spawn(reading_behaviour, struct client, {.counter = counter});

    rh_send(first, start);
    rh_send(second, start);
}

RH_TEST(fixed)
{
    rh_actor *counter = new_counter();
    rh_actor *first = rh_spawn(adding_behaviour, struct client, {.counter = counter});
    rh_actor *second = rh_spawn(adding_behaviour, struct client, {.counter = counter});

    rh_send(first, start);
    rh_send(second, start);
}
