// SPDX-License-Identifier: MIT
// An invariant counts its calls in a variable, which is found and put back.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static int calls;

struct counter {
    int count;
    int last;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    const struct go *go = rh_as(message, go);
    (void)self;

    if (go) {
        counter->count++;
        counter->last = go->number;
    }
}

struct watched {
    rh_actor *counter;
};

static void judge(const void *context)
{
    const struct watched *watched = context;
    const struct counter *counter = rh_view_state(watched->counter);

    if (counter->last == 1)
        calls++;
}

RH_TEST(invariant_global)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
    rh_invariant(judge, struct watched, {.counter = counter});
}
