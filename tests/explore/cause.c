// SPDX-License-Identifier: MIT
// Bugs of which each has one explanation: tests/explore/cause.sh says which.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);

// A lock with a lease. Whoever has it for too long loses it, and does not know.
RH_SIGNAL(acquire);
RH_SIGNAL(granted);
RH_SIGNAL(release);
RH_SIGNAL(work_done);
RH_MESSAGE(expire, { int lease; });

struct lock {
    rh_actor *holder, *next;
    int lease;
};

static void grant(rh_actor *self, struct lock *lock, rh_actor *client)
{
    lock->holder = client;
    lock->next = NULL;
    lock->lease++;
    if (!client)
        return;
    rh_send(client, granted);
    rh_after(1000, self, expire, {.lease = lock->lease});
}

static void lock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct lock *lock = state;
    const struct expire *expire = rh_as(message, expire);
    if (rh_as(message, acquire) && lock->holder)
        lock->next = rh_sender(message);
    else if (rh_as(message, acquire))
        grant(self, lock, rh_sender(message));
    else if (rh_as(message, release) || (expire && expire->lease == lock->lease))
        grant(self, lock, lock->next);
}

struct client {
    rh_actor *lock;
    bool has_lock;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    if (rh_as(message, go)) {
        rh_send(client->lock, acquire);
    } else if (rh_as(message, granted)) {
        client->has_lock = true;
        rh_send(self, work_done);
    } else if (rh_as(message, work_done)) {
        client->has_lock = false;
        rh_send(client->lock, release);
    }
}

struct pair {
    rh_actor *one, *other;
};

static void only_one_has_it(const void *context)
{
    const struct pair *pair = context;
    const struct client *one = rh_view_state(pair->one), *other = rh_view_state(pair->other);
    rh_check(!one->has_lock || !other->has_lock);
}

RH_TEST(lease)
{
    rh_actor *lock = rh_spawn(lock_behaviour, struct lock, {0});
    rh_actor *one = rh_spawn(client_behaviour, struct client, {.lock = lock});
    rh_actor *other = rh_spawn(client_behaviour, struct client, {.lock = lock});
    rh_send(one, go);
    rh_send(other, go);
    rh_invariant(only_one_has_it, struct pair, {one, other});
}

// Two answers are enough, and the value of the last one is taken. Who gets it fails if it is 1. Which delivery sends it
// depends on the order of the answers, and makes no other difference.
RH_MESSAGE(answer, {
    int from;
    int round;
    int value;
});
RH_MESSAGE(chosen, { int value; });

struct asker {
    rh_actor *taker;
    int answers;
};

static void asker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct asker *asker = state;
    const struct answer *answer = rh_as(message, answer);
    (void)self;
    if (++asker->answers == 2)
        rh_send(asker->taker, chosen, {.value = answer->value});
}

static void taker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct chosen *chosen = rh_as(message, chosen);
    (void)self, (void)state;
    rh_check(chosen->value != 1);
}

struct voter {
    rh_actor *asker;
    int number;
};

static void voter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct voter *voter = state;
    (void)self;
    (void)rh_as(message, go);
    rh_send(voter->asker, answer, {.from = voter->number, .round = 7, .value = voter->number});
}

RH_TEST(last_answer)
{
    rh_actor *taker = rh_spawn(taker_behaviour);
    rh_actor *asker = rh_spawn(asker_behaviour, struct asker, {.taker = taker});
    rh_send(rh_spawn(voter_behaviour, struct voter, {asker, 1}), go);
    rh_send(rh_spawn(voter_behaviour, struct voter, {asker, 2}), go);
}

// A word that must not come between two others.
RH_SIGNAL(open);
RH_SIGNAL(word);
RH_SIGNAL(shut);

struct door {
    bool is_open, has_heard;
};

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct door *door = state;
    (void)self;
    if (rh_as(message, word))
        door->has_heard |= door->is_open;
    else if (rh_as(message, open))
        door->is_open = true;
    else if (rh_as(message, shut))
        door->is_open = false;
}

struct visitor {
    rh_actor *door;
    bool speaks;
};

static void visitor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct visitor *visitor = state;
    (void)self;
    (void)rh_as(message, go);
    if (visitor->speaks) {
        rh_send(visitor->door, word);
        return;
    }
    rh_send(visitor->door, open);
    rh_send(visitor->door, shut);
}

struct watched {
    rh_actor *door;
};

static void nothing_is_heard(const void *context)
{
    const struct watched *watched = context;
    const struct door *door = rh_view_state(watched->door);
    rh_check(!door->has_heard);
}

RH_TEST(between)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {.is_open = false});
    rh_send(rh_spawn(visitor_behaviour, struct visitor, {door, true}), go);
    rh_send(rh_spawn(visitor_behaviour, struct visitor, {door, false}), go);
    rh_finally(nothing_is_heard, struct watched, {door});
}

// Two values come to two keepers, each of which has the last one: both orders are needed for them to differ.
RH_MESSAGE(set, { int value; });

struct keeper {
    int value;
};

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    (void)self;
    keeper->value = rh_as(message, set)->value;
}

struct writer {
    struct pair keepers;
    int value;
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct writer *writer = state;
    (void)self;
    (void)rh_as(message, go);
    rh_send(writer->keepers.one, set, {.value = writer->value});
    rh_send(writer->keepers.other, set, {.value = writer->value});
}

static void both_have_the_same(const void *context)
{
    const struct pair *pair = context;
    const struct keeper *one = rh_view_state(pair->one), *other = rh_view_state(pair->other);
    rh_check(one->value == other->value);
}

RH_TEST(replicas)
{
    struct pair keepers = {rh_spawn(keeper_behaviour, struct keeper, {0}),
                           rh_spawn(keeper_behaviour, struct keeper, {0})};
    rh_send(rh_spawn(writer_behaviour, struct writer, {keepers, 10}), go);
    rh_send(rh_spawn(writer_behaviour, struct writer, {keepers, 20}), go);
    rh_finally(both_have_the_same, struct pair, {keepers.one, keepers.other});
}

// A note that comes twice is counted twice, and so is what is made of it: the way by the copy is longer.
RH_SIGNAL(note);
RH_SIGNAL(copy);

struct counter {
    rh_actor *next;
    int count;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    if (counter->next)
        rh_send(counter->next, copy);
    else
        rh_check(++counter->count < 2);
    (void)rh_as(message, copy);
    (void)rh_as(message, note);
}

struct noter {
    rh_actor *counter;
};

static void noter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct noter *noter = state;
    (void)self;
    (void)rh_as(message, go);
    rh_send(noter->counter, note);
}

RH_TEST(counted_twice)
{
    rh_actor *last = rh_spawn(counter_behaviour, struct counter, {0});
    rh_actor *first = rh_spawn(counter_behaviour, struct counter, {.next = last});
    rh_send(rh_spawn(noter_behaviour, struct noter, {first}), go);
}

// Who asks waits for an answer, and does not ask again.
RH_MESSAGE(question, { int number; });
RH_MESSAGE(reply, { int number; });

struct curious {
    rh_actor *knower;
};

static void knower_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct question *question = rh_as(message, question);
    (void)self, (void)state;
    rh_reply(message, reply, {.number = question->number});
}

static void curious_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct curious *curious = state;
    (void)self;
    (void)rh_as(message, go);
    (void)rh_as(rh_ask(curious->knower, question, {.number = 1}), reply);
}

RH_TEST(asks_once)
{
    rh_actor *knower = rh_spawn(knower_behaviour);
    rh_send(rh_spawn(curious_behaviour, struct curious, {knower}), go);
}
