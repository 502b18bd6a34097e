// SPDX-License-Identifier: MIT
// A handler that takes longer than the limit, but not ten times as long, is no hang.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <poll.h>

RH_MESSAGE(go, { int number; });

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
        poll(NULL, 0, 300);
    }
}

RH_TEST(slow)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
