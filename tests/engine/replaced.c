// SPDX-License-Identifier: MIT
// A handler replaces the process by another program, which ends well.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <unistd.h>

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
        if (counter->count == 2 && counter->last == 1)
            execl("/bin/true", "true", (char *)0);
    }
}

RH_TEST(replaced)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
