// SPDX-License-Identifier: MIT
// A table from 64-bit keys to 32-bit numbers.
#ifndef REHEARSE_BASE_INDEX_H
#define REHEARSE_BASE_INDEX_H

#include "base/table.h"
#include "base/vector.h"

struct rh_index {
    struct rh_table table; // places in `entries`
    RH_VECTOR(struct rh_index_entry {
        uint64_t key;
        uint32_t number;
    })
    entries;
};

// The number under this key; RH_NONE if the key has none.
uint32_t rh_index_find(const struct rh_index *index, uint64_t key);
// Puts `number`, which is not RH_NONE, under a key that has no number yet.
void rh_index_add(struct rh_index *index, uint64_t key, uint32_t number);
void rh_index_fini(struct rh_index *index);

#endif
