// SPDX-License-Identifier: MIT
// Where a sanitizer brings its own malloc, no block lies in memory that is watched, and writes to
// its blocks are not seen.
#ifndef REHEARSE_WORLD_FOREIGN_H
#define REHEARSE_WORLD_FOREIGN_H

#include <stdbool.h>

// Whether a sanitizer's malloc has allocated something for the program, before its tests or in the
// body of the one that runs.
bool rh_foreign_has_allocated(void);

#endif
