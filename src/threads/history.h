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
#include "threads/view.h"

enum {
    RH_OPERATIONS_MOST = 24,
    RH_ARGUMENTS_MOST = 6,
    RH_SERIAL_MOST = 20000,
};

struct rh_operation {
    const char *call; // as written, or its function's name
    const char *file;
    int line;
    bool is_text;     // the arguments are in `call`
    const char *name; // of its function, with its arguments; NULL: it does not say them
    int argument_count;
    int64_t arguments[RH_ARGUMENTS_MOST];
    int thread, index;
    bool has_result, is_truth;
    int64_t result;
    uint32_t called, returned; // moments; returned 0: not yet
    bool has_committed, observes, is_exclusive;
    bool is_internal;        // it has no specification, and changes nothing that is viewed
    bool is_pure;            // it changes no shared memory
    const char *commit_file; // where it has committed
    int commit_line;
};

// What happened to operations, in the order in which it did.
enum rh_moment_kind { RH_MOMENT_CALL, RH_MOMENT_COMMIT, RH_MOMENT_RETURN };

struct rh_moment {
    uint8_t kind;
    bool has_view; // of a commit, and of a return if none was open then
    uint32_t operation;
    uint64_t view;
};

struct rh_history {
    struct rh_operation operations[RH_OPERATIONS_MOST];
    int count;
    bool is_cut; // there were more operations
    uint32_t moment;
    bool has_exclusive;                     // an operation must run alone
    int open;                               // operations that have not returned
    uint64_t views[RH_OPERATIONS_MOST + 1]; // after so many operations, when none was open
    bool has_view[RH_OPERATIONS_MOST + 1];
    struct rh_view last;
    struct rh_moment moments[3 * RH_OPERATIONS_MOST];
    uint32_t moment_count;
    struct rh_view committed[RH_OPERATIONS_MOST]; // the view at each operation's commit
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

// Whether what happened to operations was noted before, in another execution.
bool rh__history_is_known(void);
void rh__history_note_known(void);

// What the numbered serial run ends with.
const struct rh_view *rh__serial_view(int order);
// Which operation of the history the serial run calls at this place; -1: another one.
int rh__serial_operation_of(const struct rh_history *history, int order, int place);

// "insert(7) = true"
void rh__operation_print(const struct rh_operation *operation, struct rh_text *text);
void rh__result_print(const struct rh_operation *operation, struct rh_text *text);

// Hash of the operation's call and arguments, and of what it gave.
uint64_t rh__operation_call_hash(const struct rh_operation *operation);
uint64_t rh__operation_signature(const struct rh_operation *operation);
// Adds to what happened to operations.
void rh__moment_add(enum rh_moment_kind kind, int operation, const uint64_t *view);

#endif
