// SPDX-License-Identifier: MIT
// An actor loses the last pointer to a block.
// FIXED: The block is freed: 2 executions, 4 deliveries.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
        char *volatile block = malloc(100);
        block[0] = (char)go->number;
#ifndef FIXED
        if (go->number == 0)
#else
        if (go->number >= 0)
#endif
            free(block);
    }
}

RH_TEST(leak_lost)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
