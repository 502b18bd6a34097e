// SPDX-License-Identifier: MIT
#include "base/index.h"

uint32_t rh_index_find(const struct rh_index *index, uint64_t key)
{
    struct rh_probe probe = rh_table_probe(&index->table, rh_table_hash(key));
    while (rh_probe_next(&probe))
        if (index->entries.items[probe.number].key == key)
            return index->entries.items[probe.number].number;
    return RH_NONE;
}

void rh_index_add(struct rh_index *index, uint64_t key, uint32_t number)
{
    rh_assert(number != RH_NONE && rh_index_find(index, key) == RH_NONE);
    rh_table_add(&index->table, NULL, rh_table_hash(key), (uint32_t)index->entries.count);
    *rh_vector_push(&index->entries) = (struct rh_index_entry){key, number};
}

void rh_index_fini(struct rh_index *index)
{
    rh_table_fini(&index->table);
    rh_vector_fini(&index->entries);
}
