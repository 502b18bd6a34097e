// SPDX-License-Identifier: MIT
// Where arrows of a diagram show in what a program does: the shortest route through its steps to
// there, and in how many executions.
#ifndef REHEARSE_DIAGRAM_ROUTE_H
#define REHEARSE_DIAGRAM_ROUTE_H

#include "diagram/arrow.h"
#include "diagram/automaton.h"

// Edges of an automaton from its state 0 on: the first is that of the test's body.
struct rh_route {
    uint32_t *items;
    size_t count, capacity;
};

// An arrow shows where its message is received; if it is one that gets lost, where it is sent.
// Finds the shortest route on which the arrows show one after the other; false if there is none.
bool rh_route_find(const struct rh_automaton *automaton, const struct rh_binding *bindings,
                   const struct rh_node *const *arrows, size_t count, struct rh_route *route);
// Whether they do so in the last execution of a journal.
bool rh_route_is_run(struct rh_automaton *automaton, const struct rh_binding *bindings,
                     const struct rh_node *const *arrows, size_t count,
                     const struct rh_journal *run);

// How many executions of a journal send messages of the arrow, and how many each of these does.
struct rh_shows {
    size_t all, some; // executions
    size_t least, most;
    size_t with_other; // executions with messages of the other arrow too
};
// There are one or two arrows, and as many `shows`.
void rh_shows_count(struct rh_automaton *automaton, const struct rh_binding *bindings,
                    const struct rh_node *const *arrows, size_t count,
                    const struct rh_journal *classes, struct rh_shows *shows);

#endif
