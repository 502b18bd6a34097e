// SPDX-License-Identifier: MIT
// Who goes on. In a reduced search what is asleep at a point is left out (reduce/ways.h), and what
// the wakeup trees hold comes first.
#include <string.h>

#include "base/status.h"
#include "threads/engine.h"

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

// Those who can go on within as many turns as there may be.
static uint16_t within_turns(uint16_t enabled)
{
    const struct rh_engine *engine = rh__engine;
    if (!engine->turns_most || !engine->count)
        return enabled;
    const struct rh_point *before = &engine->path[engine->count - 1];
    return before->turns < engine->turns_most ? enabled : enabled & bit(before->event.thread);
}

static uint16_t find_asleep(const struct rh_ways *ways)
{
    const struct rh_label *labels = rh__engine->ways.labels + ways->sleep;
    uint16_t asleep = 0;
    for (uint32_t i = 0; i < ways->sleep_count; i++)
        asleep |= bit(rh__label_thread(&labels[i]));
    return asleep;
}

// What slept at the point before and does not depend on what was done there goes on sleeping.
static void begin_ways(struct rh_point *point)
{
    struct rh_engine *engine = rh__engine;
    point->ways = (struct rh_ways){0};
    if (rh__reduces() && engine->count > 0 &&
        !rh_ways_inherit(&engine->ways, &point[-1].ways, &point[-1].label, NULL, NULL,
                         &point->ways))
        rh__exceed("leaves too much to try");
}

// The first branch of the tree that can be followed; what comes behind it is the next point's.
// Where an earlier choice went another way, or a loop waits that went on before, a branch can't be
// followed, and stands for nothing.
static int take_branch(struct rh_point *point, uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    while (point->ways.wakeup) {
        struct rh_label label =
            rh_wakeup_take(&engine->ways.wakeup, &point->ways.wakeup, &engine->rest);
        int thread = rh__label_thread(&label);
        if (enabled & bit(thread) &&
            rh__touched_of(&engine->threads[thread].pending) == label.touched)
            return thread;
        rh_wakeup_drop(&engine->ways.wakeup, engine->rest);
        engine->rest = 0;
    }
    return -1;
}

static int choose_new(struct rh_point *point, uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    point->enabled = enabled = within_turns(enabled);
    begin_ways(point);
    point->ways.wakeup = engine->rest;
    engine->rest = 0;
    int chosen = take_branch(point, enabled);
    uint16_t awake = enabled & (uint16_t)~find_asleep(&point->ways);
    if (chosen < 0 && !awake) {
        engine->outcome = RH_OUTCOME_ASLEEP;
        return -1;
    }
    if (chosen < 0)
        chosen = awake & bit(engine->current) ? engine->current : first_of(awake);
    point->done = bit(chosen);
    return chosen;
}

static bool is_same(const struct rh_act *one, const struct rh_act *other)
{
    return one->kind == other->kind && one->address == other->address && one->size == other->size;
}

// Follows the path; where it ends, its last decision is new.
static int choose_prescribed(struct rh_point *point, uint16_t enabled)
{
    struct rh_engine *engine = rh__engine;
    int chosen = point->event.thread;
    bool follows = chosen < engine->thread_count && enabled & bit(chosen);
    if (follows && engine->count + 1 < engine->prescribed)
        follows = is_same(&point->event, &engine->threads[chosen].pending);
    else if (follows && rh__reduces())
        follows = rh__touched_of(&engine->threads[chosen].pending) == point->label.touched;
    if (!follows) {
        engine->outcome = RH_OUTCOME_STRAYED;
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
    const struct rh_waitable *object = rh__object_at(address);
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

static void brief(const struct rh_label *label, int thread)
{
    rh__engine->briefs[rh__engine->count] =
        (struct rh_brief){.bits = label->touched ? label->touched->bits : 0,
                          .touched = label->touched,
                          .thread = (uint8_t)thread};
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
    point->label = rh__label_of(&point->event);
    brief(&point->label, chosen);
    point->after = UINT16_MAX;
    if (rh__is_object(&point->event) || point->event.kind == RH_ACT_PASS)
        point->after = rh__object_at(point->event.address)->released;
    point->woken = thread->woken_by;
    thread->woken_by = UINT16_MAX;
    point->releases = point->event.kind == RH_ACT_SYNC && is_taken(point->event.address);
    bool is_turn =
        !rh__engine->count || rh__engine->path[rh__engine->count - 1].event.thread != chosen;
    point->turns =
        (uint16_t)((rh__engine->count ? rh__engine->path[rh__engine->count - 1].turns : 0) +
                   is_turn);
    if (rh__engine->notes_locks && rh__is_access(&point->event))
        note_locks(point, chosen);
    point->shares = point->releases && rh__object_at(point->event.address)->readers > 0;
    if (point->event.kind == RH_ACT_WRITE)
        rh__spin_wake(&point->event);
    thread->last = (uint16_t)rh__engine->count++;
}

static int choose_way(struct rh_point *point, int count)
{
    struct rh_engine *engine = rh__engine;
    if (engine->mode == RH_MODE_RANDOM || engine->mode == RH_MODE_PCT)
        return (int)rh_rng_below(&engine->random, (uint64_t)count);
    if (engine->mode == RH_MODE_FOLLOW && engine->choice < engine->choice_count)
        return engine->choices[engine->choice++] % count;
    return engine->count < engine->prescribed ? (int)point->event.address : 0;
}

// A decision that is no thread's turn. All ways are tried.
int rh__choose_way(int count)
{
    struct rh_engine *engine = rh__engine;
    if (engine->mode == RH_MODE_ORDER || engine->count >= engine->cut)
        return 0;
    struct rh_point *point = &engine->path[engine->count];
    int way = choose_way(point, count);
    if (engine->count >= engine->prescribed) {
        begin_ways(point);
        point->enabled = (uint16_t)((1u << count) - 1);
        point->done = 0;
    }
    point->done |= bit(way);
    point->event = (struct rh_act){.kind = RH_ACT_CHOICE,
                                   .thread = (uint8_t)engine->current,
                                   .address = (uintptr_t)way,
                                   .size = (uint32_t)count,
                                   .call = rh__current()->calls};
    point->label = (struct rh_label){.outcome = RH_ANY_OUTCOME};
    brief(&point->label, engine->current);
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
