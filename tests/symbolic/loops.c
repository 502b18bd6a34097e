// SPDX-License-Identifier: MIT
// Loops and recursions whose ends nobody knows; loops.txt works out what --loop cuts of them.
#include <rehearse/actor.h>
#include <rehearse/test.h>

// Two conditions, both unknown.
RH_MESSAGE(both, {
    unsigned a;
    unsigned b;
});
// A known condition behind the unknown one, which ends the loop after five rounds, or never.
RH_MESSAGE(five, { unsigned a; });
RH_MESSAGE(for_ever, { unsigned a; });
// Five rounds, whatever is unknown in them.
RH_MESSAGE(inside, { unsigned a; });
RH_MESSAGE(downward, { unsigned a; });

struct looper {
    unsigned rounds;
};

static unsigned descend(unsigned depth)
{
    return depth == 0 ? 0 : 1 + descend(depth - 1);
}

static void looper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct looper *looper = state;
    const struct both *both;
    const struct five *five;
    const struct for_ever *for_ever;
    const struct inside *inside;
    const struct downward *downward;

    looper->rounds = 0;
    if ((both = rh_as(message, both))) {
        while (looper->rounds < both->a && looper->rounds < both->b)
            looper->rounds++;
    } else if ((five = rh_as(message, five))) {
        while (looper->rounds < five->a && looper->rounds < 5)
            looper->rounds++;
    } else if ((for_ever = rh_as(message, for_ever))) {
        while (looper->rounds < for_ever->a && self)
            looper->rounds++;
    } else if ((inside = rh_as(message, inside))) {
        for (unsigned i = 0; i < 5; i++)
            looper->rounds += inside->a == i;
    } else if ((downward = rh_as(message, downward))) {
        looper->rounds = descend(downward->a);
    }
}

RH_TEST(one)
{
    rh_actor *looper = rh_spawn(looper_behaviour, struct looper, {.rounds = 0});
    rh_send(looper, five, {.a = 1});
}
