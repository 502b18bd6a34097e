// SPDX-License-Identifier: MIT
// Handlers that need more than an execution can have, in one of two orders; in the other one a check fails.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(set, { int value; });
RH_MESSAGE(bytes, { char first; });

static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void spawn_many(rh_actor *self)
{
    (void)self;
    for (int i = 0; i < 600000; i++)
        rh_spawn(idle_behaviour);
}

static char large[100 << 20];

static void spawn_large(rh_actor *self)
{
    (void)self;
    rh_spawn_sized(idle_behaviour, large, sizeof large);
}

static void send_large(rh_actor *self)
{
    rh_send_sized(self, bytes, large, (size_t)-1);
}

struct setter {
    void (*demand)(rh_actor *self);
    int value;
};

static void setter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct setter *setter = state;
    const struct set *set = rh_as(message, set);
    if (!set)
        return;
    if (set->value == 2) {
        rh_check(setter->value != 1);
        setter->demand(self);
    }
    setter->value = set->value;
}

static void start(void (*demand)(rh_actor *self))
{
    rh_actor *setter = rh_spawn(setter_behaviour, struct setter, {.demand = demand});
    rh_send_from(rh_outside("ann"), setter, set, {.value = 1});
    rh_send_from(rh_outside("ben"), setter, set, {.value = 2});
}

RH_TEST(actors)
{
    start(spawn_many);
}

RH_TEST(state)
{
    start(spawn_large);
}

RH_TEST(message)
{
    start(send_large);
}

// The body itself needs too much.
RH_TEST(body)
{
    rh_spawn_sized(idle_behaviour, large, sizeof large);
}

RH_TEST(afterwards)
{
    rh_check(0);
}

RH_MESSAGE(hop, { int left; });

static void hopper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct hop *hop = rh_as(message, hop);
    (void)state;
    if (hop && hop->left > 0)
        rh_send(self, hop, {.left = hop->left - 1});
}

// Longer than a reduction can look at.
RH_TEST(deep)
{
    rh_send(rh_spawn(hopper_behaviour), hop, {.left = 69999});
}
