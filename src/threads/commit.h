// SPDX-License-Identifier: MIT
// Where operations take effect, as the component's marks say it: commits, blocks of writes that
// take effect together, operations that only observe, and ones that may fail.
//
// A commit is one event with the access that it marks: the view is looked at before anybody else
// goes on. At somebody else's commit the writes of blocks that are open are put back for as long as
// the view is looked at.
#ifndef REHEARSE_THREADS_COMMIT_H
#define REHEARSE_THREADS_COMMIT_H

#include <stdbool.h>

#include "threads/history.h"

// Whether the program has marks.
bool rh__has_marks(void);
void rh__commit_start(const struct rh_component *component);
// Forgets the blocks of the execution before.
void rh__commit_clear(void);

// The running operation returns: it has committed, or observes, or may fail with what it gives.
void rh__commit_return(const struct rh_operation *operation);
// Fails if an operation that must run alone runs beside the running one.
void rh__exclusive_check(void);
// Whether the operation may give what it gave without an effect.
bool rh__may_fail(const struct rh_operation *operation);
// "insert(7)", without its result.
void rh__call_print(const struct rh_operation *operation, struct rh_text *text);
// Whether the operation is of this function.
bool rh__operation_is(const struct rh_operation *operation, const char *name);

// --- serial_tree.c ---

// Of RH_MODE_ORDER: the next operation begins, or ends.
void rh__order_begin(void);
void rh__order_end(void);

#endif
