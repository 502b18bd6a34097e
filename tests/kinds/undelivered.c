// SPDX-License-Identifier: MIT
// The actor has stopped before its last message. 1 execution, 1 delivery.
// FIXED: The last message stops it. 1 execution, 2 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(work);
RH_SIGNAL(quit);

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, work))
        rh_check(true);
    else if (rh_as(message, quit))
        rh_stop();
}

RH_TEST(undelivered)
{
    rh_actor *worker = rh_spawn(worker_behaviour);

#ifndef FIXED
    rh_send(worker, quit);
#endif
    rh_send(worker, work);
#ifdef FIXED
    rh_send(worker, quit);
#endif
}
