// SPDX-License-Identifier: MIT
// What one actor does, as the smallest deterministic machine that says the same: its steps are the
// messages that the actor receives, with what it sends then.
#ifndef REHEARSE_DIAGRAM_MACHINE_H
#define REHEARSE_DIAGRAM_MACHINE_H

#include "diagram/automaton.h"

struct rh_machine_edge {
    uint32_t from, to; // states
    uint32_t label;
};

struct rh_machine {
    struct rh_arena arena;
    RH_VECTOR(const char *) labels;
    RH_VECTOR(struct rh_machine_edge) edges; // by state
    RH_VECTOR(bool) ends;                    // by state: the execution may be over here
};

// Makes it of all that the program does; state 0 is the first. false if there are too many states.
bool rh_machine_init(struct rh_machine *machine, const struct rh_automaton *automaton,
                     uint32_t actor);
void rh_machine_fini(struct rh_machine *machine);

// The number of an actor, "worker[2]" or "master"; RH_NONE if there is none of that name, or there
// are several.
uint32_t rh_machine_find_actor(const struct rh_automaton *automaton, const char *name);

#endif
