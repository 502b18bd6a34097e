// SPDX-License-Identifier: MIT
// Looks back at an execution: which events happen before which, data races, and in a reduced search
// the races whose other order is to be tried.
//
// Happens-before here is a clock for each event, since events lie on few threads, in which a lock
// comes after all that its holder before did. Whether two locks race is asked without that.
#include <stdio.h>

#include "base/status.h"
#include "threads/engine.h"
#include "trace/finding_kind.h"

static void join(struct rh_clock *clock, const struct rh_clock *other)
{
    for (int i = 0; i < RH_THREADS_MOST; i++)
        if (clock->seen[i] < other->seen[i])
            clock->seen[i] = other->seen[i];
}

static bool has(const struct rh_clock *clock, uint32_t number)
{
    return clock->seen[rh__engine->path[number].event.thread] > number;
}

// The last event of the thread before `number` in the path, or what its creator had done.
static uint16_t event_before(int thread, uint32_t number)
{
    for (uint32_t i = number; i-- > 0;)
        if (rh__engine->path[i].event.thread == thread)
            return (uint16_t)i;
    return rh__engine->threads[thread].created;
}

struct clocks {
    struct rh_clock all, order;
};

static void join_event(struct clocks *clocks, uint16_t number)
{
    if (number == UINT16_MAX)
        return;
    join(&clocks->all, &rh__engine->path[number].clock);
    join(&clocks->order, &rh__engine->path[number].order);
}

// What happens before an event whatever is dependent: its thread's past, and the past of a thread
// that it joins.
static struct clocks clocks_before(const struct rh_act *event, uint16_t previous, uint16_t woken)
{
    struct clocks clocks = {0};
    join_event(&clocks, previous);
    join_event(&clocks, woken);
    if (event->kind == RH_ACT_JOIN) {
        const struct rh_fiber *joined = &rh__engine->threads[event->address];
        join_event(&clocks, joined->last == UINT16_MAX ? joined->created : joined->last);
    }
    return clocks;
}

// --- Other orders. ---

static uint16_t bit(int thread)
{
    return (uint16_t)(1u << thread);
}

// Adds the labels of events from `first` up to `end` that do not happen after `early`. A choice is
// part of its thread's event.
static void collect(uint32_t early, uint32_t first, uint32_t end, rh_sequence *sequence)
{
    const struct rh_point *path = rh__engine->path;
    for (uint32_t i = first; i < end; i++)
        if (path[i].event.kind != RH_ACT_CHOICE && !has(&path[i].clock, early))
            *rh_vector_push(sequence) = path[i].label;
}

// Sees to it that the sequence begins with what could be made at the point, if it can. Most begin
// so as they are: others begin with a loop that waited there.
static bool begin_with_enabled(const struct rh_point *point, rh_sequence *sequence)
{
    uint16_t seen = 0;
    for (size_t i = 0; i < sequence->count; i++) {
        const struct rh_label label = sequence->items[i];
        uint16_t thread = bit(rh__label_thread(&label));
        bool is_first = !(seen & thread);
        seen |= thread;
        if (!is_first || !(point->enabled & thread) || !rh_is_initial(&label, sequence))
            continue;
        for (; i > 0; i--)
            sequence->items[i] = sequence->items[i - 1];
        sequence->items[0] = label;
        return true;
    }
    return false;
}

// The beginning of an execution in which the late event comes before the early one, as far as that
// is known. Empty: it could not be made there, since it had to wait for the early one.
static rh_sequence *find_beginning(uint32_t early, uint32_t late, const struct rh_label *label)
{
    rh_sequence *sequence = &rh__engine->sequence;
    sequence->count = 0;
    collect(early, early + 1, late, sequence);
    *rh_vector_push(sequence) = *label;
    if (!begin_with_enabled(&rh__engine->path[early], sequence))
        sequence->count = 0;
    return sequence;
}

static void note_no_room(void)
{
    struct rh_engine *engine = rh__engine;
    snprintf(engine->refusal, sizeof engine->refusal,
             "there is no room for what is left to try: make the test smaller");
    engine->has_no_room = true;
}

static void try_sequence(uint32_t early, rh_sequence *sequence)
{
    struct rh_engine *engine = rh__engine;
    if (!rh_ways_try(&engine->ways, &engine->path[early].ways, sequence))
        note_no_room();
}

// Sees to it that the late event is tried before the early one, now or when the whole execution is
// known. false: it could not be made there.
static bool reverse(uint32_t early, uint32_t late, const struct rh_label *label)
{
    struct rh_engine *engine = rh__engine;
    rh_sequence *sequence = find_beginning(early, late, label);
    if (!sequence->count)
        return false;
    if (!engine->ways.is_optimal || late == engine->count) {
        try_sequence(early, sequence);
        return true;
    }
    struct rh_point *point = &engine->path[late];
    if (point->races == RH_RACES_MOST)
        note_no_room();
    else
        engine->races[point->races++] =
            (struct rh_race){.early = (uint16_t)early, .late = (uint16_t)late};
    return true;
}

// With all that follows in the execution and does not happen after the early event, what is found
// is the beginning of an execution of another class, and no other such is in the tree. What follows
// may be another in the next execution: until a race is settled, it is looked at again.
static void reverse_whole(struct rh_race *race)
{
    struct rh_engine *engine = rh__engine;
    struct rh_point *early = &engine->path[race->early];
    const struct rh_label *label = &engine->path[race->late].label;
    rh_sequence *sequence = find_beginning(race->early, race->late, label);
    race->is_settled = rh_ways_are_settled(&engine->ways, &early->ways, sequence);
    if (race->is_settled)
        return;
    collect(race->early, race->late + 1u, engine->count, sequence);
    try_sequence(race->early, sequence);
}

static void reverse_all(void)
{
    struct rh_engine *engine = rh__engine;
    uint32_t count = engine->count ? engine->path[engine->count - 1].races : 0;
    for (uint32_t i = 0; i < count; i++)
        if (!engine->races[i].is_settled)
            reverse_whole(&engine->races[i]);
}

// --- Races. ---

// What the events do to the same memory or object depends on their order.
static bool conflict(const struct rh_act *one, const struct rh_act *other)
{
    if (rh__is_access(one) && rh__is_access(other))
        return (one->kind == RH_ACT_WRITE || other->kind == RH_ACT_WRITE) &&
               one->address < other->address + other->size &&
               other->address < one->address + one->size;
    return rh__is_object(one) && rh__is_object(other) && one->address == other->address &&
           !(one->kind == RH_ACT_SHARE && other->kind == RH_ACT_SHARE);
}

static void report_race(const struct rh_point *early, const struct rh_act *late)
{
    struct rh_engine *engine = rh__engine;
    if (engine->has_race)
        return;
    engine->has_race = true;
    engine->race = (struct rh_threads_finding){.kind = RH_FINDING_RACE,
                                               .code = late->code,
                                               .thread = late->thread,
                                               .other_code = early->event.code,
                                               .other_thread = early->event.thread};
}

// Relates an event, at `number` or not made yet, to all before it.
static struct clocks relate(const struct rh_act *event, const struct rh_label *label,
                            uint32_t number, struct clocks clocks)
{
    struct rh_engine *engine = rh__engine;
    uint64_t bits = label->touched ? label->touched->bits : 0;
    bool is_reduced = rh__reduces();
    // What the late event is known to come after, as far as that could be turned round.
    struct rh_clock turned = clocks.all;
    for (uint32_t i = number; i-- > 0;) {
        const struct rh_brief *brief = &engine->briefs[i];
        if (!(brief->bits & bits) || brief->thread == event->thread ||
            !rh_depends(brief->touched, label->touched))
            continue;
        const struct rh_point *point = &engine->path[i];
        bool is_real = conflict(&point->event, event);
        bool is_plain =
            is_real && rh__is_access(event) && !(event->is_atomic && point->event.is_atomic);
        if (is_plain && number < engine->count && !has(&clocks.order, i))
            report_race(point, event);
        if (is_real && event->is_atomic && point->event.is_atomic)
            join(&clocks.order, &point->order);
        // An event that waited for this one could not have come before it.
        bool is_fixed = point->releases && event->need != RH_NEED_NOTHING &&
                        (event->need != RH_NEED_UNLOCKED || !point->shares);
        if (is_reduced && !has(&turned, i) && !is_fixed && reverse(i, number, label))
            join(&turned, &point->clock);
        join(&clocks.all, &point->clock);
    }
    return clocks;
}

static void look_at_waiting(void)
{
    struct rh_engine *engine = rh__engine;
    for (int i = 0; i < engine->thread_count; i++) {
        const struct rh_fiber *thread = &engine->threads[i];
        if (thread->state != RH_THREAD_ALIVE || thread->pending.kind < RH_ACT_READ)
            continue;
        uint16_t previous = thread->last == UINT16_MAX ? thread->created : thread->last;
        const struct rh_label label = rh__label_of(&thread->pending);
        relate(&thread->pending, &label, engine->count,
               clocks_before(&thread->pending, previous, thread->woken_by));
    }
}

// What the thread was about to do before the last event, which may have ended its waiting.
static struct rh_act pending_before(const struct rh_fiber *thread, uint32_t last)
{
    if (thread->times_out && thread->is_woken && thread->signalled_by >= last)
        return (struct rh_act){.thread = thread->pending.thread,
                               .kind = RH_ACT_SYNC,
                               .address = thread->waits,
                               .size = 1};
    return thread->pending;
}

// What others would have done after a failure, or after the end of main, is not known: they are let
// do it before the last event.
static void let_others_first(void)
{
    struct rh_engine *engine = rh__engine;
    uint32_t last = engine->count;
    while (last > 0 && engine->path[last - 1].event.kind == RH_ACT_CHOICE)
        last--;
    if (last == 0)
        return;
    struct rh_point *point = &engine->path[last - 1];
    for (int i = 0; i < engine->thread_count; i++) {
        const struct rh_fiber *thread = &engine->threads[i];
        if (i == point->event.thread || thread->state != RH_THREAD_ALIVE ||
            !(point->enabled & bit(i)))
            continue;
        const struct rh_act pending = pending_before(thread, last - 1);
        const struct rh_label label = rh__label_of(&pending);
        point->label.fails = true;
        if (!rh_ways_try_one(&engine->ways, &point->ways, &label))
            note_no_room();
    }
}

// Whether nobody went on since an event sleeps that ends its execution: where it was made, others
// were not looked at either.
static bool sleeps_at_end(void)
{
    const struct rh_engine *engine = rh__engine;
    if (engine->outcome != RH_OUTCOME_ASLEEP)
        return false;
    const struct rh_ways *ways = &engine->path[engine->count].ways;
    for (uint32_t i = 0; i < ways->sleep_count; i++)
        if (engine->ways.labels[ways->sleep + i].fails)
            return true;
    return false;
}

void rh__look_back(void)
{
    struct rh_engine *engine = rh__engine;
    uint16_t last[RH_THREADS_MOST];
    uint32_t first = engine->prescribed ? engine->prescribed - 1 : 0;
    if (engine->mode >= RH_MODE_RANDOM)
        first = 0;
    for (int i = 0; i < RH_THREADS_MOST; i++)
        last[i] = event_before(i, first);
    for (uint32_t i = first; i < engine->count; i++) {
        struct rh_point *point = &engine->path[i];
        int thread = point->event.thread;
        point->races = i > 0 ? point[-1].races : 0;
        struct clocks clocks = relate(&point->event, &point->label, i,
                                      clocks_before(&point->event, last[thread], point->woken));
        // All that the holder before has done comes first. It is no part of the question whether
        // the lock could have been taken before the holder took it.
        join_event(&clocks, point->after);
        clocks.all.seen[thread] = clocks.order.seen[thread] = (uint16_t)(i + 1);
        point->clock = clocks.all;
        point->order = clocks.order;
        last[thread] = (uint16_t)i;
    }
    if (!rh__reduces())
        return;
    bool is_whole = engine->outcome != RH_OUTCOME_ASLEEP;
    bool is_deadlock = engine->has_finding && engine->finding.kind == RH_FINDING_DEADLOCK;
    if (is_whole || sleeps_at_end())
        look_at_waiting();
    if (is_whole && !is_deadlock)
        let_others_first();
    reverse_all();
}
