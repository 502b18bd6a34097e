// SPDX-License-Identifier: MIT
// What the operations of one execution were called with and gave, in which order they were called
// and returned, and what the view showed whenever none was open; and whether some order of whole
// operations explains it.
//
// An order explains an execution if every operation gives the same there, if an operation that had
// returned before another was called comes first, and if the view is the same after as many
// operations as had returned whenever none was open.
#ifndef REHEARSE_THREADS_HISTORY_H
#define REHEARSE_THREADS_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <rehearse/component.h>

#include "base/text.h"

enum {
    RH_OPERATIONS_MOST = 24,
    RH_ARGUMENTS_MOST = 6,
    RH_ITEMS_MOST = 64,
    RH_SERIAL_MOST = 20000,
};

struct rh_operation {
    const char *call; // as written, or its function's name, if there are arguments
    const char *file;
    int line;
    int count; // of arguments; -1: they are in the text
    int64_t arguments[RH_ARGUMENTS_MOST];
    int thread, index;
    bool has_result, is_truth;
    int64_t result;
    uint32_t called, returned; // moments; returned 0: not yet
};

struct rh_view_item {
    bool has_key;
    int64_t key, value;
};

struct rh_view {
    int count;
    bool is_cut; // there were more items
    struct rh_view_item items[RH_ITEMS_MOST];
};

struct rh_history {
    struct rh_operation operations[RH_OPERATIONS_MOST];
    int count;
    bool is_cut; // there were more operations
    uint32_t moment;
    int open;                               // operations that have not returned
    uint64_t views[RH_OPERATIONS_MOST + 1]; // after so many operations, when none was open
    bool has_view[RH_OPERATIONS_MOST + 1];
    struct rh_view last;
    int last_returned; // the operation after which the last view was taken; -1: none
};

extern struct rh_history *rh__history; // of the present execution

void rh__history_start(const struct rh_component *component);
void rh__history_clear(void);

// Adds the history of a serial run to what may explain others.
void rh__serial_forget(void);
void rh__serial_add(void);
uint32_t rh__serial_count(void);

enum rh_explained {
    RH_EXPLAINED,
    RH_NO_RESULTS, // no order gives these results
    RH_NO_TIME,    // some order does, but not one in which what was over came first
    RH_NO_VIEW,    // such an order does, but the views differ
};

// Whether a serial run explains the present execution. `order`: the number of the one that comes
// nearest, or -1.
enum rh_explained rh__history_explain(int *order);

// What the numbered serial run ends with.
const struct rh_view *rh__serial_view(int order);
// Which operation of the history the serial run calls at this place; -1: another one.
int rh__serial_operation_of(const struct rh_history *history, int order, int place);

// "insert(7) = true"
void rh__operation_print(const struct rh_operation *operation, struct rh_text *text);
void rh__result_print(const struct rh_operation *operation, struct rh_text *text);
void rh__view_print(const struct rh_view *view, struct rh_text *text);

#endif
