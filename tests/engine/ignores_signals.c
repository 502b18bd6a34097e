// SPDX-License-Identifier: MIT
// A handler turns off and blocks the signals of crashes; globals are still watched and crashes found.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <signal.h>

RH_MESSAGE(go, { int number; });

static int global;

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
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        signal(SIGSEGV, SIG_IGN);
        if (counter->count == 2 && counter->last == 1)
            *(volatile int *)0 = 1;
        if (counter->count == 2)
            global++;
    }
}

RH_TEST(ignores_signals)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send(counter, go, {.number = 1});
    rh_send_from(rh_outside("other"), counter, go, {.number = 2});
}
