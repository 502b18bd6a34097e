// SPDX-License-Identifier: MIT
// Which execution comes next. `source` and `optimal` are source-DPOR and optimal-DPOR (Abdulla,
// Aronis, Jonsson and Sagonas, "Source sets: a foundation for optimal dynamic partial order
// reduction", 2017): after an execution, the other order of each of its races is tried at the point
// before the race (races.c), unless something is there whose way leads to the same. What has been
// tried and what is left is kept by reduce/ways.h, for searches of all kinds of programs.
#include "base/status.h"
#include "threads/engine.h"

struct rh_label rh__label_of(const struct rh_act *event)
{
    return (struct rh_label){.identity = event->thread + UINT64_C(1),
                             .touched = rh__touched_of(event),
                             .outcome = RH_ANY_OUTCOME};
}

static bool next_choice(struct rh_point *point)
{
    uint16_t ways = point->enabled & (uint16_t)~point->done;
    if (ways)
        point->event.address = (uintptr_t)__builtin_ctz(ways);
    return ways != 0;
}

static bool next_thread(struct rh_point *point)
{
    uint16_t ways = point->enabled & (uint16_t)~point->done;
    if (ways)
        point->event.thread = (uint8_t)__builtin_ctz(ways);
    return ways != 0;
}

// What was made at the point sleeps from here on.
static bool next_branch(struct rh_point *point)
{
    struct rh_engine *engine = rh__engine;
    rh_ways_put_to_sleep(&engine->ways, &point->ways, &point->label);
    if (!point->ways.wakeup)
        return false;
    point->label = rh_wakeup_take(&engine->ways.wakeup, &point->ways.wakeup, &engine->rest);
    point->event.thread = (uint8_t)rh__label_thread(&point->label);
    return true;
}

static bool next_at(struct rh_point *point)
{
    if (point->event.kind == RH_ACT_CHOICE)
        return next_choice(point);
    return rh__reduces() ? next_branch(point) : next_thread(point);
}

static bool prescribe_next(void)
{
    struct rh_engine *engine = rh__engine;
    rh_wakeup_drop(&engine->ways.wakeup, engine->rest);
    engine->rest = 0;
    for (; engine->count > 0; engine->count--)
        if (next_at(&engine->path[engine->count - 1])) {
            engine->prescribed = engine->count;
            return true;
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
    struct rh_engine *engine = rh__engine;
    engine->mode = mode;
    engine->prescribed = 0;
    engine->count = 0;
    rh_rng_seed(&engine->random, seed);
    engine->longest = 0;
    engine->depth = 3;
    rh__dependence_begin();
    rh_ways_reset(&engine->ways);
    engine->ways.is_optimal = mode == RH_MODE_OPTIMAL;
    engine->rest = 0;
    engine->has_no_room = false;
    shuffle_priorities();
}
