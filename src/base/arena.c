// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { CHUNK_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct rh__arena_chunk {
    struct rh__arena_chunk *older;
    size_t size;
    _Alignas(ALIGNMENT) char bytes[];
};

void *rh_arena_take(struct rh_arena *arena, size_t size)
{
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!arena->newest || arena->left < size) {
        size_t bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        struct rh__arena_chunk *chunk = rh_alloc(sizeof *chunk + bytes);
        *chunk = (struct rh__arena_chunk){arena->newest, bytes};
        arena->newest = chunk;
        arena->left = bytes;
    }
    rh_assert(size <= arena->left && arena->left <= arena->newest->size);
    void *taken = arena->newest->bytes + arena->newest->size - arena->left;
    arena->left -= size;
    return taken;
}

char *rh_arena_text(struct rh_arena *arena, const char *bytes, size_t length)
{
    char *text = rh_arena_take(arena, length + 1);
    if (length)
        memcpy(text, bytes, length);
    return text;
}

void rh_arena_fini(struct rh_arena *arena)
{
    while (arena->newest) {
        struct rh__arena_chunk *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
    arena->left = 0;
}
