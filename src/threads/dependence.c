// SPDX-License-Identifier: MIT
// What an event touches, as a set of objects (reduce/touched.h): so whether two events depend on
// each other is asked in one way everywhere. Events of one thread always do, which is in no set.
#include "base/status.h"
#include "threads/engine.h"

// Objects with numbers that are no addresses of the program.
enum {
    ALL_COMMITS = 1,
    ALL_BLOCKS = 2,
    ORDER = 16, // a byte for each thread: it calls an operation
};

bool rh__is_access(const struct rh_act *event)
{
    return event->kind == RH_ACT_READ || event->kind == RH_ACT_WRITE;
}

bool rh__is_object(const struct rh_act *event)
{
    return event->kind >= RH_ACT_LOCK && event->kind <= RH_ACT_SYNC;
}

// A commit looks at all that the view reads, comes before or after any other commit, and within the
// time of an operation that observes or not. Before the end of a block nobody else may access what
// it writes.
static uint32_t add_commits(const struct rh_act *event, struct rh_touch *touches, uint32_t count)
{
    if (event->is_commit || event->is_viewed || event->is_observed)
        touches[count++] = rh_touch_number(ALL_COMMITS, event->is_commit);
    if (event->kind == RH_ACT_COMMIT || event->is_blocked)
        touches[count++] = rh_touch_number(ALL_BLOCKS, event->kind == RH_ACT_COMMIT);
    return count;
}

// Whether an operation has returned before another is called decides which serial runs may explain
// the execution. The order of two calls does not matter, nor does that of two returns.
static uint32_t add_order(const struct rh_act *event, struct rh_touch *touches, uint32_t count)
{
    uint64_t own = ORDER + event->thread;
    if (event->kind == RH_ACT_CALL)
        touches[count++] = rh_touch_bytes(own, own, true);
    else if (event->kind == RH_ACT_RETURN)
        touches[count++] = rh_touch_bytes(ORDER, ORDER + RH_THREADS_MOST - 1, false);
    return count;
}

static const struct rh_touched *find_set(const struct rh_act *event)
{
    struct rh_touch touches[5];
    uint32_t count = 0;
    if (rh__is_access(event))
        touches[count++] = rh_touch_bytes(event->address, event->address + event->size - 1,
                                          event->kind == RH_ACT_WRITE);
    else if (rh__is_object(event))
        touches[count++] = rh_touch_number(event->address, event->kind != RH_ACT_SHARE);
    // Who frees what an object lies in comes before or after those who use it.
    if (rh__is_object(event) && rh__heap_has(event->address))
        touches[count++] = rh_touch_bytes(event->address, event->address, false);
    if (rh__engine->is_marked)
        count = add_commits(event, touches, count);
    if (rh__engine->has_order)
        count = add_order(event, touches, count);
    if (count == 0)
        return NULL;
    const struct rh_touched *set = rh_touched_set(&rh__engine->touched, touches, count);
    // There is no room for more sets, and so nothing more is told apart.
    return set ? set : rh__engine->touches_all;
}

static uint64_t traits_of(const struct rh_act *event)
{
    uint64_t flags = event->is_commit | event->is_viewed << 1 | event->is_blocked << 2 |
                     event->is_observed << 3 | (uint64_t)event->kind << 4;
    if (event->kind == RH_ACT_CALL)
        flags |= (uint64_t)event->thread << 8;
    return flags << 32 | event->size;
}

const struct rh_touched *rh__touched_of(const struct rh_act *event)
{
    uint64_t traits = traits_of(event);
    uint64_t hash = (event->address ^ traits) * UINT64_C(0x9e3779b97f4a7c15);
    struct rh_known_set *known = &rh__engine->known[hash >> (64 - RH_KNOWN_BITS)];
    if (__builtin_expect(known->address == event->address && known->traits == traits, true))
        return known->set;
    // The set may be looked for while a thread of the program runs, and libc's functions are its.
    rh__engine->quiet++;
    *known = (struct rh_known_set){event->address, traits, find_set(event)};
    rh__engine->quiet--;
    return known->set;
}

bool rh__depends(const struct rh_act *one, const struct rh_act *other)
{
    return one->thread == other->thread || rh_depends(rh__touched_of(one), rh__touched_of(other));
}

bool rh__dependence_start(void)
{
    struct rh_touch all[] = {{{RH_OBJECT_NUMBER, 0, UINT64_MAX}, true},
                             {{RH_OBJECT_BYTES, 0, UINT64_MAX}, true}};
    if (!rh_touched_init(&rh__engine->touched))
        return false;
    rh__engine->touches_all = rh_touched_set(&rh__engine->touched, all, 2);
    return rh__engine->touches_all != NULL;
}

void rh__dependence_begin(void)
{
    for (size_t i = 0; i < sizeof rh__engine->known / sizeof *rh__engine->known; i++)
        rh__engine->known[i] = (struct rh_known_set){.traits = UINT64_MAX};
}
