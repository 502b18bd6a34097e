// SPDX-License-Identifier: MIT
// Two actors ask each other. If both ask before either answers, both wait, each with the other's
// request pending: a deadlock, and two messages left over.
//
// Let a be told first; b's side is the same. Then b is told at once, and nothing is deliverable: 1.
// Or b answers a; then a takes the value and all of b's asking follows: 1; or b is told while the
// value is on its way, a takes it, then b's request, b its value: 1. Together 2 * 3 = 6 executions;
// deliveries: a told, b told; b answers, then 4 and 4 more: 2 * (1 + 1 + 1 + 4 + 4) = 22.
// FIXED: Only one of two actors asks the other: 1 execution, 3 deliveries.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { rh_actor *other; });
RH_SIGNAL(get);
RH_SIGNAL(value);

static void peer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go;
    (void)self;
    (void)state;

    if ((go = rh_as(message, go)))
        rh_check(rh_as(rh_ask(go->other, get), value));
    else if (rh_as(message, get))
        rh_reply(message, value);
}

RH_TEST(deadlock_two)
{
    rh_actor *a = rh_spawn(peer_behaviour);
    rh_actor *b = rh_spawn(peer_behaviour);

    rh_send(a, go, {.other = b});
#ifndef FIXED
    rh_send(b, go, {.other = a});
#endif
}
