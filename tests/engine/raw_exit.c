// SPDX-License-Identifier: MIT
// A handler ends the process with a system call that nothing can intercept.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <sys/syscall.h>
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
            syscall(SYS_exit_group, 0);
    }
}

RH_TEST(raw_exit)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
