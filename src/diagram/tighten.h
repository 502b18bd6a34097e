// SPDX-License-Identifier: MIT
// Makes a diagram that is sound say less, step by step: each step leaves out something that the
// diagram allows, and is kept if the judge still finds the diagram sound.
#ifndef REHEARSE_DIAGRAM_TIGHTEN_H
#define REHEARSE_DIAGRAM_TIGHTEN_H

#include "diagram/judge.h"

struct rh_tightening {
    size_t tried, kept; // steps
    bool is_cut;        // there was more to try
};

// The diagram's nodes are replaced by others in the arena. Nothing is tried where the diagram is
// not sound as it is; `judgement` is of the result. Errors are those of the judge.
struct rh_status rh_diagram_tighten(struct rh_automaton *automaton, struct rh_diagram *diagram,
                                    const struct rh_binding *bindings, bool is_fifo, bool is_whole,
                                    struct rh_arena *arena, struct rh_tightening *tightening,
                                    struct rh_judgement *judgement);

#endif
