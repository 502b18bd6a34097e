// SPDX-License-Identifier: MIT
// A write through NULL when the second message comes.
// FIXED: The write goes to a variable: 2 executions, 4 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
#ifndef FIXED
        volatile int *nowhere = NULL;
#else
        int somewhere = 0;
        volatile int *nowhere = &somewhere;
#endif
        if (go->number == 1)
            *nowhere = 1;
    }
}

RH_TEST(crash_null)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
