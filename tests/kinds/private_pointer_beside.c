// SPDX-License-Identifier: MIT
// A block is handed over, the giver works a long time with another block on the same page, then uses the one that it
// gave. 1 execution, 1 delivery.
// FIXED: A block is handed over, and the giver works a long time with another block on the same page. 1
// execution, 2 deliveries.
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { ROUNDS = 20000 };

RH_SIGNAL(go);
RH_MESSAGE(greeting, { char *text; });

static void listener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct greeting *greeting = rh_as(message, greeting);
    (void)self;
    (void)state;

    if (greeting)
        free(greeting->text);
}

static void speaker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *listener = *(rh_actor **)state;
    char *text = malloc(6);
    volatile int *last = malloc(sizeof *last);
    (void)self;

    if (rh_as(message, go)) {
        strcpy(text, "hello");
        rh_send(listener, greeting, {.text = rh_give(text)});
        for (int i = 0; i < ROUNDS; i++)
            *last = i;
#ifndef FIXED
        text[0] = 'H';
#endif
    }
    free((int *)last);
}

RH_TEST(private_pointer_beside)
{
    rh_actor *listener = rh_spawn(listener_behaviour);

    rh_send(rh_spawn(speaker_behaviour, rh_actor *, {listener}), go);
}
