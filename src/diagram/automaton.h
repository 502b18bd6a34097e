// SPDX-License-Identifier: MIT
// A program as what diagrams are compared with: its states, and the steps between them.
#ifndef REHEARSE_DIAGRAM_AUTOMATON_H
#define REHEARSE_DIAGRAM_AUTOMATON_H

#include "diagram/step.h"
#include "result/journal.h"

// A step of the program. Which of several equal ones was taken makes no difference.
struct rh_edge {
    uint32_t from, to; // states
    uint32_t step;     // of the journal, for its names
    struct rh_label received;
    struct rh_sends sends;
};

struct rh_automaton_state {
    bool is_end, is_cut;
    uint32_t first_edge, edge_count; // in `edges`
};

// By number of a journal's actor: its number in names.
struct rh_numbers_of {
    uint32_t *items;
    size_t count, capacity;
};

// State 0 is the one before the test's body, whose edges receive nothing.
struct rh_automaton {
    struct rh_names names;
    RH_VECTOR(struct rh_automaton_state) states;
    RH_VECTOR(struct rh_edge) edges;  // by state
    struct rh_numbers_of actors;      // of the journal
    struct rh_arena arena;            // of names
    const struct rh_journal *journal; // borrowed
    bool
        is_by_class; // actors of which a class has several are one: what sketches are compared with
};

// The class of an actor of this name.
const char *rh_class_name(struct rh_arena *arena, const char *name);

// Makes it of a journal whose states are those that a search has told apart.
void rh_automaton_init(struct rh_automaton *automaton, const struct rh_journal *journal);
void rh_automaton_init_classes(struct rh_automaton *automaton, const struct rh_journal *journal);
// Makes it of the last execution of a journal: a chain of states.
void rh_automaton_init_run(struct rh_automaton *automaton, const struct rh_journal *journal,
                           bool is_by_class);
// Another journal of the same program: its actors, which the caller frees, and its messages.
void rh_automaton_map(struct rh_automaton *automaton, const struct rh_journal *journal,
                      struct rh_numbers_of *actors);
struct rh_label rh_automaton_label(struct rh_automaton *automaton, const struct rh_journal *journal,
                                   const struct rh_numbers_of *actors,
                                   const struct rh_journal_message *message);
void rh_automaton_fini(struct rh_automaton *automaton);

#endif
