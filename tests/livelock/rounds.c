// SPDX-License-Identifier: MIT
// The programs of machine.h as actors. The input `seed` says which of them.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include "machine.h"

RH_MESSAGE(note, { int number; });

struct machine {
    int seed, number, state;
};

static rh_actor *machines[MACHINES]; // as the test's body leaves them

static bool machine_guard(const void *state, const rh_message *message)
{
    const struct machine *machine = state;
    const struct note *note = rh_as(message, note);
    return accepts(machine->seed, machine->number, machine->state, note->number);
}

static void machine_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct machine *machine = state;
    int number = ((const struct note *)rh_as(message, note))->number;
    int count = choices_of(machine->seed, machine->number, machine->state, number);
    int outcome = count > 1 ? rh_choose(count) : 0;
    struct action action =
        action_of(machine->seed, machine->number, machine->state, number, outcome);
    (void)self;
    machine->state = action.state;
    for (int i = 0; i < action.send_count; i++)
        rh_send(machines[action.to[i]], note, {.number = action.note[i]});
    if (action.progress)
        rh_progress();
}
RH_GUARD(machine_behaviour, machine_guard);

static void start_machines(int seed)
{
    static const char *const names[MACHINES] = {"ann", "ben", "eva"};
    for (int i = 0; i < MACHINES; i++)
        machines[i] = rh_spawn(machine_behaviour, struct machine, {.seed = seed, .number = i});
    for (int i = 0; i < first_notes(seed); i++)
        rh_send_from(rh_outside(names[i]), machines[i], note, {.number = first_note(seed, i)});
}

RH_TEST(rounds)
{
    start_machines(rh_input(int, "seed"));
}

// An invariant looks at two machines, so that deliveries to the one and to the other depend on each other; where it does
// not hold the execution ends.
struct watched {
    rh_actor *first, *second;
};

static void watch(const void *context)
{
    const struct watched *watched = context;
    const struct machine *first = rh_view_state(watched->first);
    const struct machine *second = rh_view_state(watched->second);
    rh_check(may_both_be(first->state, second->state));
}

RH_TEST(watched)
{
    start_machines(rh_input(int, "seed"));
    rh_invariant(watch, struct watched, {.first = machines[0], .second = machines[1]});
}
