// SPDX-License-Identifier: MIT
#include "threads/compare.h"

#include <stdlib.h>
#include <string.h>

#include "threads/commit.h"
#include "threads/journal.h"
#include "threads/kept.h"
#include "threads/serial_tree.h"
#include "threads/specification.h"
#include "threads/unserial.h"
#include "trace/finding_kind.h"

void rh__compare_start(const struct rh_component *component)
{
    rh__commit_start(component);
    rh__serial_tree_start(component);
    rh__specification_start(component);
    rh__journal_start();
    rh__unserial_start();
}

bool rh__compares_commits(void)
{
    return rh__has_marks() || rh__has_specifications();
}

static void check_written(const struct rh_account *account, struct rh_compared *compared)
{
    char refusal[RH_TEXT_MOST];
    struct rh_kept *kept = rh__keep();
    enum rh_outcome outcome = rh__specification_check(account, &compared->verdict);
    compared->is_refused = outcome == RH_OUTCOME_REFUSED;
    compared->has_finding = outcome == RH_OUTCOME_FAILED;
    compared->finding = rh__engine->finding;
    compared->view = *rh__specification_view();
    memcpy(refusal, rh__engine->refusal, sizeof refusal);
    rh__put_back(kept);
    if (compared->is_refused)
        memcpy(rh__engine->refusal, refusal, sizeof refusal);
}

void rh__compare_account(const struct rh_account *account, struct rh_compared *compared)
{
    if (rh__has_specifications()) {
        check_written(account, compared);
        return;
    }
    struct rh_check_room *room = rh__check_room_new(account);
    rh__commit_order_check(account, &rh__serial_tree, room, &compared->verdict);
    rh__check_room_free(room);
}

// Marks that are wrong are said to be so, and not what follows from them.
static bool has_wrong_mark(void)
{
    return rh__engine->has_finding && (rh__engine->finding.kind == RH_FINDING_COMMIT ||
                                       rh__engine->finding.kind == RH_FINDING_COMMIT_BLOCK);
}

// A commit is no event yet where memory turns out to be shared only afterwards.
static bool is_unknown(void)
{
    return rh__engine->growths != rh__engine->growths_before;
}

static void compare_commits(struct rh_compared *compared)
{
    compared->is_undecided = rh__history->is_cut;
    if (rh__history->is_cut || has_wrong_mark() || is_unknown() || rh__history_is_known())
        return;
    // The account is read while the history is another execution's.
    struct rh_history *made = rh_alloc(sizeof *made);
    *made = *rh__history;
    struct rh_account account = {.operations = made->operations,
                                 .operation_count = (size_t)made->count,
                                 .moments = made->moments,
                                 .moment_count = made->moment_count,
                                 .thread_count = RH_THREADS_MOST};
    rh__compare_account(&account, compared);
    if (!rh__has_specifications() && compared->verdict.answer.has_view)
        rh__serial_tree_view(&compared->view);
    free(made);
    compared->is_undecided = compared->verdict.wrong == RH_WRONG_UNKNOWN;
    if (!rh__compared_is_wrong(compared) && !compared->is_undecided && !compared->is_refused &&
        !compared->has_finding)
        rh__history_note_known();
}

void rh__compare(enum rh_outcome outcome, struct rh_compared *compared)
{
    *compared = (struct rh_compared){.explained = RH_EXPLAINED, .order = -1};
    if (rh__compares_commits())
        compare_commits(compared);
    else if (outcome == RH_OUTCOME_COMPLETE)
        compared->explained = rh__history_explain(&compared->order);
}

bool rh__compared_is_wrong(const struct rh_compared *compared)
{
    return compared->explained != RH_EXPLAINED ||
           (compared->verdict.wrong && compared->verdict.wrong != RH_WRONG_UNKNOWN);
}

bool rh__compared_is_same(const struct rh_compared *one, const struct rh_compared *other)
{
    return one->explained == other->explained && one->verdict.wrong == other->verdict.wrong;
}
