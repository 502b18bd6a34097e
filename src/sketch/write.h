// SPDX-License-Identifier: MIT
// From terms to a diagram.
#ifndef REHEARSE_SKETCH_WRITE_H
#define REHEARSE_SKETCH_WRITE_H

#include "sketch/internal.h"

// Leaves of solutions: a message by itself, and what follows from one, by name.
#define RH__SKETCH_ARROW(variable) ((variable)*2)
#define RH__SKETCH_CALL(future) ((future)*2 + 1)

// Writes the body, and a definition for each future that is called: its solution. `futures` is by
// variable.
void rh__sketch_write(struct rh__sketch_builder *builder, uint32_t body, const uint32_t *solutions,
                      const uint32_t *futures);

#endif
