// SPDX-License-Identifier: MIT
#include "threads/commit_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "threads/commit.h"

// An operation that has not committed yet, with what would have been right since its call.
struct watcher {
    uint32_t operation;
    bool is_right;
    size_t steps; // where it was
    int seen_count;
    int64_t seen[RH_SEEN_MOST];
};

struct check {
    const struct rh_account *account;
    const struct rh_specification *specification;
    struct rh_commit_verdict *verdict;
    struct rh_answer *expected; // of each operation that has committed
    struct watcher *watchers;   // open operations that do not commit
    size_t watcher_count;
    uint64_t view;
    bool has_view;
};

static void report(struct check *check, enum rh_wrong wrong, uint32_t operation, uint32_t moment)
{
    check->verdict->wrong = wrong;
    check->verdict->operation = operation;
    check->verdict->moment = moment;
}

// What the specification can't do alone.
static bool is_given(struct check *check, const struct rh_answer *answer, uint32_t operation,
                     uint32_t moment)
{
    if (answer->kind == RH_ANSWER_GIVEN)
        return true;
    check->verdict->answer = *answer;
    report(check, answer->kind == RH_ANSWER_STRAYED ? RH_WRONG_UNKNOWN : RH_WRONG_ALONE, operation,
           moment);
    return false;
}

static bool is_right(const struct rh_operation *operation, const struct rh_answer *answer)
{
    return !operation->has_result || !answer->has_result || operation->result == answer->result;
}

static void note_seen(struct watcher *watcher, int64_t value)
{
    for (int i = 0; i < watcher->seen_count; i++)
        if (watcher->seen[i] == value)
            return;
    if (watcher->seen_count < RH_SEEN_MOST)
        watcher->seen[watcher->seen_count++] = value;
}

static void look(struct check *check, struct watcher *watcher, uint32_t moment)
{
    const struct rh_operation *operation = &check->account->operations[watcher->operation];
    if (watcher->is_right)
        return;
    struct rh_answer answer = check->specification->observe(operation);
    // One that waits here may go on in another state.
    if (answer.kind == RH_ANSWER_BLOCKED || answer.kind == RH_ANSWER_FAILED ||
        !is_given(check, &answer, watcher->operation, moment))
        return;
    note_seen(watcher, answer.result);
    if (!is_right(operation, &answer))
        return;
    watcher->is_right = true;
    watcher->steps = check->specification->count();
    if (answer.has_view && check->has_view && answer.view != check->view)
        report(check, RH_WRONG_OBSERVER, watcher->operation, moment);
}

static void take_call(struct check *check, uint32_t number, uint32_t moment)
{
    const struct rh_operation *operation = &check->account->operations[number];
    if (operation->has_committed || operation->is_internal || !operation->returned)
        return;
    struct watcher *watcher = &check->watchers[check->watcher_count++];
    *watcher = (struct watcher){.operation = number};
    look(check, watcher, moment);
}

// What changes nothing that users could see.
static struct rh_answer take_internal(struct check *check, const struct rh_operation *operation)
{
    struct rh_answer same = {
        .kind = RH_ANSWER_GIVEN, .has_view = check->has_view, .view = check->view};
    if (!check->specification->makes_internal)
        return same;
    struct rh_answer answer = check->specification->apply(operation);
    answer.has_result = false;
    return answer;
}

static void take_commit(struct check *check, uint32_t number, uint32_t place)
{
    const struct rh_operation *operation = &check->account->operations[number];
    const struct rh_moment *moment = &check->account->moments[place];
    struct rh_answer answer = operation->is_internal ? take_internal(check, operation)
                                                     : check->specification->apply(operation);
    bool changes_view = answer.kind == RH_ANSWER_GIVEN && operation->is_internal &&
                        answer.has_view && check->has_view && answer.view != check->view;
    check->expected[number] = answer;
    check->view = answer.view;
    check->has_view = answer.has_view;
    if (!is_given(check, &answer, number, place))
        return;
    if (changes_view) {
        report(check, RH_WRONG_INTERNAL, number, place);
        return;
    }
    if (moment->has_view && answer.has_view && moment->view != answer.view) {
        check->verdict->answer = answer;
        report(check, RH_WRONG_VIEW, number, place);
        return;
    }
    for (size_t i = 0; i < check->watcher_count && !check->verdict->wrong; i++)
        look(check, &check->watchers[i], place);
}

static void take_observed(struct check *check, uint32_t number, uint32_t moment)
{
    size_t place = 0;
    while (check->watchers[place].operation != number)
        place++;
    struct watcher watcher = check->watchers[place];
    const struct rh_operation *operation = &check->account->operations[number];
    check->watchers[place] = check->watchers[--check->watcher_count];
    if (watcher.is_right) {
        check->specification->place(operation, watcher.steps);
        for (size_t i = 0; i < check->watcher_count; i++)
            check->watchers[i].steps += check->watchers[i].steps >= watcher.steps;
    } else if (rh__may_fail(operation)) {
        check->specification->fail(operation);
    } else {
        check->verdict->seen_count = watcher.seen_count;
        memcpy(check->verdict->seen, watcher.seen, sizeof watcher.seen);
        report(check, RH_WRONG_SEEN, number, moment);
    }
}

static void take_return(struct check *check, uint32_t number, uint32_t place)
{
    const struct rh_operation *operation = &check->account->operations[number];
    const struct rh_moment *moment = &check->account->moments[place];
    if (!operation->has_committed && operation->is_internal)
        check->specification->fail(operation); // it found nothing to do
    else if (!operation->has_committed)
        take_observed(check, number, place);
    else if (!is_right(operation, &check->expected[number])) {
        check->verdict->answer = check->expected[number];
        report(check, RH_WRONG_RESULT, number, place);
    }
    if (!check->verdict->wrong && moment->has_view && check->has_view &&
        moment->view != check->view) {
        check->verdict->answer = (struct rh_answer){.has_view = true, .view = check->view};
        report(check, RH_WRONG_AT_REST, number, place);
    }
}

static void take_moments(struct check *check)
{
    const struct rh_account *account = check->account;
    struct rh_answer first = check->specification->begin();
    check->view = first.view;
    check->has_view = first.has_view;
    for (uint32_t i = 0; i < account->moment_count && !check->verdict->wrong; i++) {
        uint32_t number = account->moments[i].operation;
        switch (account->moments[i].kind) {
        case RH_MOMENT_CALL:
            take_call(check, number, i);
            break;
        case RH_MOMENT_COMMIT:
            take_commit(check, number, i);
            break;
        default:
            take_return(check, number, i);
        }
    }
}

struct rh_check_room {
    struct rh_answer *expected;
    struct watcher *watchers;
};

struct rh_check_room *rh__check_room_new(const struct rh_account *account)
{
    struct rh_check_room *room = rh_alloc(sizeof *room);
    room->expected = rh_alloc((account->operation_count + 1) * sizeof *room->expected);
    room->watchers = rh_alloc((account->thread_count + 1) * sizeof *room->watchers);
    return room;
}

void rh__check_room_free(struct rh_check_room *room)
{
    free(room->expected);
    free(room->watchers);
    free(room);
}

void rh__commit_order_check(const struct rh_account *account,
                            const struct rh_specification *specification,
                            struct rh_check_room *room, struct rh_commit_verdict *verdict)
{
    *verdict = (struct rh_commit_verdict){0};
    struct check check = {.account = account,
                          .specification = specification,
                          .verdict = verdict,
                          .expected = room->expected,
                          .watchers = room->watchers};
    take_moments(&check);
}
