// SPDX-License-Identifier: MIT
#include "explore/dependence/objects.h"

#include <stdlib.h>

#include "base/text.h"

bool rh_objects_init(struct rh_objects *objects)
{
    return rh_lists_init(&objects->lists) && rh_lists_add(&objects->lists, NULL, 0) == 0;
}

void rh_objects_fini(struct rh_objects *objects)
{
    rh_lists_fini(&objects->lists);
}

uint32_t rh_objects_one(struct rh_objects *objects, uint64_t object)
{
    const uint32_t words[2] = {(uint32_t)object, (uint32_t)(object >> 32)};
    uint32_t number = rh_lists_add(&objects->lists, words, 2);
    return number == RH_NO_LIST ? RH_NO_LIST : rh_lists_add(&objects->lists, &number, 1);
}

static uint32_t merge(const struct rh_lists *lists, uint32_t first, uint32_t second,
                      uint32_t *merged)
{
    uint32_t count = 0, i = 0, j = 0;
    uint32_t first_count = rh_lists_length(lists, first);
    uint32_t second_count = rh_lists_length(lists, second);
    while (i < first_count || j < second_count) {
        uint32_t a = i < first_count ? rh_lists_get(lists, first, i) : UINT32_MAX;
        uint32_t b = j < second_count ? rh_lists_get(lists, second, j) : UINT32_MAX;
        merged[count++] = a < b ? a : b;
        i += a <= b;
        j += b <= a;
    }
    return count;
}

uint32_t rh_objects_union(struct rh_objects *objects, uint32_t first, uint32_t second)
{
    struct rh_lists *lists = &objects->lists;
    if (first == RH_NO_LIST || second == RH_NO_LIST)
        return RH_NO_LIST;
    if (first == second || second == 0)
        return first;
    if (first == 0)
        return second;
    uint32_t most = rh_lists_length(lists, first) + rh_lists_length(lists, second);
    uint32_t *merged = rh_alloc(sizeof *merged * most);
    uint32_t count = merge(lists, first, second, merged);
    uint32_t set = rh_lists_add(lists, merged, count);
    free(merged);
    return set;
}

uint32_t rh_objects_count(const struct rh_objects *objects, uint32_t set)
{
    return rh_lists_length(&objects->lists, set);
}

uint64_t rh_objects_get(const struct rh_objects *objects, uint32_t set, uint32_t index)
{
    uint32_t object = rh_lists_get(&objects->lists, set, index);
    return rh_lists_get(&objects->lists, object, 0) |
           (uint64_t)rh_lists_get(&objects->lists, object, 1) << 32;
}
