// SPDX-License-Identifier: MIT
// An error behind two deliveries or more, beside an actor that goes on for ever: a search finds no end without states.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(step);
RH_SIGNAL(finish);
RH_SIGNAL(spin);

struct walker {
    int position;
};

static void walker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct walker *walker = state;
    if (rh_as(message, go)) {
        if (rh_choose(2) == 0)
            rh_send(self, step);
        else
            walker->position = 5;
    } else if (rh_as(message, step)) {
        if (++walker->position < 5)
            rh_send(self, step);
    } else if (rh_as(message, finish)) {
        rh_check(walker->position != 5);
    }
}

static bool walker_guard(const void *state, const rh_message *message)
{
    const struct walker *walker = state;
    return walker->position == 5 || !rh_as(message, finish);
}
RH_GUARD(walker_behaviour, walker_guard);

static void spinner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    (void)rh_as(message, spin);
    rh_progress();
    rh_send(self, spin);
}

RH_TEST(walk)
{
    rh_actor *walker = rh_spawn(walker_behaviour, struct walker, {0});
    rh_send(walker, go);
    rh_send(walker, finish);
    rh_send(rh_spawn(spinner_behaviour), spin);
}
