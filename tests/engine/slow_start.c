// SPDX-License-Identifier: MIT
// The test's body takes long in the second process that runs it, and in no other: for slow_start.sh.
#include <stdio.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

struct counter {
    int last;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    const struct go *go = rh_as(message, go);
    (void)self;

    if (go)
        counter->last = go->number;
}

// How many processes were here before.
static int count_runs(void)
{
    FILE *file = fopen("runs", "a+");
    int count = (int)lseek(fileno(file), 0, SEEK_END);

    fputc('.', file);
    fclose(file);
    return count;
}

static void spin(void)
{
    for (volatile long i = 0; i < 500000000; i++)
        continue;
}

RH_TEST(slow_start)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});

    rh_send_from(rh_outside("ann"), counter, go, {.number = 1});
    rh_send_from(rh_outside("ben"), counter, go, {.number = 2});
    rh_send_from(rh_outside("eve"), counter, go, {.number = 3});
    if (count_runs() == 1)
        spin();
}
