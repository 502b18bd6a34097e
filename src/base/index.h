// SPDX-License-Identifier: MIT
// A table from 64-bit keys to 32-bit numbers. Its entries can't be walked through, so nothing
// depends on their order.
#ifndef REHEARSE_BASE_INDEX_H
#define REHEARSE_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RH_INDEX_NONE UINT32_MAX

struct rh_index {
    struct rh__index_entry *entries; // owned; NULL as long as the table is empty
    size_t capacity;                 // a power of two
    size_t count;
};

// The number under this key; RH_INDEX_NONE if the key has none.
uint32_t rh_index_find(const struct rh_index *index, uint64_t key);
// Puts `number`, which is not RH_INDEX_NONE, under a key that has no number yet.
void rh_index_add(struct rh_index *index, uint64_t key, uint32_t number);
void rh_index_fini(struct rh_index *index);

#endif
