// SPDX-License-Identifier: MIT
// What the programs of this folder have in common: a victim that does harm when it handles its second message, and an
// actor beside it with a check that fails in one of two orders. Whatever the harm is, the check is found.
#ifndef BESIDE_H
#define BESIDE_H

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(set, { int value; });

struct victim {
    int count;
    char room[64];
    void (*reach)(void); // what this one does, in programs with several tests
};

struct gate {
    int last;
};

// Each program has its own.
static void harm(struct victim *victim, const rh_message *message);

static void victim_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct victim *victim = state;
    (void)self;
    rh_ignore(message);
    if (++victim->count == 2)
        harm(victim, message);
}

static void gate_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct gate *gate = state;
    const struct set *set = rh_as(message, set);
    (void)self;
    rh_check(!(gate->last == 2 && set->value == 1));
    gate->last = set->value;
}

static void beside(void (*reach)(void))
{
    rh_actor *gate = rh_spawn(gate_behaviour, struct gate, {0});
    rh_actor *victim = rh_spawn(victim_behaviour, struct victim, {.reach = reach});

    rh_send_from(rh_outside("cat"), victim, set, {.value = 3});
    rh_send_from(rh_outside("dan"), victim, set, {.value = 4});
    rh_send_from(rh_outside("ann"), gate, set, {.value = 1});
    rh_send_from(rh_outside("ben"), gate, set, {.value = 2});
}

#ifndef HAS_TESTS
RH_TEST(beside)
{
    beside(NULL);
}
#endif

#endif
