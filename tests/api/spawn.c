// SPDX-License-Identifier: MIT
// Creating actors: with and without a state, of variable length, inside handlers; addresses in
// states and messages.
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(done);
RH_MESSAGE(meet, { rh_actor *friends[2]; });

struct letters {
    int length;
    char text[];
};

static void stateless_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    if (rh_as(message, go))
        rh_check(state == NULL);
}

static void letters_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct letters *letters = state;
    (void)self;

    if (rh_as(message, go)) {
        rh_check(letters->length == 5);
        rh_check(memcmp(letters->text, "hello", 5) == 0);
        letters->text[0] = 'j';
    } else if (rh_as(message, done)) {
        rh_check(memcmp(letters->text, "jello", 5) == 0);
    }
}

struct pair {
    int first, second;
};

static void pair_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct pair *pair = state;
    (void)self;

    if (rh_as(message, go)) {
        rh_check(pair->first == 1 && pair->second == 2);
        pair->first = 9;
    }
}

// To each of two actors of the same state goes one message: 2 executions, 2 + 2 = 4 deliveries.
// That the one changed its copy is not seen by the other.
RH_TEST(states_are_copied)
{
    for (int i = 0; i < 2; i++) {
        int second = 2;
        rh_actor *pair = rh_spawn(pair_behaviour, struct pair, {1, second});
        second = 3;
        rh_send(pair, go);
    }
}

// 1 execution, 1 delivery.
RH_TEST(without_state)
{
    rh_send(rh_spawn(stateless_behaviour), go);
}

// 1 execution, 2 deliveries: fifo.
RH_TEST(sized_state)
{
    union {
        struct letters letters;
        char bytes[sizeof(struct letters) + 5];
    } state = {.letters = {.length = 5}};
    memcpy(state.bytes + sizeof(struct letters), "hello", 5);
    rh_actor *actor = rh_spawn_sized(letters_behaviour, &state, sizeof(struct letters) + 5);

    memset(&state, 0, sizeof state);
    rh_send(actor, go);
    rh_send(actor, done);
}

static void child_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *const *parent = state;

    if (rh_as(message, go)) {
        rh_check(rh_sender(message) == *parent);
        rh_check(self != *parent);
        rh_send(*parent, done);
    }
}

struct parent {
    rh_actor *children[2];
    int done;
};

static void parent_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct parent *parent = state;

    if (rh_as(message, go)) {
        for (int i = 0; i < 2; i++)
            parent->children[i] = rh_spawn(child_behaviour, rh_actor *, {self});
        rh_check(parent->children[0] != parent->children[1]);
        rh_send(parent->children[0], go);
        rh_send(parent->children[1], go);
    } else if (rh_as(message, done)) {
        rh_actor *sender = rh_sender(message);
        rh_check(sender == parent->children[0] || sender == parent->children[1]);
        parent->done++;
    }
}

struct family {
    rh_actor *parent;
};

static void both_done(const void *context)
{
    const struct family *family = context;
    const struct parent *parent = rh_view_state(family->parent);

    rh_check(parent->done == 2);
}

// After one delivery two chains go - done interleave: C(4,2) = 6 executions, 1 + 18 deliveries.
RH_TEST(spawned_in_handler)
{
    rh_actor *parent = rh_spawn(parent_behaviour, struct parent, {.done = 0});

    rh_finally(both_done, struct family, {.parent = parent});
    rh_send(parent, go);
}

static void friend_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor **known = state;
    const struct meet *meet;

    if ((meet = rh_as(message, meet))) {
        rh_check(meet->friends[0] == self);
        *known = meet->friends[1];
        rh_send(meet->friends[1], go);
    } else if (rh_as(message, go)) {
        rh_check(*known == NULL || *known == rh_sender(message));
    }
}

// Each of two actors is told of the other and greets it. meet(a) < go(b), meet(b) < go(a): two
// chains of two: 6 executions, 18 deliveries.
RH_TEST(addresses_in_messages)
{
    rh_actor *a = rh_spawn(friend_behaviour, rh_actor *, {NULL});
    rh_actor *b = rh_spawn(friend_behaviour, rh_actor *, {NULL});

    rh_send(a, meet, {.friends = {a, b}});
    rh_send(b, meet, {.friends = {b, a}});
}
