// SPDX-License-Identifier: MIT
// A function given to rh_at_stop cannot wait for a reply.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

RH_SIGNAL(get);

static void ask(rh_actor *self, void *state)
{
    (void)state;
    rh_ask(self, get);
}

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
        rh_at_stop(ask);
        if (counter->count == 2)
            rh_stop();
    }
}

RH_TEST(at_stop_asks)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
