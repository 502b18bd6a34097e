// SPDX-License-Identifier: MIT
// Compares a diagram with a program: one search over pairs of a state of the program and what is
// left of the diagram there. Both are deterministic as sets, so that the diagram says just what the
// program does if at every pair that is reached both allow the same steps and both may end.
#ifndef REHEARSE_DIAGRAM_JUDGE_H
#define REHEARSE_DIAGRAM_JUDGE_H

#include "diagram/automaton.h"
#include "diagram/grade.h"

struct rh_judgement {
    enum rh_grade grade;
    uint64_t pairs;
    // If unsound: the steps of the program up to the first that the diagram does not allow, as
    // numbers of edges, and what differs; if sound: up to where the diagram allows more, and what.
    RH_VECTOR(uint32_t) path;
    struct rh_text difference;
    // Why it is unknown, or why it is not known to be better than sound.
    struct rh_text reason;
};
void rh_judgement_fini(struct rh_judgement *judgement);

// `is_whole`: the automaton has everything that the program can do. Errors are those of the
// diagram: see rh_form_make.
struct rh_status rh_diagram_judge(struct rh_automaton *automaton, const struct rh_diagram *diagram,
                                  const struct rh_binding *bindings, bool is_fifo, bool is_whole,
                                  struct rh_judgement *judgement);

// Whether the diagram allows one execution (rh_automaton_init_run): sound, unsound or unknown.
struct rh_status rh_diagram_follow(struct rh_automaton *automaton, const struct rh_diagram *diagram,
                                   const struct rh_binding *bindings, bool is_fifo,
                                   struct rh_judgement *judgement);

#endif
