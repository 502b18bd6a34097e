// SPDX-License-Identifier: MIT
// A guard counts its calls in a variable, which is found and put back.
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

static bool counter_guard(const void *state, const rh_message *message)
{
    const struct counter *counter = state;
    (void)message;

    if (counter->last == 1)
        calls++;
    return true;
}
RH_GUARD(counter_behaviour, counter_guard);

RH_TEST(guard_global)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
