// SPDX-License-Identifier: MIT
#include "base/vector.h"

#include <stdint.h>
#include <string.h>

void *rh__vector_grow(void *items, size_t size, size_t count, size_t *capacity)
{
    rh_assert(count <= *capacity);
    if (count == *capacity) {
        size_t wanted = count ? count * 2 : 8;
        // rh_realloc reports SIZE_MAX as memory that can't be had.
        items = rh_realloc(items, wanted > SIZE_MAX / 2 / size ? SIZE_MAX : wanted * size);
        *capacity = wanted;
    }
    memset((char *)items + count * size, 0, size);
    return items;
}
