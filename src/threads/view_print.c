// SPDX-License-Identifier: MIT
#include <inttypes.h>

#include "threads/view.h"

static void print_item(const struct rh_view_item *item, struct rh_text *text)
{
    if (item->has_key)
        rh_text_addf(text, "%" PRId64 ": ", item->key);
    rh_text_addf(text, "%" PRId64, item->value);
}

void rh__view_print(const struct rh_view *view, struct rh_text *text)
{
    rh_text_add(text, "{");
    for (int i = 0; i < view->count; i++) {
        rh_text_add(text, i ? ", " : "");
        print_item(&view->items[i], text);
    }
    rh_text_add(text, "}");
}

void rh__view_print_difference(const struct rh_view *view, const struct rh_view *wanted,
                               struct rh_text *text)
{
    size_t start = text->length;
    for (int i = 0, k = 0; i < view->count || k < wanted->count;) {
        int order = i == view->count     ? 1
                    : k == wanted->count ? -1
                                         : rh__view_compare(&view->items[i], &wanted->items[k]);
        if (order != 0) {
            rh_text_add(text, text->length > start ? ", " : "");
            print_item(order < 0 ? &view->items[i] : &wanted->items[k], text);
            rh_text_add(text, order < 0 ? " is too much" : " is missing");
        }
        i += order <= 0;
        k += order >= 0;
    }
}
