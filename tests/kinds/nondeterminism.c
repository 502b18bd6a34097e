// SPDX-License-Identifier: MIT
// Whom the sender writes to depends on the processor's cycle counter, which nobody controls.
//
// With --undo off every execution runs from the start, and the first delivery goes elsewhere than
// before, but for one time in 4096.
// FIXED: Whom the sender writes to depends on the clock, the process and random numbers: all of them are
// served the same way in every run.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { rh_actor *receivers[64]; });
RH_MESSAGE(note, { int number; });
RH_SIGNAL(poke);

static unsigned number_from_outside(void)
{
#ifndef FIXED
    unsigned low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (low * 2654435761u) >> 26;
#else
    unsigned number = (unsigned)rand() ^ (unsigned)time(NULL) ^ (unsigned)getpid();

    return (number * 2654435761u) >> 26;
#endif
}

static void receiver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, note) || rh_as(message, poke))
        rh_check(true);
}

static void sender_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
        rh_send(go->receivers[number_from_outside()], note, {.number = 1});
        rh_send(go->receivers[number_from_outside()], note, {.number = 2});
    }
}

RH_TEST(nondeterminism)
{
    struct go go;
    rh_actor *sender = rh_spawn(sender_behaviour);

    for (int i = 0; i < 64; i++)
        go.receivers[i] = rh_spawn(receiver_behaviour);
    rh_send_sized(sender, go, &go, sizeof go);
    rh_send(go.receivers[0], poke);
}
