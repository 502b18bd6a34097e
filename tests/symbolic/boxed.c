// SPDX-License-Identifier: MIT
// An actor whose address another one may have in a block that nobody has looked at yet: what comes of that matters for the
// order of what waits for the first.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(add);
RH_SIGNAL(poke);
RH_SIGNAL(triple);

struct box {
    int number;
    rh_actor *who;
};

struct keeper {
    struct box *box;
};

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    (void)self;
    if (rh_as(message, poke) && keeper->box && keeper->box->who)
        rh_send(keeper->box->who, triple);
}

struct first {
    rh_actor *keeper;
    int number;
};

static void first_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct first *first = state;
    if (rh_as(message, go)) {
        rh_send(self, add);
        if (first->keeper)
            rh_send(first->keeper, poke);
    } else if (rh_as(message, add)) {
        first->number = first->number * 2 + 1;
    } else if (rh_as(message, triple)) {
        first->number = first->number * 3;
    }
}

RH_TEST(kept)
{
    rh_actor *keeper = rh_spawn(keeper_behaviour, struct keeper, {0});
    rh_actor *first = rh_spawn(first_behaviour, struct first, {.keeper = keeper});
    rh_send(first, go);
}
