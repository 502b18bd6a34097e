// SPDX-License-Identifier: MIT
// The payload carries the address of a block of the sender. 1 execution, 1 delivery.
// FIXED: The block is handed over. 1 execution, 2 deliveries.
#include <stdlib.h>
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
#ifndef FIXED
        rh_check(strlen(greeting->text) == 5);
#else
        free((char *)greeting->text);
#endif
}

static void speaker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *listener = *(rh_actor **)state;
    char *text = malloc(6);
    (void)self;

    if (rh_as(message, go)) {
        strcpy(text, "hello");
#ifndef FIXED
        rh_send(listener, greeting, {.text = text});
#else
        rh_send(listener, greeting, {.text = rh_give(text)});
#endif
    }
}

RH_TEST(private_pointer_heap)
{
    rh_actor *listener = rh_spawn(listener_behaviour);

    rh_send(rh_spawn(speaker_behaviour, rh_actor *, {listener}), go);
}
