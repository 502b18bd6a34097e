// SPDX-License-Identifier: MIT
// No rh_as matches the tick. 1 execution, 1 delivery.
// FIXED: The tick is ignored on purpose. 1 execution, 1 delivery.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(tick);
RH_SIGNAL(work);

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *done = state;
    (void)self;

    if (rh_as(message, work))
        ++*done;
    else if (*done > 0)
        rh_ignore(message);
}

RH_TEST(unhandled)
{
#ifndef FIXED
    rh_actor *worker = rh_spawn(worker_behaviour, int, {0});
#else
    rh_actor *worker = rh_spawn(worker_behaviour, int, {1});
#endif

    rh_send(worker, tick);
}
