// SPDX-License-Identifier: MIT
#include "explore/process/place.h"

#include <stdbool.h>
#include <string.h>

// Whether a function belongs to the library, or to its headers.
static bool is_tool(struct rh_debug *debug, uintptr_t address, const char *function)
{
    bool is_body = strncmp(function, "rh__test_body_", 14) == 0;
    return (strncmp(function, "rh_", 3) == 0 && !is_body) || rh_debug_code_is_own(debug, address);
}

struct rh_place rh_place_find(struct rh_debug *debug, const uint64_t *frames, int frame_count,
                              struct rh_text *function)
{
    for (int i = 0; debug && i < frame_count; i++) {
        struct rh_place place = {0};
        uintptr_t address = frames[i];
        rh_text_clear(function);
        if (rh_debug_code_at(debug, address, function, &place.file, &place.line) && place.file &&
            !is_tool(debug, address, rh_text_get(function)))
            return place;
    }
    rh_text_clear(function);
    return (struct rh_place){0};
}
