// SPDX-License-Identifier: MIT
#include "explore/dependence/lists.h"

#include <string.h>

#include "base/hash.h"
#include "base/reserve.h"

enum { WORDS_MOST = 1 << 26, TABLE = 1 << 22 };

bool rh_lists_init(struct rh_lists *lists)
{
    *lists = (struct rh_lists){.words = rh_reserve(sizeof *lists->words * WORDS_MOST),
                               .table = rh_reserve(sizeof *lists->table * TABLE)};
    return lists->words && lists->table;
}

void rh_lists_fini(struct rh_lists *lists)
{
    rh_release(lists->words, sizeof *lists->words * WORDS_MOST);
    rh_release(lists->table, sizeof *lists->table * TABLE);
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
    uint32_t at = (uint32_t)rh_hash64(values, sizeof *values * count, 0) & (TABLE - 1);
    for (; lists->table[at] != 0; at = (at + 1) & (TABLE - 1))
        if (is_list(lists, lists->table[at] - 1, values, count))
            return lists->table[at] - 1;
    uint32_t list = lists->top;
    if (lists->count + 1 > TABLE / 4 * 3 || list + count + 1 > WORDS_MOST)
        return RH_NO_LIST;
    lists->words[list] = count;
    memcpy(&lists->words[list + 1], values, sizeof *values * count);
    lists->top += count + 1;
    lists->table[at] = list + 1;
    lists->count++;
    return list;
}

uint32_t rh_lists_get(const struct rh_lists *lists, uint32_t list, uint32_t position)
{
    return position < lists->words[list] ? lists->words[list + 1 + position] : 0;
}
