// SPDX-License-Identifier: MIT
// Where in the program's own code something happened.
#ifndef REHEARSE_EXPLORE_PROCESS_PLACE_H
#define REHEARSE_EXPLORE_PROCESS_PLACE_H

#include <stdint.h>

#include "base/text.h"
#include "debug/debug.h"

struct rh_place {
    const char *file; // of the debug information; NULL: none of the frames is the program's own
    int line;
};

// The innermost of these frames that is the program's own and has a line. Sets the text to the name
// of its function, to "" if there is none. The debug information may be NULL.
struct rh_place rh_place_find(struct rh_debug *debug, const uint64_t *frames, int frame_count,
                              struct rh_text *function);

#endif
