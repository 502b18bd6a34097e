// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdint.h>

#include "test.h"

int main(void)
{
    struct rh_arena arena = {0};
    EXPECT(rh_arena_take(&arena, 0) != NULL);
    char *blocks[300];
    size_t sizes[300];
    for (size_t i = 0; i < 300; i++) {
        sizes[i] = i * i % 5000 + (i == 77 ? 200000 : 1);
        blocks[i] = rh_arena_take(&arena, sizes[i]);
        EXPECT((uintptr_t)blocks[i] % 16 == 0);
        for (size_t k = 0; k < sizes[i]; k++)
            EXPECT(blocks[i][k] == 0);
        memset(blocks[i], (int)(i % 255) + 1, sizes[i]);
    }
    // No block has lost what was put into it.
    for (size_t i = 0; i < 300; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            EXPECT(blocks[i][k] == (char)(i % 255 + 1));
    EXPECT_TEXT(rh_arena_text(&arena, "hello there", 5), "hello");
    EXPECT_TEXT(rh_arena_text(&arena, NULL, 0), "");
    rh_arena_fini(&arena);
    EXPECT(arena.newest == NULL);
    return 0;
}
