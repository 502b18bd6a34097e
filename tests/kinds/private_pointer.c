// SPDX-License-Identifier: MIT
// The payload carries the address of a local array. 1 execution, 1 delivery.
// FIXED: The payload carries the address of a constant. 1 execution, 2 deliveries.
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(greeting, { const char *text; });

static void listener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct greeting *greeting = rh_as(message, greeting);
    (void)self;
    (void)state;

    if (greeting)
        rh_check(strlen(greeting->text) == 5);
}

static void speaker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *listener = *(rh_actor **)state;
#ifndef FIXED
    const char text[] = "hello";
#else
    const char *text = "hello";
#endif
    (void)self;

    if (rh_as(message, go))
        rh_send(listener, greeting, {.text = text});
}

RH_TEST(private_pointer)
{
    rh_actor *listener = rh_spawn(listener_behaviour);

    rh_send(rh_spawn(speaker_behaviour, rh_actor *, {listener}), go);
}
