// SPDX-License-Identifier: MIT
// Guards: a refused message waits and does not hold back later ones of the same sender.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(put);
RH_MESSAGE(get, { int number; });
RH_SIGNAL(item);
RH_SIGNAL(go);
RH_SIGNAL(tick);

struct store {
    int count;
    int next; // the number of the next get
};

static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct store *store = state;
    const struct get *get;
    (void)self;

    if (rh_as(message, put)) {
        store->count++;
    } else if ((get = rh_as(message, get))) {
        rh_check(store->count > 0);
        rh_check(get->number == store->next++);
        store->count--;
    }
}

static bool store_guard(const void *state, const rh_message *message)
{
    const struct store *store = state;

    return store->count > 0 || !rh_as(message, get);
}
RH_GUARD(store_behaviour, store_guard);

// The get is refused until the put, sent later by the same sender, is handled: 1 execution,
// 2 deliveries.
RH_TEST(later_message_first)
{
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.count = 0});

    rh_send(store, get, {.number = 0});
    rh_send(store, put);
}

// get(0), put, put, get(1) from one sender. The first put lets get(0) back to its place, ahead of
// the second put: put, get(0), put, get(1): 1 execution, 4 deliveries.
RH_TEST(place_is_kept)
{
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.count = 0});

    rh_send(store, get, {.number = 0});
    rh_send(store, put);
    rh_send(store, put);
    rh_send(store, get, {.number = 1});
}

// Three puts of one sender and three gets of another, never more gets than puts: the third Catalan
// number, 5 executions; nodes by depth 1, 2, 3, 5, 5, 5: 21 deliveries.
RH_TEST(catalan)
{
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.count = 0});
    rh_actor *consumer = rh_outside("consumer");

    for (int i = 0; i < 3; i++) {
        rh_send(store, put);
        rh_send_from(consumer, store, get, {.number = i});
    }
}

struct door {
    bool open;
};

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct door *door = state;
    (void)self;

    if (rh_as(message, put)) {
        door->open = true;
    } else if (rh_as(message, item)) {
        rh_check(door->open);
        rh_reply(message, item);
    } else if (rh_as(message, tick)) {
        rh_check(door->open);
    }
}

static bool door_guard(const void *state, const rh_message *message)
{
    const struct door *door = state;

    return door->open || rh_as(message, put);
}
RH_GUARD(door_behaviour, door_guard);

static void visitor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *door = *(rh_actor **)state;
    (void)self;

    if (rh_as(message, go)) {
        const rh_message *reply = rh_ask(door, item);
        rh_check(rh_as(reply, item));
    }
}

// A guard applies to requests and timers too. go < item < reply, put < item, put < tick.
// Orders of go, put, item, reply, tick: go put then tick anywhere among item reply: 3; put go
// likewise 3; put tick go item reply: 1. 7 executions. Depths 2, 3, 5, 7, 7: 24 deliveries.
RH_TEST(requests_and_timers)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {.open = false});

    rh_send(rh_spawn(visitor_behaviour, rh_actor *, {door}), go);
    rh_after(5, door, tick);
    rh_send(door, put);
}
