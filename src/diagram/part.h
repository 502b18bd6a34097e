// SPDX-License-Identifier: MIT
// Parts of diagrams that have names: `def leaving(i) = ...`.
#ifndef REHEARSE_DIAGRAM_PART_H
#define REHEARSE_DIAGRAM_PART_H

#include "diagram/diagram.h"

// Those that a node calls, and that these call, in the order in which they are met.
struct rh_definitions {
    struct rh_definition **items;
    size_t count, capacity;
};
void rh_definitions_add(struct rh_definitions *definitions, const struct rh_node *node);
// Whether the part calls itself, maybe through others.
bool rh_definition_is_recursive(const struct rh_definition *definition);

// The node with expressions in the place of variables. Indexes that it binds itself get other names
// where they would be mistaken for those of the expressions.
struct rh_substitution {
    const char *variable;
    const struct rh_expression *expression;
    const struct rh_substitution *outer;
};
const struct rh_node *rh_node_substitute(struct rh_arena *arena, const struct rh_node *node,
                                         const struct rh_substitution *substitution);

// Writes parts out that are called once, or are only an arrow. The definitions change.
const struct rh_node *rh_inline(struct rh_arena *arena, const struct rh_node *node);
// Makes parts of what stands in the node several times, but for indexes of actors, and has at least
// so many arrows. What the diagram allows stays the same.
const struct rh_node *rh_share(struct rh_arena *arena, const struct rh_node *node, size_t least);

#endif
