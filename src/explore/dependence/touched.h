// SPDX-License-Identifier: MIT
// What a delivery touches, and the one question about it that everything asks which leaves orders out,
// or deliveries: does the order of two deliveries matter?
#ifndef REHEARSE_EXPLORE_DEPENDENCE_TOUCHED_H
#define REHEARSE_EXPLORE_DEPENDENCE_TOUCHED_H

#include <stdbool.h>
#include <stdint.h>

// An object; 0: nothing.
typedef uint64_t rh_touched;

// Whether two deliveries that touch these depend on each other. Independent ones that follow each other
// can be swapped: what they do and what they lead to stays the same. The relation is symmetric, and
// not transitive: two that depend on a third need not depend on each other. Every delivery depends on
// itself, since it changes its receiver.
static inline bool rh_depends(rh_touched one, rh_touched other)
{
    return one == other && one != 0;
}

#endif
