// SPDX-License-Identifier: MIT
// Where and when the messages of a diagram's arrows are sent: on which lines of the program, upon
// which messages, and what is true of those that is not true of the ones upon which they are not
// sent.
//
// When is what executions have shown, one of each class. What they have in common may be chance if
// they are few.
#ifndef REHEARSE_DIAGRAM_NOTES_H
#define REHEARSE_DIAGRAM_NOTES_H

#include "diagram/arrow.h"
#include "diagram/automaton.h"

// Texts live in an arena that is somebody else's.
struct rh_note {
    const struct rh_node *arrow;
    const char *where; // "crew.c:33", several with commas; "" if not known
    const char *when;  // "upon the 3rd result"; "" if nobody sends it
};

struct rh_notes {
    struct rh_note *items;
    size_t count, capacity;
};

// Adds a note for each arrow of the node, equal ones once.
void rh_notes_add(struct rh_notes *notes, struct rh_arena *arena, struct rh_automaton *automaton,
                  const struct rh_journal *classes, const struct rh_binding *bindings,
                  const struct rh_node *node);

#endif
