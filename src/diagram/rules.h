// SPDX-License-Identifier: MIT
// A diagram made of what handlers do: a part for each message that one class of actors gets from
// another, with what its handler may send then, which are parts again. So it is as short as the
// program, however many executions there are. It knows of no order but that a message comes before
// what it leads to, and of what a handler sends only what it sends in some execution.
#ifndef REHEARSE_DIAGRAM_RULES_H
#define REHEARSE_DIAGRAM_RULES_H

#include "diagram/automaton.h"

// Executions are those of a journal that has one of each class. NULL if none comes to its end.
const struct rh_node *rh_infer_rules(struct rh_arena *arena, const struct rh_journal *classes,
                                     struct rh_automaton *automaton);

#endif
