// SPDX-License-Identifier: MIT
#include "threads/pairs.h"

#include <string.h>

#include "base/none.h"
#include "threads/follow.h"
#include "threads/history.h"

enum { BITS = 64, FAILED_MOST = 3 };

// What is known of the present execution's events.
struct rh_pairs_scratch {
    uint32_t place[RH_EVENTS_MOST];        // RH_NONE: no access
    uint16_t stands[RH_EVENTS_MOST];       // the event since which its thread stands before it
    struct rh_clock forks[RH_EVENTS_MOST]; // what comes before by creating and joining alone
    uint32_t order[RH_EVENTS_MOST];
};

struct rh_pairs *rh__pairs_new(void)
{
    struct rh_pairs *pairs = rh_alloc(sizeof *pairs);
    *pairs = (struct rh_pairs){0};
    pairs->scratch = rh_alloc(sizeof *pairs->scratch);
    return pairs;
}

static void forget_turns(struct rh_pair *pair)
{
    rh_vector_fini(&pair->turns);
    rh_vector_fini(&pair->choices);
    pair->was_run = false;
}

void rh__pairs_free(struct rh_pairs *pairs)
{
    if (!pairs)
        return;
    for (size_t i = 0; i < pairs->pairs.count; i++)
        forget_turns(&pairs->pairs.items[i]);
    for (size_t i = 0; i < pairs->operations.count; i++)
        free(pairs->operations.items[i]);
    rh_vector_fini(&pairs->pairs);
    rh_vector_fini(&pairs->places);
    rh_vector_fini(&pairs->operations);
    rh_table_fini(&pairs->place_table);
    rh_table_fini(&pairs->pair_table);
    free(pairs->scratch);
    free(pairs);
}

void rh__pairs_grown(struct rh_pairs *pairs, bool begins_anew)
{
    for (size_t i = 0; i < pairs->pairs.count; i++) {
        struct rh_pair *pair = &pairs->pairs.items[i];
        // An order that was only found, and not run, may have been found among too few events.
        if (begins_anew || !pair->was_run)
            forget_turns(pair);
        pair->is_covered = false;
        pair->failed = 0;
    }
}

struct rh_pair *rh__pairs_open(struct rh_pairs *pairs)
{
    for (size_t i = 0; i < pairs->pairs.count; i++) {
        struct rh_pair *pair = &pairs->pairs.items[i];
        if (!pair->is_covered && pair->turns.count)
            return pair;
    }
    return NULL;
}

void rh__pairs_followed(struct rh_pairs *pairs, size_t number)
{
    struct rh_pair *pair = &pairs->pairs.items[number];
    if (pair->is_covered)
        return;
    pair->failed++;
    forget_turns(pair);
}

// --- Places. ---

static bool is_access(const struct rh_act *event)
{
    return event->kind == RH_ACT_READ || event->kind == RH_ACT_WRITE;
}

// "insert" of "insert(7)".
static uint32_t find_operation(struct rh_pairs *pairs, const struct rh_operation *operation)
{
    size_t length = strcspn(operation->call, "(");
    for (size_t i = 0; i < pairs->operations.count; i++) {
        const char *name = pairs->operations.items[i];
        if (!strncmp(name, operation->call, length) && !name[length])
            return (uint32_t)i;
    }
    char *name = rh_alloc(length + 1);
    memcpy(name, operation->call, length);
    name[length] = '\0';
    *rh_vector_push(&pairs->operations) = name;
    return (uint32_t)pairs->operations.count - 1;
}

static uint32_t find_place(struct rh_pairs *pairs, const struct rh_act *event, uint32_t operation)
{
    bool writes = event->kind == RH_ACT_WRITE;
    uint64_t hash = rh_table_hash(event->code * 2 + writes + ((uint64_t)operation << 48));
    struct rh_probe probe = rh_table_probe(&pairs->place_table, hash);
    while (rh_probe_next(&probe)) {
        const struct rh_pair_place *place = &pairs->places.items[probe.number];
        if (place->code == event->code && place->writes == writes && place->operation == operation)
            return probe.number;
    }
    uint32_t number = (uint32_t)pairs->places.count;
    *rh_vector_push(&pairs->places) = (struct rh_pair_place){event->code, operation, writes};
    rh_table_add(&pairs->place_table, NULL, hash, number);
    return number;
}

// The numbered operation of a thread; RH_NONE: it was not written down.
static uint32_t operation_of(struct rh_pairs *pairs, int thread, int index)
{
    const struct rh_history *history = rh__history;
    for (int i = 0; i < history->count; i++)
        if (history->operations[i].thread == thread && history->operations[i].index == index)
            return find_operation(pairs, &history->operations[i]);
    return RH_NONE;
}

static void join_forks(struct rh_pairs_scratch *scratch, struct rh_clock *clock, uint16_t event)
{
    for (int i = 0; event != UINT16_MAX && i < RH_THREADS_MOST; i++)
        if (clock->seen[i] < scratch->forks[event].seen[i])
            clock->seen[i] = scratch->forks[event].seen[i];
}

// Finds the places of all events, since when each thread stands before them, and what creating and
// joining says of their order.
static void find_places(struct rh_pairs *pairs)
{
    struct rh_pairs_scratch *scratch = pairs->scratch;
    const struct rh_engine *engine = rh__engine;
    uint16_t last[RH_THREADS_MOST], stands[RH_THREADS_MOST];
    uint32_t operation[RH_THREADS_MOST];
    int calls[RH_THREADS_MOST] = {0};
    for (int i = 0; i < RH_THREADS_MOST; i++) {
        last[i] = stands[i] = i < engine->thread_count ? engine->threads[i].created : UINT16_MAX;
        operation[i] = RH_NONE;
    }
    for (uint32_t i = 0; i < engine->count; i++) {
        const struct rh_act *event = &engine->path[i].event;
        int thread = event->thread;
        scratch->forks[i] = (struct rh_clock){0};
        join_forks(scratch, &scratch->forks[i], last[thread]);
        if (event->kind == RH_ACT_JOIN)
            join_forks(scratch, &scratch->forks[i], last[event->address]);
        scratch->forks[i].seen[thread] = (uint16_t)(i + 1);
        scratch->stands[i] = stands[thread];
        last[thread] = (uint16_t)i;
        if (event->kind == RH_ACT_CALL)
            operation[thread] = operation_of(pairs, thread, calls[thread]++);
        else if (event->kind == RH_ACT_RETURN)
            operation[thread] = RH_NONE;
        scratch->place[i] =
            is_access(event) ? find_place(pairs, event, operation[thread]) : RH_NONE;
        if (is_access(event) || event->kind == RH_ACT_CALL || event->kind == RH_ACT_RETURN)
            stands[thread] = (uint16_t)i;
    }
}

// --- Pairs. ---

static struct rh_pair *find_pair(struct rh_pairs *pairs, uint32_t first, uint32_t second)
{
    uint64_t hash = rh_table_hash((uint64_t)first << 32 | second);
    struct rh_probe probe = rh_table_probe(&pairs->pair_table, hash);
    while (rh_probe_next(&probe)) {
        struct rh_pair *pair = &pairs->pairs.items[probe.number];
        if (pair->first == first && pair->second == second)
            return pair;
    }
    uint32_t number = (uint32_t)pairs->pairs.count;
    struct rh_pair *pair = rh_vector_push(&pairs->pairs);
    *pair = (struct rh_pair){.first = first, .second = second};
    rh_table_add(&pairs->pair_table, NULL, hash, number);
    return pair;
}

// Which parts of what `one` touches the other touches too: a bit for each byte, or for each of 64
// equal parts of a long one.
static uint64_t common(const struct rh_act *one, const struct rh_act *other)
{
    uintptr_t start = one->address > other->address ? one->address : other->address;
    uintptr_t one_end = one->address + one->size, other_end = other->address + other->size;
    uintptr_t end = one_end < other_end ? one_end : other_end;
    if (start >= end)
        return 0;
    uintptr_t part = (one->size + BITS - 1) / BITS;
    unsigned from = (unsigned)((start - one->address) / part);
    unsigned to = (unsigned)((end - 1 - one->address) / part);
    return (to - from == BITS - 1 ? UINT64_MAX : (UINT64_C(1) << (to - from + 1)) - 1) << from;
}

static bool matters(const struct rh_act *one, const struct rh_act *other)
{
    return one->kind == RH_ACT_WRITE || other->kind == RH_ACT_WRITE;
}

static bool comes_before(uint32_t one, uint32_t other)
{
    const struct rh_point *path = rh__engine->path;
    return path[other].clock.seen[path[one].event.thread] > one;
}

static void note_turns(struct rh_pair *pair, const uint32_t *order)
{
    struct rh_threads_shown shown = {0};
    forget_turns(pair);
    rh__find_turns_in(&shown, order);
    memcpy(&pair->turns, &shown.turns, sizeof pair->turns);
    memcpy(&pair->choices, &shown.choices, sizeof pair->choices);
}

static void cover(struct rh_pairs *pairs, struct rh_pair *pair, uint64_t execution)
{
    if (pair->is_covered)
        return;
    note_turns(pair, NULL);
    pair->is_covered = pair->was_run = true;
    pair->execution = pairs->last_news = execution;
}

// What was made while the thread of an event stood before it, from the last to the first.
static void look_at_last(struct rh_pairs *pairs, uint32_t number, uint64_t execution)
{
    const struct rh_point *path = rh__engine->path;
    const struct rh_act *second = &path[number].event;
    uint32_t stands = pairs->scratch->stands[number];
    uint32_t from = stands == UINT16_MAX ? 0 : stands + 1;
    uint64_t left = UINT64_MAX;
    for (uint32_t i = number; left && i-- > from;) {
        const struct rh_act *first = &path[i].event;
        if (!is_access(first) || !matters(first, second))
            continue;
        uint64_t parts = common(second, first) & left;
        if (!parts)
            continue;
        left &= ~parts;
        cover(pairs, find_pair(pairs, pairs->scratch->place[i], pairs->scratch->place[number]),
              execution);
    }
}

// --- What another order of the same events would show. ---

// An order that keeps the order of dependent events, in which the thread of `second` stands before
// it when `first` is made, and what else matters to it comes before that: first all that need not
// come after `first`, of the past of both.
static void make_order(struct rh_pairs *pairs, uint32_t first, uint32_t second)
{
    const struct rh_engine *engine = rh__engine;
    uint32_t *order = pairs->scratch->order, count = 0;
    for (int part = 0; part < 3; part++)
        for (uint32_t i = 0; i < engine->count; i++) {
            if (engine->path[i].event.kind == RH_ACT_CHOICE)
                continue;
            bool is_past = i == second || comes_before(i, second) || comes_before(i, first);
            bool is_after = i == first || comes_before(first, i);
            if (part != (!is_past ? 2 : is_after))
                continue;
            order[count++] = i;
            // A choice belongs to the event before it.
            for (uint32_t k = i + 1;
                 k < engine->count && engine->path[k].event.kind == RH_ACT_CHOICE; k++)
                order[count++] = k;
        }
}

static bool has_lock(const struct rh_point *point, uintptr_t lock)
{
    for (int i = 0; i < RH_LOCKS_NOTED; i++)
        if (point->locks[i] == lock)
            return true;
    return false;
}

static uintptr_t common_lock(const struct rh_point *one, const struct rh_point *other)
{
    for (int i = 0; i < RH_LOCKS_NOTED; i++)
        if (one->locks[i] && has_lock(other, one->locks[i]))
            return one->locks[i];
    return 0;
}

static void note_apart(struct rh_pairs *pairs, struct rh_pair *pair, uint32_t one, uint32_t other)
{
    const struct rh_point *path = rh__engine->path;
    const struct rh_clock *forks = pairs->scratch->forks;
    uintptr_t lock = common_lock(&path[one], &path[other]);
    if (forks[other].seen[path[one].event.thread] > one) {
        pair->apart |= RH_APART_ORDER;
    } else if (lock) {
        pair->apart |= RH_APART_LOCK;
        pair->lock = lock;
    } else {
        pair->apart |= RH_APART_ELSE;
    }
}

// Events before the numbered one that touch the same memory, from the last to the first. `hidden`:
// parts that something touches which comes after those events in every order.
static void look_at_orders(struct rh_pairs *pairs, uint32_t number)
{
    const struct rh_point *path = rh__engine->path;
    const struct rh_act *second = &path[number].event;
    const struct rh_pairs_scratch *scratch = pairs->scratch;
    for (uint32_t i = number; i-- > 0;) {
        const struct rh_act *first = &path[i].event;
        if (!is_access(first) || first->thread == second->thread || !matters(first, second))
            continue;
        uint64_t parts = common(second, first);
        if (!parts)
            continue;
        struct rh_pair *turned = find_pair(pairs, scratch->place[number], scratch->place[i]);
        turned->address = second->address > first->address ? second->address : first->address;
        note_apart(pairs, turned, i, number);
        struct rh_pair *pair = find_pair(pairs, scratch->place[i], scratch->place[number]);
        pair->address = second->address > first->address ? second->address : first->address;
        note_apart(pairs, pair, i, number);
        // What plain enumeration has not run is not there.
        if (pair->is_covered || pair->turns.count || pair->failed >= FAILED_MOST ||
            rh__engine->mode == RH_MODE_NONE)
            continue;
        if (scratch->stands[number] != UINT16_MAX &&
            (scratch->stands[number] == i || comes_before(i, scratch->stands[number])))
            continue;
        for (uint32_t k = i + 1; parts && k < number; k++)
            if (is_access(&path[k].event) && matters(&path[k].event, second) && comes_before(i, k))
                parts &= ~common(second, &path[k].event);
        if (!parts)
            continue;
        make_order(pairs, i, number);
        note_turns(pair, scratch->order);
    }
}

void rh__pairs_look(struct rh_pairs *pairs, uint64_t execution)
{
    find_places(pairs);
    for (uint32_t i = 0; i < rh__engine->count; i++) {
        if (pairs->scratch->place[i] == RH_NONE)
            continue;
        look_at_last(pairs, i, execution);
        look_at_orders(pairs, i);
    }
}
