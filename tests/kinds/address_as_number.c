// SPDX-License-Identifier: MIT
// Bytes that merely look like an address are no field of pointer type. 1 execution, 2 deliveries.
#include <stdint.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_MESSAGE(number, { uintptr_t value; });

static void listener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct number *number = rh_as(message, number);
    (void)self;
    (void)state;

    if (number)
        rh_check(number->value != 0);
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
        rh_send(speaker->listener, number, {.value = (uintptr_t)speaker->text});
}

RH_TEST(address_as_number)
{
    rh_actor *listener = rh_spawn(listener_behaviour);

    rh_send(rh_spawn(speaker_behaviour, struct speaker, {listener, "hello"}), go);
}
