// SPDX-License-Identifier: MIT
// Senders outside, one receiver that keeps the last value: as many executions as there are orders, and none is like
// another. With -DIGNORES it does nothing with what it gets, and one order is as good as all. With -DEACH=N each sender
// sends N messages, so that executions are long.
#include <rehearse/test.h>

#ifndef SENDERS
#define SENDERS 8
#endif
#ifndef EACH
#define EACH 1
#endif

RH_MESSAGE(value, { int number; });

struct receiver {
    int last;
};

static void receiver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct receiver *receiver = state;
    const struct value *value = rh_as(message, value);
    (void)self;
#ifdef IGNORES
    (void)receiver, (void)value;
#else
    if (value)
        receiver->last = value->number;
#endif
}

RH_TEST(senders)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    rh_actor *receiver = rh_spawn(receiver_behaviour, struct receiver, {.last = 0});
    rh_actor *senders[SENDERS];

    for (int i = 0; i < SENDERS; i++)
        senders[i] = rh_outside(names[i]);
    for (int i = 0; i < SENDERS * EACH; i++)
        rh_send_from(senders[i % SENDERS], receiver, value, {.number = i + 1});
}
