// SPDX-License-Identifier: MIT
// Location pairs as people see them: lines of the source instead of addresses of code. Pairs whose
// places are the same lines, doing the same in the same operations, are one row.
#ifndef REHEARSE_THREADS_PAIRS_ROWS_H
#define REHEARSE_THREADS_PAIRS_ROWS_H

#include "base/text.h"
#include "debug/debug.h"
#include "result/location_pairs.h"
#include "threads/pairs.h"
#include "trace/pair_hints.h"

// Rows are in the order of their state, and then of their lines. What a hint says to be impossible
// is ruled out if it is not covered.
void rh_pair_rows_init(struct rh_pair_rows *rows, const struct rh_pairs *pairs,
                       struct rh_debug *debug, struct rh_pair_hints *hints);
void rh_pair_rows_fini(struct rh_pair_rows *rows);

// Adds "insert multiset.c:17 reads".
void rh_pair_line_print(const struct rh_pair_line *line, struct rh_text *text);
// Adds the table.
void rh_pair_rows_print(const struct rh_pair_rows *rows, struct rh_text *text);

#endif
