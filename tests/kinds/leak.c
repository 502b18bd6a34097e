// SPDX-License-Identifier: MIT
// An actor stops while it holds a block that it never frees. 1 execution, 1 delivery.
// FIXED: What the actor holds is released when it stops. 1 execution, 1 delivery.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(quit);

struct holder {
    char *block;
};

static void release(rh_actor *self, void *state)
{
    struct holder *holder = state;
    (void)self;

    free(holder->block);
}

static void holder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct holder *holder = state;
    rh_stop_function *at_stop = release;
    (void)self;

    if (rh_as(message, quit)) {
        holder->block = malloc(100);
#ifndef FIXED
        if (holder->block == NULL)
#else
        if (holder->block != NULL)
#endif
            rh_at_stop(at_stop);
        rh_stop();
    }
}

RH_TEST(leak)
{
    rh_send(rh_spawn(holder_behaviour, struct holder, {.block = NULL}), quit);
}
