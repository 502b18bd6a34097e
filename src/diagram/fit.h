// SPDX-License-Identifier: MIT
// Finds how numbers depend on parameters: exactly, and with as few coefficients as will do.
#ifndef REHEARSE_DIAGRAM_FIT_H
#define REHEARSE_DIAGRAM_FIT_H

#include "diagram/diagram.h"

// Values that parameters have had together.
struct rh_points {
    const char *const *variables; // borrowed
    size_t variable_count;
    int64_t *values; // a row for each point
    size_t count, capacity;
};

// A polynomial of degree up to two in the variables that has the given value at each point; NULL if
// there is none, or if there are fewer points than coefficients.
const struct rh_expression *rh_fit(struct rh_arena *arena, const struct rh_points *points,
                                   const int64_t *values);

#endif
