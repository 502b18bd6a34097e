// SPDX-License-Identifier: MIT
// A check that fails in a child is in no execution.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <sys/wait.h>
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
        pid_t child = fork();
        if (child == 0)
            rh_check(counter->count == 0);
        waitpid(child, NULL, 0);
    }
}

RH_TEST(fork_checks)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
