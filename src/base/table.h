// SPDX-License-Identifier: MIT
// The hash table: finds the number of a record by the record's hash. Records are the caller's, and
// so is what makes two of them equal:
//
//     struct rh_probe probe = rh_table_probe(&table, hash);
//     while (rh_probe_next(&probe))
//         if (records[probe.number].key == key)
//             return probe.number;
//     return RH_NONE;
//
// Slots are not walked through in any other way, so nothing depends on their order. A table that is
// all zeros is empty. Its memory is allocated, or comes from a store that processes share; a table
// is given the same store each time, or none each time.
#ifndef REHEARSE_BASE_TABLE_H
#define REHEARSE_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/none.h"
#include "base/store.h"

// Numbers are below this.
#define RH_TABLE_MOST (UINT32_C(1) << 31)

struct rh_table_slot {
    uint32_t tag;   // the part of the hash that decides where a search for it begins
    uint32_t entry; // `forgotten` of the table, plus the number, plus 1; not above it: free
};

struct rh_table {
    struct rh_table_slot *slots;
    uint32_t capacity;  // a power of two, or 0; at most three quarters are in use
    uint32_t count;     // slots in use
    uint32_t forgotten; // slots with an entry up to this one were cleared
    uint32_t newest;    // the largest entry
};

// A hash for keys that are no hashes themselves.
static inline uint64_t rh_table_hash(uint64_t key)
{
    rh_hash128 product =
        (rh_hash128)(key ^ UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// A walk over the numbers whose records may have a hash.
struct rh_probe {
    const struct rh_table *table;
    uint32_t tag;
    uint32_t at;     // the slot to look at next
    uint32_t number; // valid if rh_probe_next has given true
};

static inline struct rh_probe rh_table_probe(const struct rh_table *table, uint64_t hash)
{
    return (struct rh_probe){.table = table, .tag = (uint32_t)hash, .at = (uint32_t)hash};
}

static inline bool rh_probe_next(struct rh_probe *probe)
{
    const struct rh_table *table = probe->table;
    if (table->capacity == 0)
        return false;
    for (;;) {
        const struct rh_table_slot *slot = &table->slots[probe->at++ & (table->capacity - 1)];
        if (slot->entry <= table->forgotten)
            return false;
        if (slot->tag == probe->tag) {
            probe->number = slot->entry - table->forgotten - 1;
            return true;
        }
    }
}

// Adds a number. No equal record is there: the caller has looked. false if `store` has no room for
// a larger table; NULL instead of a store: the table is allocated.
bool rh_table_add(struct rh_table *table, struct rh_store *store, uint64_t hash, uint32_t number);
// Forgets all numbers, in constant time but for one time in very many.
void rh_table_clear(struct rh_table *table);
// Of a table that is allocated. One from a store goes with the store.
void rh_table_fini(struct rh_table *table);

// The size of a store that has room for one table of `most` numbers, however it grows.
size_t rh_table_store_size(uint32_t most);

#endif
