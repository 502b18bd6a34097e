// SPDX-License-Identifier: MIT
// A block is freed twice.
// FIXED: Each block is freed once: 2 executions, 4 deliveries.
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
        char *block = malloc(100);
#ifndef FIXED
        char *volatile again = block;
#else
        char *volatile again = malloc(100);
#endif
        free(block);
#ifndef FIXED
        if (go->number == 1)
            free(again);
#else
        free(again);
#endif
    }
}

RH_TEST(crash_double_free)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
