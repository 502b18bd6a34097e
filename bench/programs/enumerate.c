// SPDX-License-Identifier: MIT
// Eight senders, one receiver that keeps a running hash: 8! executions, and what Rehearse does for each
// delivery is all there is to do. With -DIDLE=1000 a thousand further actors stand by; with -DWIDE the state is
// 64 bytes and not 8.
#include <rehearse/test.h>

#ifndef SENDERS
#define SENDERS 8
#endif
#ifndef IDLE
#define IDLE 0
#endif

RH_MESSAGE(value, { uint64_t number; });

struct receiver {
    uint64_t hash;
#ifdef WIDE
    uint64_t rest[7]; // 64 bytes, as in the bare loop
#endif
};

static void receiver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    struct receiver *receiver = state;
    const struct value *value = rh_as(message, value);
    if (value)
        receiver->hash = (receiver->hash ^ value->number) * UINT64_C(0x100000001b3);
}

static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_ignore(message);
}

RH_TEST(fan_in)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    for (int i = 0; i < IDLE; i++)
        rh_spawn(idle_behaviour, struct receiver, {.hash = 0});
    rh_actor *receiver = rh_spawn(receiver_behaviour, struct receiver, {.hash = 1});
    for (uint64_t i = 0; i < SENDERS; i++)
        rh_send_from(rh_outside(names[i]), receiver, value, {.number = i + 1});
}
