// SPDX-License-Identifier: MIT
#include "cover/store.h"

#include <string.h>

#include "base/reserve.h"

bool rh_store_open(struct rh_store *store, size_t size)
{
    *store = (struct rh_store){.memory = rh_reserve(size), .size = size};
    return store->memory != NULL;
}

void rh_store_close(struct rh_store *store)
{
    rh_release(store->memory, store->size);
    *store = (struct rh_store){0};
}

void *rh_store_take(struct rh_store *store, size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (rounded < size || rounded > store->size - store->top) {
        store->is_full = true;
        return NULL;
    }
    void *memory = store->memory + store->top;
    store->top += rounded;
    return memory;
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

// The entry of an identity, or the empty entry where it belongs.
static struct rh_numbers_entry *find_entry(const struct rh_numbers *numbers, uint64_t identity)
{
    uint32_t mask = numbers->capacity - 1;
    uint32_t at = (uint32_t)identity & mask;
    while (numbers->entries[at].number != 0 && numbers->entries[at].identity != identity)
        at = (at + 1) & mask;
    return &numbers->entries[at];
}

uint32_t rh_numbers_find(const struct rh_numbers *numbers, uint64_t identity)
{
    if (numbers->capacity == 0)
        return RH_NO_NUMBER;
    return find_entry(numbers, identity)->number - 1; // in an empty entry 0, so RH_NO_NUMBER
}

static bool grow_numbers(struct rh_numbers *numbers, struct rh_store *store)
{
    struct rh_numbers old = *numbers;
    numbers->capacity = old.capacity > 0 ? old.capacity * 2 : 256;
    numbers->entries = rh_store_take(store, sizeof *numbers->entries * numbers->capacity);
    if (!numbers->entries) {
        *numbers = old;
        return false;
    }
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.entries[i].number != 0)
            *find_entry(numbers, old.entries[i].identity) = old.entries[i];
    return true;
}

bool rh_numbers_add(struct rh_numbers *numbers, struct rh_store *store, uint64_t identity,
                    uint32_t number)
{
    if (numbers->count * UINT64_C(2) >= numbers->capacity && !grow_numbers(numbers, store))
        return false;
    *find_entry(numbers, identity) = (struct rh_numbers_entry){identity, number + 1};
    numbers->count++;
    return true;
}
