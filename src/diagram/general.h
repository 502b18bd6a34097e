// SPDX-License-Identifier: MIT
// One diagram of those for several values of parameters: the numbers in which they differ become
// expressions.
#ifndef REHEARSE_DIAGRAM_GENERAL_H
#define REHEARSE_DIAGRAM_GENERAL_H

#include "diagram/fit.h"

// `bodies` has a diagram for each point. Those that differ in more than numbers from most of them
// are left out: a loop of one round is no loop. Whether the result holds for these too is for the
// judge to say. NULL if some number does not depend on the parameters.
const struct rh_node *rh_generalize(struct rh_arena *arena, const struct rh_points *points,
                                    const struct rh_node *const *bodies);

#endif
