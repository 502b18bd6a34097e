// SPDX-License-Identifier: MIT
// One of the two messages makes its receiver give a block away and then loop with another on the same page, where it is
// slowed down. 2 executions, 3 deliveries.
// FIXED: The loop ends, but takes longer than the limit because it is slowed down: it passes all the same.
// The parcel goes before or after the message that does nothing, where that comes last: 3 executions, 8
// deliveries.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { ROUNDS = 20000 };

RH_MESSAGE(go, { int number; });
RH_MESSAGE(parcel, { char *bytes; });

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    rh_actor *sink = *(rh_actor **)state;
    (void)self;

    if (go && go->number == 1) {
        char *bytes = malloc(16);
        volatile int *more = malloc(sizeof *more);

        rh_send(sink, parcel, {.bytes = rh_give(bytes)});
#ifndef FIXED
        *more = 1;
#else
        *more = ROUNDS;
#endif
        while (*more)
#ifndef FIXED
            *more = 1;
#else
            --*more;
#endif
        free((int *)more);
    }
}

static void sink_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct parcel *parcel = rh_as(message, parcel);
    (void)self;
    (void)state;

    if (parcel)
        free(parcel->bytes);
}

RH_TEST(hang_beside)
{
    rh_actor *actor = rh_spawn(actor_behaviour, rh_actor *, {rh_spawn(sink_behaviour)});

    rh_send(actor, go, {.number = 0});
    rh_send_from(rh_outside("other"), actor, go, {.number = 1});
}
