// SPDX-License-Identifier: MIT
#include "reduce/lists.h"

#include <string.h>

#include "base/hash.h"
#include "base/mapping.h"
#include "base/status.h"

enum { WORDS_MOST = 1 << 26, LISTS_MOST = 3 << 20 };

bool rh_lists_init(struct rh_lists *lists)
{
    *lists = (struct rh_lists){.words = rh_map_shared(sizeof *lists->words * WORDS_MOST)};
    return rh_store_open(&lists->store, rh_table_store_size(LISTS_MOST)) && lists->words;
}

void rh_lists_fini(struct rh_lists *lists)
{
    rh_unmap_shared(lists->words, sizeof *lists->words * WORDS_MOST);
    rh_store_close(&lists->store);
    *lists = (struct rh_lists){0};
}

static bool is_list(const struct rh_lists *lists, uint32_t list, const uint32_t *values,
                    uint32_t count)
{
    return lists->words[list] == count &&
           memcmp(&lists->words[list + 1], values, sizeof *values * count) == 0;
}

uint32_t rh_lists_add(struct rh_lists *lists, const uint32_t *values, uint32_t count)
{
    uint64_t hash = rh_hash64(values, sizeof *values * count, 0);
    struct rh_probe probe = rh_table_probe(&lists->table, hash);
    while (rh_probe_next(&probe))
        if (is_list(lists, probe.number, values, count))
            return probe.number;
    uint32_t list = lists->top;
    if (list + count + 1 > WORDS_MOST || !rh_table_add(&lists->table, &lists->store, hash, list))
        return RH_NONE;
    lists->words[list] = count;
    memcpy(&lists->words[list + 1], values, sizeof *values * count);
    lists->top += count + 1;
    return list;
}

uint32_t rh_lists_get(const struct rh_lists *lists, uint32_t list, uint32_t position)
{
    rh_assert(list < lists->top);
    return position < lists->words[list] ? lists->words[list + 1 + position] : 0;
}
