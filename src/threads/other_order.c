// SPDX-License-Identifier: MIT
#include "threads/other_order.h"

#include <stdlib.h>

#include "base/file_name.h"
#include "base/status.h"
#include "threads/commit.h"

enum { CHECKS_MOST = 2000 };

struct search {
    struct rh_history made; // the execution
    bool is_placed[RH_OPERATIONS_MOST];
    struct rh_other_order order; // so far
    struct rh_moment moments[3 * RH_OPERATIONS_MOST];
    uint32_t moment_count;
    int checks;
};

// The view behind so many returns, if no operation was open then: whatever comes before it in one
// order does so in all of them.
static struct rh_moment return_of(const struct rh_history *made, uint32_t operation, int returns)
{
    struct rh_moment moment = {.kind = RH_MOMENT_RETURN};
    for (uint32_t i = 0; i < made->moment_count && returns; i++)
        if (made->moments[i].kind == RH_MOMENT_RETURN && --returns == 0)
            moment = made->moments[i];
    moment.operation = operation;
    return moment;
}

static void place(struct search *search, uint32_t number)
{
    const struct rh_operation *operation = &search->made.operations[number];
    struct rh_moment *next = &search->moments[search->moment_count];
    search->order.operations[search->order.count++] = number;
    search->is_placed[number] = true;
    *next++ = (struct rh_moment){.kind = RH_MOMENT_CALL, .operation = number};
    if (operation->has_committed)
        *next++ = (struct rh_moment){.kind = RH_MOMENT_COMMIT, .operation = number};
    *next++ = return_of(&search->made, number, search->order.count);
    search->moment_count = (uint32_t)(next - search->moments);
}

static void take_back(struct search *search, uint32_t number)
{
    search->order.count--;
    search->is_placed[number] = false;
    search->moment_count -= 2 + search->made.operations[number].has_committed;
}

// Whether all that had returned before it was called are placed.
static bool can_be_next(const struct search *search, uint32_t number)
{
    const struct rh_history *made = &search->made;
    for (int i = 0; i < made->count; i++)
        if (!search->is_placed[i] && made->operations[i].returned < made->operations[number].called)
            return false;
    return !search->is_placed[number];
}

static bool is_explained(struct search *search)
{
    struct rh_compared compared = {0};
    struct rh_account account = {.operations = search->made.operations,
                                 .operation_count = (size_t)search->made.count,
                                 .moments = search->moments,
                                 .moment_count = search->moment_count,
                                 .thread_count = RH_THREADS_MOST};
    search->checks++;
    rh__compare_account(&account, &compared);
    return !compared.verdict.wrong && !compared.is_refused && !compared.has_finding;
}

static bool extend(struct search *search)
{
    if (search->order.count == search->made.count)
        return true;
    for (uint32_t i = 0; (int)i < search->made.count && search->checks < CHECKS_MOST; i++) {
        if (!can_be_next(search, i))
            continue;
        place(search, i);
        if (is_explained(search) && extend(search))
            return true;
        take_back(search, i);
    }
    return false;
}

void rh__other_order_find(const struct rh_compared *compared, struct rh_other_order *order)
{
    order->count = 0;
    if (!compared->verdict.wrong || compared->verdict.wrong == RH_WRONG_UNKNOWN ||
        rh__engine->outcome != RH_OUTCOME_COMPLETE || rh__engine->has_finding)
        return;
    struct search *search = rh_alloc(sizeof *search);
    search->made = *rh__history;
    if (extend(search))
        *order = search->order;
    free(search);
}

// --- Texts. ---

// The next one at or behind this place of the order that has committed.
static int next_commit(const struct rh_history *history, const struct rh_other_order *order, int at)
{
    while (at < order->count && !history->operations[order->operations[at]].has_committed)
        at++;
    return at;
}

static void add_commit(const struct rh_operation *operation, const char *before,
                       struct rh_text *text)
{
    rh_text_add(text, before);
    rh__call_print(operation, text);
    rh_text_addf(text, " at %s:%d", rh_base_name(operation->commit_file), operation->commit_line);
}

// The two commits of which another one comes first in that order; false: all come as they came.
static bool add_moved(const struct rh_history *history, const struct rh_other_order *order,
                      struct rh_text *text)
{
    int at = 0;
    for (uint32_t i = 0; i < history->moment_count; i++) {
        const struct rh_moment *moment = &history->moments[i];
        if (moment->kind != RH_MOMENT_COMMIT)
            continue;
        at = next_commit(history, order, at);
        if (moment->operation != order->operations[at]) {
            add_commit(&history->operations[moment->operation], "the commit of ", text);
            add_commit(&history->operations[order->operations[at]], " or that of ", text);
            rh_text_add(text, " is in the wrong place");
            return true;
        }
        at++;
    }
    return false;
}

void rh_threads_show_other_order(const struct rh_history *history,
                                 const struct rh_commit_verdict *verdict,
                                 const struct rh_other_order *order, struct rh_text *text)
{
    if (!order->count)
        return;
    rh_text_add(text, "the order ");
    for (int i = 0; i < order->count; i++) {
        rh_text_add(text, i ? ", " : "");
        rh__call_print(&history->operations[order->operations[i]], text);
    }
    rh_text_add(text, " explains results and states at rest: if the component is right, ");
    if (add_moved(history, order, text))
        return;
    if (verdict->wrong == RH_WRONG_VIEW) {
        add_commit(&history->operations[verdict->operation], "the commit of ", text);
        rh_text_add(text, " comes too early or too late, or without a write that belongs to it");
    } else {
        rh_text_add(text, "a commit comes too early or too late");
    }
}
