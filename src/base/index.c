// SPDX-License-Identifier: MIT
#include "base/index.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/text.h"

enum { FIRST_CAPACITY = 64 };

struct rh__index_entry {
    uint64_t key;
    uint32_t number_plus_1; // 0: the entry is free
};

static struct rh__index_entry *entry_for(const struct rh_index *index, uint64_t key)
{
    size_t mask = index->capacity - 1;
    size_t at = rh_hash64_pair(key, 0) & mask;
    while (index->entries[at].number_plus_1 && index->entries[at].key != key)
        at = (at + 1) & mask;
    return &index->entries[at];
}

uint32_t rh_index_find(const struct rh_index *index, uint64_t key)
{
    return index->capacity ? entry_for(index, key)->number_plus_1 - 1 : RH_INDEX_NONE;
}

static void grow(struct rh_index *index)
{
    struct rh_index larger = {.capacity = index->capacity ? 2 * index->capacity : FIRST_CAPACITY};
    larger.entries = rh_alloc(larger.capacity * sizeof *larger.entries);
    for (size_t i = 0; i < index->capacity; i++)
        if (index->entries[i].number_plus_1)
            *entry_for(&larger, index->entries[i].key) = index->entries[i];
    larger.count = index->count;
    free(index->entries);
    *index = larger;
}

void rh_index_add(struct rh_index *index, uint64_t key, uint32_t number)
{
    if (4 * (index->count + 1) > 3 * index->capacity)
        grow(index);
    struct rh__index_entry *entry = entry_for(index, key);
    rh_assert(!entry->number_plus_1 && number != RH_INDEX_NONE);
    *entry = (struct rh__index_entry){key, number + 1};
    index->count++;
}

void rh_index_fini(struct rh_index *index)
{
    free(index->entries);
    *index = (struct rh_index){0};
}
