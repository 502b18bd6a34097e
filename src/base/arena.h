// SPDX-License-Identifier: MIT
// Memory that is given back all at once: what an analysis builds lives as long as its result.
#ifndef REHEARSE_BASE_ARENA_H
#define REHEARSE_BASE_ARENA_H

#include <stddef.h>

struct rh_arena {
    struct rh__arena_chunk *newest; // owned; NULL: nothing was taken yet
    size_t left;                    // bytes of the newest chunk
};

// Zeroed, aligned for every type.
void *rh_arena_take(struct rh_arena *arena, size_t size);
// A copy that ends in a NUL.
char *rh_arena_text(struct rh_arena *arena, const char *bytes, size_t length);
void rh_arena_fini(struct rh_arena *arena);

#endif
