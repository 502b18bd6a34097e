// SPDX-License-Identifier: MIT
// Memory that is given back all at once: what an analysis builds lives as long as the analysis's
// result.
#ifndef REHEARSE_BASE_ARENA_H
#define REHEARSE_BASE_ARENA_H

#include <stddef.h>

struct rh_arena {
    struct rh__arena_chunk *newest; // owned; NULL: nothing was taken yet
    size_t left;                    // free bytes of the newest chunk
};

// Gives zeroed memory, aligned for every type.
void *rh_arena_take(struct rh_arena *arena, size_t size);
// Copies the bytes into the arena, with a NUL behind them.
char *rh_arena_text(struct rh_arena *arena, const char *bytes, size_t length);
void rh_arena_fini(struct rh_arena *arena);

#endif
