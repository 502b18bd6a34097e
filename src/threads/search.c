// SPDX-License-Identifier: MIT
// Who goes on. `source` is source-DPOR (Abdulla, Aronis, Jonsson and Sagonas, "Source sets: a
// foundation for optimal dynamic partial order reduction", 2017, algorithm 1): after an execution,
// each of its races adds a thread to try at the point before the race, unless one is there whose
// way leads to the same. What has been tried sleeps until something dependent happens.
#include <string.h>

#include "base/rng.h"
#include "base/status.h"
#include "threads/engine.h"
#include "trace/finding_kind.h"

// --- Dependence. ---

static bool is_access(const struct rh_act *event)
{
    return event->kind == RH_ACT_READ || event->kind == RH_ACT_WRITE;
}

static bool overlap(const struct rh_act *one, const struct rh_act *other)
{
    return one->address < other->address + other->size && other->address < one->address + one->size;
}

static bool is_object(const struct rh_act *event)
{
    return event->kind >= RH_ACT_LOCK && event->kind <= RH_ACT_SYNC;
}

// Because of what they do, whatever is compared.
static bool conflict(const struct rh_act *one, const struct rh_act *other)
{
    if (one->thread == other->thread)
        return true;
    if (is_access(one) && is_access(other))
        return (one->kind == RH_ACT_WRITE || other->kind == RH_ACT_WRITE) && overlap(one, other);
    if (is_object(one) && is_object(other))
        return one->address == other->address &&
               !(one->kind == RH_ACT_SHARE && other->kind == RH_ACT_SHARE);
    return false;
}

// A commit looks at all that the view reads, comes before or after any other commit, and within the
// time of an operation that observes or not. Before the end of a block nobody else may access what
// it writes.
static bool sees(const struct rh_act *one, const struct rh_act *other)
{
    if (one->kind == RH_ACT_COMMIT && other->is_blocked)
        return true;
    return one->is_commit && (other->is_commit || other->is_viewed || other->is_observed);
}

bool rh__depends(const struct rh_act *one, const struct rh_act *other)
{
    if (conflict(one, other) || sees(one, other) || sees(other, one))
        return true;
    // Whether an operation has returned before another is called decides which serial runs may
    // explain the execution.
    return rh__engine->has_order && ((one->kind == RH_ACT_CALL && other->kind == RH_ACT_RETURN) ||
                                     (one->kind == RH_ACT_RETURN && other->kind == RH_ACT_CALL));
}

static struct rh_brief brief_of(const struct rh_act *event)
{
    return (struct rh_brief){.start = event->address,
                             .end = event->address + event->size,
                             .kind = event->kind,
                             .sees = event->kind == RH_ACT_COMMIT || event->is_commit ||
                                     event->is_viewed || event->is_observed || event->is_blocked};
}

// Whether events of different threads may depend on each other. Says yes too often.
static inline bool may_depend(const struct rh_brief *one, const struct rh_brief *other)
{
    return (one->start < other->end && other->start < one->end) ||
           (one->kind >= RH_ACT_CALL && other->kind >= RH_ACT_CALL) || (one->sees && other->sees);
}

// --- Choosing. ---

static uint16_t bit(int thread)
{
    return (uint16_t)(1u << thread);
}

static uint16_t find_enabled(void)
{
    uint16_t enabled = 0;
    for (int i = 0; i < rh__engine->thread_count; i++)
        if (rh__is_enabled(&rh__engine->threads[i]))
            enabled |= bit(i);
    return enabled;
}

static int first_of(uint16_t threads)
{
    return __builtin_ctz(threads);
}

static int choose_random(uint16_t enabled)
{
    int rank = (int)rh_rng_below(&rh__engine->random, (uint64_t)__builtin_popcount(enabled));
    while (rank--)
        enabled &= (uint16_t)(enabled - 1);
    return first_of(enabled);
}

static int highest(uint16_t enabled)
{
    int best = -1;
    for (int i = 0; i < rh__engine->thread_count; i++)
        if (enabled & bit(i) &&
            (best < 0 || rh__engine->priorities[i] > rh__engine->priorities[best]))
            best = i;
    return best;
}

// The thread with the highest priority runs; at each point of change it falls below all others.
static int choose_pct(uint16_t enabled)
{
    for (int i = 0; i < rh__engine->depth - 1; i++)
        if (rh__engine->changes[i] == rh__engine->count)
            rh__engine->priorities[highest(enabled)] = -(i + 1);
    return highest(enabled);
}

// What slept at the point before and does not depend on what was done there goes on sleeping.
static uint16_t find_sleep(uint32_t number)
{
    if (number == 0)
        return 0;
    const struct rh_point *before = &rh__engine->path[number - 1];
    if (before->event.kind == RH_ACT_CHOICE)
        return before->sleep;
    uint16_t candidates = (before->sleep | before->done) & (uint16_t)~bit(before->event.thread);
    uint16_t sleep = 0;
    for (int i = 0; i < rh__engine->thread_count; i++)
        if (candidates & bit(i) && !rh__depends(&before->pending[i], &before->event))
            sleep |= bit(i);
    return sleep;
}

// Those who can go on within as many turns as there may be.
static uint16_t within_turns(uint16_t enabled)
{
    const struct rh_engine *engine = rh__engine;
    if (!engine->turns_most || !engine->count)
        return enabled;
    const struct rh_point *before = &engine->path[engine->count - 1];
    return before->turns < engine->turns_most ? enabled : enabled & bit(before->event.thread);
}

static int choose_new(struct rh_point *point, uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    enabled = within_turns(enabled);
    bool is_reduced = engine->mode == RH_MODE_SOURCE;
    point->enabled = enabled;
    for (int i = 0; i < engine->thread_count; i++)
        point->pending[i] = engine->threads[i].pending;
    for (int i = engine->thread_count; i < RH_THREADS_MOST; i++)
        point->pending[i].kind = RH_ACT_NONE;
    point->sleep = is_reduced ? find_sleep(engine->count) : 0;
    uint16_t awake = enabled & (uint16_t)~point->sleep;
    if (!awake) {
        engine->outcome = RH_OUTCOME_ASLEEP;
        return -1;
    }
    int chosen = awake & bit(engine->current) ? engine->current : first_of(awake);
    point->done = bit(chosen);
    point->backtrack = is_reduced ? bit(chosen) : enabled;
    return chosen;
}

static bool is_same(const struct rh_act *one, const struct rh_act *other)
{
    return one->kind == other->kind && one->address == other->address && one->size == other->size;
}

// Follows the path; where it ends, its last decision is new.
static int choose_prescribed(struct rh_point *point, uint16_t enabled)
{
    int chosen = point->event.thread;
    bool follows = chosen < rh__engine->thread_count && enabled & bit(chosen);
    if (follows)
        follows = is_same(&point->event, &rh__engine->threads[chosen].pending);
    if (!follows) {
        rh__engine->outcome = RH_OUTCOME_STRAYED;
        return -1;
    }
    point->done |= bit(chosen);
    return chosen;
}

static bool has_turn_left(int thread)
{
    for (size_t i = rh__engine->turn; i < rh__engine->turn_count; i++)
        if (rh__engine->turns[i].thread == thread)
            return true;
    return false;
}

// A turn is over when its thread is about to do what the schedule has stopped it before. Threads
// that the schedule does not name any more fill in where somebody waits for them.
static int choose_turn(uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    while (engine->turn < engine->turn_count) {
        const struct rh_turn *turn = &engine->turns[engine->turn];
        const struct rh_fiber *thread = &engine->threads[turn->thread];
        bool is_over = turn->thread < engine->thread_count &&
                       (thread->state == RH_THREAD_ENDED || thread->calls >= turn->until);
        if (!is_over && enabled & bit(turn->thread))
            return turn->thread;
        if (!is_over)
            break;
        engine->turn++;
    }
    for (int i = 0; i < engine->thread_count; i++)
        if (enabled & bit(i) && !has_turn_left(i))
            return i;
    engine->outcome = RH_OUTCOME_STRAYED;
    return -1;
}

static int choose_by_mode(struct rh_point *point, uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    if (engine->mode == RH_MODE_RANDOM)
        return choose_random(enabled);
    if (engine->mode == RH_MODE_PCT)
        return choose_pct(enabled);
    if (engine->mode == RH_MODE_FOLLOW)
        return choose_turn(enabled);
    if (engine->count < engine->prescribed)
        return choose_prescribed(point, enabled);
    return choose_new(point, enabled);
}

static uint64_t bytes_at(uintptr_t address, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, size < sizeof value ? size : sizeof value);
    return value;
}

void rh__log_settle(void)
{
    struct rh_engine *engine = rh__engine;
    if (!engine->log || !engine->has_open_write)
        return;
    struct rh_log_entry *entry = &engine->log[engine->log_count - 1];
    entry->value = bytes_at(entry->event.address, entry->event.size);
    engine->has_open_write = false;
}

static void write_down(const struct rh_act *event)
{
    struct rh_engine *engine = rh__engine;
    rh__log_settle();
    struct rh_log_entry *entry = &engine->log[engine->log_count++];
    *entry = (struct rh_log_entry){.event = *event,
                                   .operation = engine->threads[event->thread].operation};
    engine->has_open_write = event->kind == RH_ACT_WRITE;
    if (event->kind == RH_ACT_READ)
        entry->value = bytes_at(event->address, event->size);
}

// Whether somebody who wants the object would have to wait. A condition variable is never waited
// for itself.
static bool is_taken(uintptr_t address)
{
    const struct rh_object *object = rh__object_at(address);
    return object->owner >= 0 || object->readers > 0 ||
           (object->is_semaphore && object->value == 0);
}

static void note_locks(struct rh_point *point, int thread)
{
    const struct rh_engine *engine = rh__engine;
    int count = 0;
    memset(point->locks, 0, sizeof point->locks);
    for (int i = 0; i < engine->object_count && count < RH_LOCKS_NOTED; i++)
        if (engine->objects[i].owner == thread)
            point->locks[count++] = engine->objects[i].address;
}

// Records that the thread makes its pending event.
static void make(struct rh_point *point, int chosen)
{
    struct rh_fiber *thread = &rh__engine->threads[chosen];
    if (thread->pending.kind == RH_ACT_NONE || thread->pending.kind == RH_ACT_START)
        return;
    if (rh__engine->log)
        write_down(&thread->pending);
    point->event = thread->pending;
    point->after = UINT16_MAX;
    if (is_object(&point->event) || point->event.kind == RH_ACT_PASS)
        point->after = rh__object_at(point->event.address)->released;
    point->woken = thread->woken_by;
    thread->woken_by = UINT16_MAX;
    point->releases = point->event.kind == RH_ACT_SYNC && is_taken(point->event.address);
    bool is_turn =
        !rh__engine->count || rh__engine->path[rh__engine->count - 1].event.thread != chosen;
    point->turns =
        (uint16_t)((rh__engine->count ? rh__engine->path[rh__engine->count - 1].turns : 0) +
                   is_turn);
    if (rh__engine->notes_locks && is_access(&point->event))
        note_locks(point, chosen);
    point->shares = point->releases && rh__object_at(point->event.address)->readers > 0;
    if (point->event.kind == RH_ACT_WRITE)
        rh__spin_wake(&point->event);
    thread->last = (uint16_t)rh__engine->count++;
}

// A decision that is no thread's turn. All ways are tried.
int rh__choose_way(int count)
{
    struct rh_engine *engine = rh__engine;
    if (engine->mode == RH_MODE_RANDOM || engine->mode == RH_MODE_PCT)
        return (int)rh_rng_below(&engine->random, (uint64_t)count);
    if (engine->mode == RH_MODE_ORDER)
        return 0;
    if (engine->mode == RH_MODE_FOLLOW)
        return engine->choice < engine->choice_count ? engine->choices[engine->choice++] : 0;
    if (engine->count >= engine->cut)
        return 0;
    struct rh_point *point = &engine->path[engine->count];
    int way = 0;
    if (engine->count < engine->prescribed) {
        way = (int)point->event.address;
    } else {
        point->sleep = engine->mode == RH_MODE_SOURCE ? find_sleep(engine->count) : 0;
        point->enabled = point->backtrack = (uint16_t)((1u << count) - 1);
        point->done = 0;
    }
    point->done |= bit(way);
    point->event = (struct rh_act){.kind = RH_ACT_CHOICE,
                                   .thread = (uint8_t)engine->current,
                                   .address = (uintptr_t)way,
                                   .size = (uint32_t)count,
                                   .call = rh__current()->calls};
    point->after = point->woken = UINT16_MAX;
    point->releases = false;
    point->turns = engine->count ? engine->path[engine->count - 1].turns : 1;
    rh__current()->last = (uint16_t)engine->count++;
    return way;
}

// Nobody can go on. If somebody has not ended, all that are left wait for each other.
static int stop(void)
{
    rh__engine->outcome = RH_OUTCOME_COMPLETE;
    for (int i = 0; i < rh__engine->thread_count; i++) {
        struct rh_fiber *thread = &rh__engine->threads[i];
        if (thread->state != RH_THREAD_ALIVE)
            continue;
        rh__engine->outcome = RH_OUTCOME_BLOCKED;
        if (rh__engine->mode != RH_MODE_SERIAL && rh__engine->mode != RH_MODE_ORDER)
            rh__deadlock();
        return -1;
    }
    return -1;
}

// Whether no operation is under way in the running thread.
static bool is_between(uint16_t enabled)
{
    const struct rh_fiber *thread = rh__current();
    return thread->state != RH_THREAD_ALIVE || thread->pending.kind == RH_ACT_CALL ||
           (thread->operation < 0 && !(enabled & bit(rh__engine->current)));
}

// In a serial run somebody else goes on only where an operation would begin.
static int choose_serial(uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    bool is_boundary = is_between(enabled);
    bool is_endless = engine->points >= engine->cut;
    if (!is_boundary && enabled & bit(engine->current) && !is_endless)
        return engine->current;
    if (!is_boundary || is_endless) {
        engine->outcome = RH_OUTCOME_BLOCKED;
        return -1;
    }
    struct rh_point *point = &engine->path[engine->count];
    int chosen = engine->count < engine->prescribed ? point->event.thread : first_of(enabled);
    if (engine->count >= engine->prescribed) {
        point->enabled = enabled;
        point->done = 0;
    }
    point->done |= bit(chosen);
    point->event = (struct rh_act){.thread = (uint8_t)chosen};
    point->sleep = 0;
    engine->count++;
    return chosen;
}

// Whose operation is the next in the order goes on, and whoever is in no operation where that one
// is not there yet. Nobody may wait within an operation.
static int choose_in_order(uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    if (!is_between(enabled) && engine->points < engine->cut && enabled & bit(engine->current))
        return engine->current;
    engine->outcome = RH_OUTCOME_BLOCKED;
    if (rh__current()->operation >= 0 || engine->points >= engine->cut)
        return -1;
    engine->outcome = RH_OUTCOME_STRAYED;
    int wanted = engine->order.next < engine->order.count
                     ? engine->order.steps[engine->order.next].thread
                     : -1;
    if (wanted >= 0 && enabled & bit(wanted))
        return wanted;
    for (int i = 0; i < engine->thread_count; i++)
        if (enabled & bit(i) && engine->threads[i].pending.kind != RH_ACT_CALL)
            return i;
    return -1;
}

// An access that is no event: only a schedule may stop a thread here.
void rh__follow(void)
{
    struct rh_engine *engine = rh__engine;
    if (engine->turn >= engine->turn_count)
        return;
    const struct rh_turn *turn = &engine->turns[engine->turn];
    if (turn->thread == engine->current && rh__current()->calls >= turn->until)
        rh__point(RH_ACT_NONE, 0, 0, false, 0);
}

static int find_starting(void)
{
    for (int i = 0; i < rh__engine->thread_count; i++)
        if (rh__engine->threads[i].pending.kind == RH_ACT_START)
            return i;
    return -1;
}

int rh__choose_thread(void)
{
    struct rh_engine *engine = rh__engine;
    int starting = find_starting();
    if (starting >= 0 && engine->mode != RH_MODE_FOLLOW) {
        engine->threads[starting].pending.kind = RH_ACT_NONE;
        return starting;
    }
    uint16_t enabled = find_enabled();
    if (!enabled && rh__spin_release())
        enabled = find_enabled();
    if (engine->threads[0].state == RH_THREAD_ENDED && !engine->threads[0].has_left) {
        engine->outcome = RH_OUTCOME_COMPLETE;
        return -1;
    }
    if (!enabled)
        return stop();
    if (engine->mode == RH_MODE_SERIAL)
        return choose_serial(enabled);
    if (engine->mode == RH_MODE_ORDER)
        return choose_in_order(enabled);
    if (engine->count >= engine->cut) {
        engine->outcome = RH_OUTCOME_CUT;
        return -1;
    }
    struct rh_point *point = &engine->path[engine->count];
    int chosen = choose_by_mode(point, enabled);
    if (chosen >= 0)
        make(point, chosen);
    if (chosen >= 0 && engine->threads[chosen].pending.kind == RH_ACT_START)
        engine->threads[chosen].pending.kind = RH_ACT_NONE;
    return chosen;
}

// --- Looking back. ---

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

// Whether something between `from` and the event, of what does not happen after `from`, happens
// before it: `first` has the first such event of each thread.
static bool has_earlier(const struct rh_clock *clock, int thread, const uint16_t *first)
{
    for (int i = 0; i < rh__engine->thread_count; i++)
        if (i != thread && first[i] < clock->seen[i])
            return true;
    return false;
}

// Threads that can begin a sequence of all events between `from` and `number` that do not happen
// after `from`, followed by the late event.
static uint16_t find_initials(uint32_t from, uint32_t number, const struct rh_act *late,
                              const struct rh_clock *late_clock)
{
    const struct rh_point *path = rh__engine->path;
    uint16_t initials = 0, first[RH_THREADS_MOST];
    memset(first, 0xff, sizeof first);
    for (uint32_t i = from + 1; i < number; i++) {
        int thread = path[i].event.thread;
        if (first[thread] != UINT16_MAX || has(&path[i].clock, from))
            continue;
        if (!has_earlier(&path[i].clock, thread, first))
            initials |= bit(thread);
        first[thread] = (uint16_t)i;
    }
    if (first[late->thread] == UINT16_MAX && !has_earlier(late_clock, late->thread, first))
        initials |= bit(late->thread);
    return initials;
}

// Sees to it that the late event is tried before the one at `from`. false: it could not be made
// there, since it had to wait for that one.
static bool add_way(uint32_t from, uint32_t number, const struct rh_act *late,
                    const struct rh_clock *late_clock)
{
    struct rh_point *point = &rh__engine->path[from];
    uint16_t initials = find_initials(from, number, late, late_clock);
    if (initials & (point->backtrack | point->sleep))
        return true;
    uint16_t ways = initials & point->enabled;
    if (!ways)
        return false;
    point->backtrack |= ways & bit(late->thread) ? bit(late->thread) : bit(first_of(ways));
    return true;
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
static struct clocks relate(const struct rh_act *event, uint32_t number, struct clocks clocks)
{
    struct rh_engine *engine = rh__engine;
    // What the late event is known to come after, as far as that could be turned round.
    struct rh_clock turned = clocks.all;
    struct rh_brief brief = brief_of(event);
    for (uint32_t i = number; i-- > 0;) {
        const struct rh_point *point = &engine->path[i];
        if (!may_depend(&engine->briefs[i], &brief)) {
            rh_verify(point->event.thread == event->thread || !rh__depends(&point->event, event));
            continue;
        }
        if (point->event.thread == event->thread || !rh__depends(&point->event, event))
            continue;
        bool is_real = conflict(&point->event, event);
        bool is_plain =
            is_real && is_access(event) && !(event->is_atomic && point->event.is_atomic);
        if (is_plain && number < engine->count && !has(&clocks.order, i))
            report_race(point, event);
        if (is_real && event->is_atomic && point->event.is_atomic)
            join(&clocks.order, &point->order);
        // An event that waited for this one could not have come before it.
        bool is_fixed = point->releases && event->need != RH_NEED_NOTHING &&
                        (event->need != RH_NEED_UNLOCKED || !point->shares);
        if (!has(&turned, i) && !is_fixed && engine->mode == RH_MODE_SOURCE &&
            add_way(i, number, event, &clocks.all))
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
        relate(&thread->pending, engine->count,
               clocks_before(&thread->pending, previous, thread->woken_by));
    }
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
    for (int i = 0; i < engine->thread_count; i++)
        if (engine->threads[i].state == RH_THREAD_ALIVE)
            point->backtrack |= point->enabled & bit(i);
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
    for (uint32_t i = first; i < engine->count; i++)
        engine->briefs[i] = brief_of(&engine->path[i].event);
    for (uint32_t i = first; i < engine->count; i++) {
        struct rh_point *point = &engine->path[i];
        int thread = point->event.thread;
        struct clocks clocks =
            relate(&point->event, i, clocks_before(&point->event, last[thread], point->woken));
        // All that the holder before has done comes first. It is no part of the question whether
        // the lock could have been taken before the holder took it.
        join_event(&clocks, point->after);
        clocks.all.seen[thread] = clocks.order.seen[thread] = (uint16_t)(i + 1);
        point->clock = clocks.all;
        point->order = clocks.order;
        last[thread] = (uint16_t)i;
    }
    if (engine->mode != RH_MODE_SOURCE || engine->outcome == RH_OUTCOME_ASLEEP)
        return;
    look_at_waiting();
    bool is_deadlock = engine->has_finding && engine->finding.kind == RH_FINDING_DEADLOCK;
    if (!is_deadlock)
        let_others_first();
}

// --- The next execution. ---

static bool prescribe_next(void)
{
    struct rh_engine *engine = rh__engine;
    while (engine->count > 0) {
        struct rh_point *point = &engine->path[engine->count - 1];
        uint16_t ways = engine->mode == RH_MODE_SERIAL ? point->enabled : point->backtrack;
        ways &= point->enabled & (uint16_t) ~(point->done | point->sleep);
        if (point->event.kind == RH_ACT_CHOICE)
            ways = point->enabled & (uint16_t)~point->done;
        if (ways) {
            int way = first_of(ways);
            if (point->event.kind == RH_ACT_CHOICE) {
                point->event.address = (uintptr_t)way;
            } else {
                point->event = point->pending[way];
                point->event.thread = (uint8_t)way;
            }
            engine->prescribed = engine->count;
            return true;
        }
        engine->count--;
    }
    return false;
}

static void shuffle_priorities(void)
{
    struct rh_engine *engine = rh__engine;
    for (int i = 0; i < RH_THREADS_MOST; i++) {
        int other = (int)rh_rng_below(&engine->random, (uint64_t)i + 1);
        engine->priorities[i] = engine->priorities[other];
        engine->priorities[other] = i + 1;
    }
    if (engine->count > engine->longest)
        engine->longest = engine->count;
    for (int i = 0; i < engine->depth - 1; i++)
        engine->changes[i] =
            (uint32_t)rh_rng_below(&engine->random, engine->longest ? engine->longest : 20);
}

bool rh__search_next(void)
{
    switch (rh__engine->mode) {
    case RH_MODE_RANDOM:
    case RH_MODE_PCT:
        shuffle_priorities();
        return true;
    case RH_MODE_FOLLOW:
        return false;
    default:
        return prescribe_next();
    }
}

void rh__search_begin(enum rh_search_mode mode, uint64_t seed)
{
    rh__engine->mode = mode;
    rh__engine->prescribed = 0;
    rh__engine->count = 0;
    rh_rng_seed(&rh__engine->random, seed);
    rh__engine->longest = 0;
    rh__engine->depth = 3;
    shuffle_priorities();
}
