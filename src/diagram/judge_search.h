// SPDX-License-Identifier: MIT
// The search of the judge, for its files: judge.c follows the program, surplus.c
// looks for what the diagram allows beyond it, and taken.c for arrows that no execution takes.
#ifndef REHEARSE_DIAGRAM_JUDGE_SEARCH_H
#define REHEARSE_DIAGRAM_JUDGE_SEARCH_H

#include "diagram/judge.h"

// What is left of a diagram after the same steps: one of these forms; and who waits for an answer.
struct rh_judge_set {
    struct rh_form_list forms;
    struct rh_form_list waiting; // actors
};

struct rh_judge_pair {
    uint32_t state, set;
    uint32_t parent;       // pair
    uint32_t edge;         // that leads here from the parent
    uint32_t first_target; // of `targets`, one for each edge of the state
};

struct rh_judge {
    struct rh_automaton *automaton;
    struct rh_forms forms;
    struct rh_residuals residuals;
    RH_VECTOR(struct rh_judge_set) sets;
    struct rh_table set_table;
    RH_VECTOR(struct rh_judge_pair) pairs;
    struct rh_table pair_table;
    // Pairs that edges of the program lead to, in the order in which they were followed.
    RH_VECTOR(uint32_t) targets;
    RH_VECTOR(uint32_t) ending; // forms from which the diagram can come to its end
    struct rh_table ending_table;
    bool allows_order, allows_sends; // beyond the program
    bool is_undecided;               // whether it allows more
    uint64_t followed;               // forms, by edges of the program
    uint64_t work;                   // ways that were looked at to decide that
    bool is_full;
    bool is_run; // one execution is followed
    bool is_cut;
    bool may_lose; // a sketch: messages may get lost
    struct rh_judgement *judgement;
};

bool rh__form_list_has(const struct rh_form_list *list, uint32_t form);
bool rh__form_list_equals(const struct rh_form_list *one, const struct rh_form_list *other);
// Writes down the steps that lead to the pair, and the edge behind it unless it is RH_NONE.
void rh__judge_note_path(struct rh_judge *judge, uint32_t pair, uint32_t last_edge);
// Says "after 3 deliveries".
void rh__judge_add_after(struct rh_judge *judge, size_t deliveries);
// How many deliveries the path has.
size_t rh__judge_deliveries(const struct rh_judge *judge);
// Who waits behind a step: an answer ends waiting, and asking begins it.
void rh__judge_wait_behind(const struct rh_form_list *before, const struct rh_label *received,
                           const struct rh_sends *sends, struct rh_form_list *after);
// The marked forms when the edge's message is received; for the test's body the forms themselves.
void rh__judge_receive(struct rh_judge *judge, const struct rh_judge_set *set,
                       const struct rh_edge *edge, struct rh_form_list *marked);

// Whether some execution that comes to its end takes each arrow of the diagram. Every pair has been
// followed.
bool rh__judge_takes_all(struct rh_judge *judge);
// Looks at what the diagram allows at a pair beyond the program.
void rh__judge_compare_diagram(struct rh_judge *judge, uint32_t pair);

// Forgets all forms but those of the pair's set, which get new numbers. Earlier sets mean nothing
// then.
void rh__judge_compact(struct rh_judge *judge, uint32_t pair);

#endif
