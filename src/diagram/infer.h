// SPDX-License-Identifier: MIT
// Writes what executions have in common as a diagram. Whether it fits is for the judge to say.
#ifndef REHEARSE_DIAGRAM_INFER_H
#define REHEARSE_DIAGRAM_INFER_H

#include "diagram/automaton.h"

// How many sets of messages a diagram may have, each of them a way of a choice.
enum { RH_INFER_ORDERS = 200 };

enum rh_infer_shape {
    RH_INFER_PLAIN,
    // What follows from the last of several that overlap stands beside them, so that rounds of
    // which each is sent by the one before are a list of equal ones.
    RH_INFER_FLAT,
    // Choices stand where they are made, instead of all ways from the beginning to the end.
    RH_INFER_CHOICES,
};

// The diagram of a journal with at least one execution of each class; NULL if there are too many
// sets of messages, or no execution comes to its end. Messages are told apart by their senders and
// types, or `by_causes` also by what has led to them. In the other shapes it may allow more, and be
// shorter.
const struct rh_node *rh_infer(struct rh_arena *arena, const struct rh_journal *classes,
                               struct rh_automaton *automaton, bool by_causes,
                               enum rh_infer_shape shape);

#endif
