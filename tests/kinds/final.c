// SPDX-License-Identifier: MIT
// The end is judged: an increment is missing in every order.
// FIXED: The end is as expected in every order.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(increment);

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    int *count = state;
    (void)self;

    if (rh_as(message, increment))
        ++*count;
}

struct watched {
    rh_actor *counter;
};

static void counted(const void *context)
{
    const struct watched *watched = context;

#ifndef FIXED
    rh_check(*(const int *)rh_view_state(watched->counter) == 3);
#else
    rh_check(*(const int *)rh_view_state(watched->counter) == 2);
#endif
}

// 2 executions, 4 deliveries.
RH_TEST(final)
{
    rh_actor *counter = rh_spawn(counter_behaviour, int, {0});

    rh_finally(counted, struct watched, {.counter = counter});
    rh_send(counter, increment);
    rh_send_from(rh_outside("other"), counter, increment);
}
