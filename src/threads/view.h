// SPDX-License-Identifier: MIT
// What a component's state means to its users: items whose order does not count.
#ifndef REHEARSE_THREADS_VIEW_H
#define REHEARSE_THREADS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <rehearse/component.h>

#include "base/text.h"

enum { RH_ITEMS_MOST = 200 };

struct rh_view_item {
    bool has_key;
    int64_t key, value;
};

struct rh_view {
    int count;
    bool is_cut; // there were more items
    struct rh_view_item items[RH_ITEMS_MOST];
};

// < 0: the first item comes before the other.
int rh__view_compare(const struct rh_view_item *one, const struct rh_view_item *other);
void rh__view_sort(struct rh_view *view);
// Of one that is sorted.
uint64_t rh__view_hash(const struct rh_view *view);
// "{1, 2, 7: 3}"
void rh__view_print(const struct rh_view *view, struct rh_text *text);
// "5 is missing, 7: 3 is too much", of sorted ones; nothing if they are equal.
void rh__view_print_difference(const struct rh_view *view, const struct rh_view *wanted,
                               struct rh_text *text);

static inline uint64_t rh__mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif
