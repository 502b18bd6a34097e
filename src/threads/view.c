// SPDX-License-Identifier: MIT
#include "threads/view.h"

void rh_view_put(rh_view *view, int64_t key, int64_t value)
{
    if (view->count == RH_ITEMS_MOST)
        view->is_cut = true;
    else
        view->items[view->count++] = (struct rh_view_item){true, key, value};
}

void rh_view_add(rh_view *view, int64_t element)
{
    if (view->count == RH_ITEMS_MOST)
        view->is_cut = true;
    else
        view->items[view->count++] = (struct rh_view_item){false, 0, element};
}

int rh__view_compare(const struct rh_view_item *one, const struct rh_view_item *other)
{
    if (one->has_key != other->has_key)
        return one->has_key - other->has_key;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return (one->value > other->value) - (one->value < other->value);
}

// Views are short, and mostly in order already.
void rh__view_sort(struct rh_view *view)
{
    for (int i = 1; i < view->count; i++) {
        struct rh_view_item item = view->items[i];
        int place = i;
        for (; place > 0 && rh__view_compare(&item, &view->items[place - 1]) < 0; place--)
            view->items[place] = view->items[place - 1];
        view->items[place] = item;
    }
}

uint64_t rh__view_hash(const struct rh_view *view)
{
    uint64_t hash = (uint64_t)view->count;
    for (int i = 0; i < view->count; i++) {
        hash = rh__mix(hash, view->items[i].has_key);
        hash = rh__mix(hash, (uint64_t)view->items[i].key);
        hash = rh__mix(hash, (uint64_t)view->items[i].value);
    }
    return hash;
}
