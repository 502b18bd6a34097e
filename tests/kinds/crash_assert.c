// SPDX-License-Identifier: MIT
// An assert of the C library fails.
// FIXED: The assert holds: 2 executions, 4 deliveries.
#include <assert.h>

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
        assert(go->number == 0);
#else
        assert(go->number >= 0);
#endif
    }
}

RH_TEST(crash_assert)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
