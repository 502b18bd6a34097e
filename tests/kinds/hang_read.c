// SPDX-License-Identifier: MIT
// A handler that reads from a pipe into which nobody writes.
// FIXED: There is a byte in the pipe: 2 executions, 4 deliveries.
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int number; });

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (go) {
        int ends[2];
        char byte;
        rh_check(pipe(ends) == 0);
#ifndef FIXED
        if (go->number == 0)
#else
        if (go->number >= 0)
#endif
            rh_check(write(ends[1], "x", 1) == 1);
        rh_check(read(ends[0], &byte, 1) == 1);
        close(ends[0]);
        close(ends[1]);
    }
}

RH_TEST(hang_read)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
