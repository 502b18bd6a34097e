// SPDX-License-Identifier: MIT
// Whether what happened to operations is what a specification gives, when it makes each operation
// whole where it has committed. One pass over the moments, whatever their number: no orders are
// tried. An operation that only observes must give what it would have given in one of the states
// between its call and its return. (Elmas, Tasiran and Qadeer, VYRD, 2005: refinement of results
// and of views.)
#ifndef REHEARSE_THREADS_COMMIT_ORDER_H
#define REHEARSE_THREADS_COMMIT_ORDER_H

#include <stddef.h>

#include "threads/history.h"

// What a specification gives.
enum rh_answer_kind {
    RH_ANSWER_GIVEN,
    RH_ANSWER_BLOCKED, // the operation waits when it runs alone
    RH_ANSWER_FAILED,  // it fails when it runs alone
    RH_ANSWER_STRAYED, // the test calls something else there
};

struct rh_answer {
    enum rh_answer_kind kind;
    bool has_result;
    int64_t result;
    bool has_view;
    uint64_t view;
};

struct rh_specification {
    // The state before all operations: its view.
    struct rh_answer (*begin)(void);
    // Makes the operation. `answer.result` is the right one.
    struct rh_answer (*apply)(const struct rh_operation *operation);
    // What the operation would give now, without making it.
    struct rh_answer (*observe)(const struct rh_operation *operation);
    // An operation that only observes was right after so many steps of the specification.
    void (*place)(const struct rh_operation *operation, size_t steps);
    // The operation has failed, without an effect.
    void (*fail)(const struct rh_operation *operation);
    // How many steps there were.
    size_t (*count)(void);
    bool makes_internal; // operations that are internal, too
};

enum rh_wrong {
    RH_WRONG_NOTHING,
    RH_WRONG_RESULT,   // of an operation that has committed
    RH_WRONG_SEEN,     // of one that only observes
    RH_WRONG_VIEW,     // at a commit
    RH_WRONG_AT_REST,  // the view when no operation is open
    RH_WRONG_OBSERVER, // one that only observes would have changed the view
    RH_WRONG_INTERNAL, // an internal one would have
    RH_WRONG_ALONE,    // an operation waits or fails when it runs alone
    RH_WRONG_UNKNOWN,  // the test decides by something else: nothing can be said
};

enum { RH_SEEN_MOST = 8 };

struct rh_commit_verdict {
    enum rh_wrong wrong;
    uint32_t operation; // with which it shows
    uint32_t moment;    // with which it shows
    struct rh_answer answer;
    int seen_count; // of an operation that only observes: different values that were right
    int64_t seen[RH_SEEN_MOST];
};

struct rh_account {
    const struct rh_operation *operations;
    size_t operation_count;
    const struct rh_moment *moments;
    size_t moment_count;
    size_t thread_count;
};

// Room that a check needs: made before it, since the specification may run in an execution.
struct rh_check_room;
struct rh_check_room *rh__check_room_new(const struct rh_account *account);
void rh__check_room_free(struct rh_check_room *room);

void rh__commit_order_check(const struct rh_account *account,
                            const struct rh_specification *specification,
                            struct rh_check_room *room, struct rh_commit_verdict *verdict);

#endif
