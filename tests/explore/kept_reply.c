// SPDX-License-Identifier: MIT
// A handler asks twice and reads the first reply only after the second has come. What the first one carries is part
// of the state meanwhile, though nothing but a pointer to it lies on the handler's stack.
#include <rehearse/test.h>

RH_MESSAGE(set, { int value; });
RH_SIGNAL(open);
RH_SIGNAL(get);
RH_MESSAGE(value, { int value; });
RH_MESSAGE(begin, { rh_actor *store, *door; });

struct store {
    int value, sets;
    rh_actor *door;
};

// Forgets its value and opens the door with the second value that it gets.
static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct store *store = state;
    const struct set *set;
    (void)self;
    if ((set = rh_as(message, set))) {
        store->value = ++store->sets < 2 ? set->value : 0;
        if (store->sets == 2)
            rh_send(store->door, open);
    } else if (rh_as(message, get)) {
        rh_reply(message, value, {.value = store->value});
    }
}

struct door {
    bool is_open;
};

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct door *door = state;
    (void)self;
    if (rh_as(message, open))
        door->is_open = true;
    else if (rh_as(message, get))
        rh_reply(message, value, {.value = 0});
}

static bool door_guard(const void *state, const rh_message *message)
{
    const struct door *door = state;
    return door->is_open || rh_as(message, open);
}
RH_GUARD(door_behaviour, door_guard);

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct begin *begin = rh_as(message, begin);
    (void)self;
    (void)state;
    if (!begin)
        return;
    const rh_message *first = rh_ask(begin->store, get);
    const rh_message *second = rh_ask(begin->door, get);
    rh_check(((const struct value *)rh_as(second, value))->value == 0);
    rh_check(((const struct value *)rh_as(first, value))->value != 2);
}

RH_TEST(first_reply_counts)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {.is_open = false});
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.value = 0, .door = door});
    rh_actor *reader = rh_spawn(reader_behaviour);
    rh_send(reader, begin, {.store = store, .door = door});
    rh_send_from(rh_outside("ann"), store, set, {.value = 1});
    rh_send_from(rh_outside("ben"), store, set, {.value = 2});
}
