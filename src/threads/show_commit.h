// SPDX-License-Identifier: MIT
// What does not fit the order of commits, as text for people.
#ifndef REHEARSE_THREADS_SHOW_COMMIT_H
#define REHEARSE_THREADS_SHOW_COMMIT_H

#include "threads/commit_order.h"

enum { RH_TEXT_COLUMN = 44 };

// At least one blank, up to so many characters behind `start`.
void rh_threads_pad(struct rh_text *text, size_t start, size_t column);
// "multiset", of RH_COMPONENT.
const char *rh_threads_component_name(void);
// "lookup(5) = false, but at no time ...", of a verdict about these operations.
void rh_threads_show_wrong(const struct rh_operation *operations,
                           const struct rh_commit_verdict *verdict, struct rh_text *text);
// Both views, side by side.
void rh_threads_show_sides(const struct rh_view *view, const struct rh_view *right,
                           bool has_difference, struct rh_text *text);

#endif
