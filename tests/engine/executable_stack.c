// SPDX-License-Identifier: MIT
// A program whose stack is executable, as that of one with functions inside of functions is.
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <string.h>

RH_SIGNAL(go);
RH_SIGNAL(answer);

static int call_on_stack(void)
{
    const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3}; // mov $42, %eax; ret
    const void *address = code;
    int (*function)(void);
    memcpy(&function, &address, sizeof function);
    return function();
}

static void answering_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, go)) {
        rh_check(call_on_stack() == 42);
        rh_reply(message, answer);
    }
}

struct asking {
    rh_actor *other;
};

static void asking_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct asking *asking = state;
    (void)self;
    if (rh_as(message, go)) {
        rh_check(call_on_stack() == 42);
        (void)rh_as(rh_ask(asking->other, go), answer);
        rh_check(call_on_stack() == 42);
    }
}

RH_TEST(on_stack)
{
    rh_actor *other = rh_spawn(answering_behaviour);
    rh_send(rh_spawn(asking_behaviour, struct asking, {.other = other}), go);
    rh_send(rh_spawn(asking_behaviour, struct asking, {.other = other}), go);
}
