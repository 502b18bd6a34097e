// SPDX-License-Identifier: MIT
// A handler closes every descriptor; the search and the traces of its findings go on.
#define _GNU_SOURCE
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
        for (int file = 0; file < 1000; file++)
            close(file);
        close_range(0, 2000, 0);
        rh_check(counter->count != 2 || counter->last != 1);
    }
}

RH_TEST(closes_everything)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
