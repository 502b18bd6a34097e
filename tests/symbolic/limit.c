// SPDX-License-Identifier: MIT
// A gate with a limit that nobody has written down, and two outsiders whose messages come in any order.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(enter, { int persons; });

struct gate {
    int limit, inside;
};

static void gate_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct gate *gate = state;
    const struct enter *enter = rh_as(message, enter);
    (void)self;
    if (!enter)
        return;
    if (enter->persons == gate->limit)
        gate->inside = 0;
    gate->inside += enter->persons;
    rh_check(gate->inside != 7);
}

RH_TEST(two_groups)
{
    rh_actor *gate = rh_spawn(gate_behaviour, struct gate, {.limit = rh_input(int, "limit")});
    rh_send_from(rh_outside("ann"), gate, enter, {.persons = 3});
    rh_send_from(rh_outside("ben"), gate, enter, {.persons = 7});
}

RH_TEST(judged)
{
    rh_send(rh_spawn(gate_behaviour, struct gate, {0}), enter,
            {.persons = rh_input(int, "persons")});
}
RH_FINALLY(judged)
{
    const struct gate *gate = rh_view_state(rh_view_named("gate#1"));
    rh_check(gate->inside < 100);
}
