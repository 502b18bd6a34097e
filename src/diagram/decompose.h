// SPDX-License-Identifier: MIT
// Writes an order as a diagram: the orders that all executions have in common become sequences, and
// what is left open becomes parallel. Whatever the diagram says holds in every execution; where an
// order can't be written with sequences and parallels, some of it is left out.
#ifndef REHEARSE_DIAGRAM_DECOMPOSE_H
#define REHEARSE_DIAGRAM_DECOMPOSE_H

#include "diagram/order.h"

const struct rh_node *rh_decompose(struct rh_arena *arena, const struct rh_names *names,
                                   const struct rh_order *order);

#endif
