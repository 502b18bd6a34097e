// SPDX-License-Identifier: MIT
// A diagram made of what handlers do: a part for each message that one class of actors gets from
// another, with what its handler may send then, which are parts again. So it is as short as the
// program, however many executions there are. It knows of no order but that a message comes before
// what it leads to, and of what a handler sends only what it sends in some execution.
#ifndef REHEARSE_DIAGRAM_RULES_H
#define REHEARSE_DIAGRAM_RULES_H

#include "diagram/automaton.h"
#include "diagram/fit.h"

// Executions of a program, one of each class, with some values of its parameters.
struct rh_rules_view {
    const struct rh_journal *classes;
    struct rh_automaton *automaton;
};

// `points` has the values of each view; without parameters there is one. Indexes of actors follow
// from others as they do in all views. How many messages are sent is a polynomial of the parameters
// if there is one, and otherwise, or where `is_loose`, any number. NULL if no execution of some
// view comes to its end.
const struct rh_node *rh_infer_rules(struct rh_arena *arena, const struct rh_rules_view *views,
                                     const struct rh_points *points, bool is_loose);

#endif
