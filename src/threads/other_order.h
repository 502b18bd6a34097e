// SPDX-License-Identifier: MIT
// Where an execution differs from what operations give in the order of their commits: whether some
// order of whole operations explains it nevertheless, as the orders are that executions without
// marks are compared with (history.h). Then it may be a mark that is wrong, and not the component.
#ifndef REHEARSE_THREADS_OTHER_ORDER_H
#define REHEARSE_THREADS_OTHER_ORDER_H

#include "threads/compare.h"

struct rh_other_order {
    int count; // 0: there is none, or none was found in the time
    uint32_t operations[RH_OPERATIONS_MOST];
};

// Of the execution that was made last.
void rh__other_order_find(const struct rh_compared *compared, struct rh_other_order *order);
// "the order insert(7), remove(7) explains all of it: ...", or nothing.
void rh_threads_show_other_order(const struct rh_history *history,
                                 const struct rh_commit_verdict *verdict,
                                 const struct rh_other_order *order, struct rh_text *text);

#endif
