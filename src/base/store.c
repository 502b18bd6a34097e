// SPDX-License-Identifier: MIT
#include "base/store.h"

#include <string.h>
#include <sys/mman.h>

#include "base/mapping.h"
#include "base/status.h"

bool rh_store_open(struct rh_store *store, size_t size)
{
    *store = (struct rh_store){.memory = rh_map_shared(size), .size = size};
    return store->memory != NULL;
}

void rh_store_close(struct rh_store *store)
{
    rh_unmap_shared(store->memory, store->size);
    *store = (struct rh_store){0};
}

bool rh_store_has(const struct rh_store *store, const void *memory)
{
    return store && (const char *)memory >= store->memory &&
           (const char *)memory < store->memory + store->top;
}

void *rh_store_take(struct rh_store *store, size_t size)
{
    rh_assert(store->top <= store->size);
    size_t rounded = (size + 15) & ~(size_t)15;
    if (rounded < size || rounded > store->size - store->top) {
        store->is_full = true;
        return NULL;
    }
    void *memory = store->memory + store->top;
    store->top += rounded;
    return memory;
}

void rh_store_drop(void *memory, size_t size)
{
    enum { PAGE = 4096 };
    uintptr_t start = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = ((uintptr_t)memory + size) / PAGE * PAGE;
    if (start < end)
        madvise((void *)start, end - start, MADV_REMOVE);
}

const char *rh_store_copy_text(struct rh_store *store, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = rh_store_take(store, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void *rh_store_grow(struct rh_store *store, void *items, size_t size, uint32_t count,
                    uint32_t *capacity)
{
    rh_assert(count <= *capacity);
    if (count < *capacity)
        return items;
    uint32_t larger = *capacity > 0 ? *capacity * 2 : 64;
    void *copy = rh_store_take(store, size * larger);
    if (!copy)
        return NULL;
    if (count > 0)
        memcpy(copy, items, size * count);
    *capacity = larger;
    return copy;
}
