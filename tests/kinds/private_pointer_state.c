// SPDX-License-Identifier: MIT
// The payload carries an address inside the state of the sender. 1 execution, 1 delivery.
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

struct speaker {
    rh_actor *listener;
    char text[6];
};

static void speaker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct speaker *speaker = state;
    (void)self;

    if (rh_as(message, go))
        rh_send(speaker->listener, greeting, {.text = speaker->text});
}

RH_TEST(private_pointer_state)
{
    rh_actor *listener = rh_spawn(listener_behaviour);

    rh_send(rh_spawn(speaker_behaviour, struct speaker, {listener, "hello"}), go);
}
