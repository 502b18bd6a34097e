// SPDX-License-Identifier: MIT
// Makes diagrams shorter: what is repeated becomes a loop, and what differs only in a number that
// goes up becomes a family. What the diagram allows stays the same.
#ifndef REHEARSE_DIAGRAM_FOLD_H
#define REHEARSE_DIAGRAM_FOLD_H

#include "diagram/diagram.h"

const struct rh_node *rh_fold(struct rh_arena *arena, const struct rh_node *node);

// One of several: what all ways begin with stands before the choice.
const struct rh_node *rh_fold_choice(struct rh_arena *arena, const struct rh_node *const *ways,
                                     size_t count);

// The same and maybe more: where ways are lists of as many parts, each part is a choice of its own.
const struct rh_node *rh_fold_ways(struct rh_arena *arena, const struct rh_node *const *ways,
                                   size_t count);

// The numbers of a node, in the order in which a walk comes to them: indexes of actors and bounds.
struct rh_numbers {
    int64_t *items;
    size_t count, capacity;
};
void rh_node_numbers(const struct rh_node *node, struct rh_numbers *numbers);
// Whether two nodes differ in nothing but numbers.
bool rh_node_is_alike(const struct rh_node *one, const struct rh_node *other);
// The same with expressions in the place of its numbers. Borrows them.
const struct rh_node *rh_node_with(struct rh_arena *arena, const struct rh_node *node,
                                   const struct rh_expression *const *numbers);

#endif
