// SPDX-License-Identifier: MIT
// Two messages that differ in nothing but where they are sent. Either may be left over, and each is a finding of its own.
#include <rehearse/test.h>

RH_SIGNAL(note);

static void stopper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, note))
        rh_stop();
}

RH_TEST(one_is_left)
{
    rh_actor *stopper = rh_spawn(stopper_behaviour);
    rh_send(stopper, note);
    rh_send(stopper, note);
}
