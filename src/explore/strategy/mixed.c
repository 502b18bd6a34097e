// SPDX-License-Identifier: MIT
// mixed: the other strategies that take samples take turns, with several depths and with all that
// timers may do. Which of them finds a bug first differs from bug to bug by factors of a hundred;
// one after the other they are never far behind the best.
#include <string.h>

#include "explore/strategy/sample.h"

// Whose turn it is, and what it is given.
struct turn {
    const struct rh_strategy_ops *strategy;
    uint32_t depth, delays;
    enum rh_sample_timers timers;
};

// The usual order of things comes first, with timers when nothing else is to be done; then what is
// far from it.
static const struct turn turns[] = {
    {&rh_strategy_random, 0, 0, RH_TIMERS_STRICT}, {&rh_strategy_pct, 2, 0, RH_TIMERS_RARE},
    {&rh_strategy_pos, 0, 0, RH_TIMERS_RARE},      {&rh_strategy_random, 0, 0, RH_TIMERS_RARE},
    {&rh_strategy_delay, 0, 2, RH_TIMERS_STRICT},  {&rh_strategy_pct, 3, 0, RH_TIMERS_STRICT},
    {&rh_strategy_random, 0, 0, RH_TIMERS_EVEN},   {&rh_strategy_pos, 0, 0, RH_TIMERS_STRICT},
    {&rh_strategy_delay, 0, 5, RH_TIMERS_RARE},    {&rh_strategy_pos, 0, 0, RH_TIMERS_EVEN},
    {&rh_strategy_pct, 5, 0, RH_TIMERS_EVEN},
};
enum { TURNS = sizeof turns / sizeof *turns };

struct mixed_memory {
    uint64_t executions;
    uint64_t weighed; // executions by random that can be any: the number of all follows from them
    uint32_t longest;
    _Alignas(16) char random[RH_SAMPLE_SMALL_ROOM];
    _Alignas(16) char pos[RH_SAMPLE_SMALL_ROOM];
    _Alignas(16) char pct[RH_SAMPLE_ROOM];
    _Alignas(16) char delay[RH_SAMPLE_ROOM];
    _Alignas(16) char strict[RH_SAMPLE_SMALL_ROOM]; // random's where it is strict about timers
};

_Static_assert(sizeof(struct mixed_memory) <= RH_STRATEGY_MEMORY, "a strategy's memory");

static void *memory_of(struct mixed_memory *mixed, const struct turn *turn)
{
    if (turn->strategy == &rh_strategy_random)
        return turn->timers == RH_TIMERS_STRICT ? mixed->strict : mixed->random;
    return turn->strategy == &rh_strategy_pos   ? mixed->pos
           : turn->strategy == &rh_strategy_pct ? mixed->pct
                                                : mixed->delay;
}

static const struct turn *turn_of(uint64_t execution)
{
    return &turns[execution % TURNS];
}

static void set(struct rh_sample *sample, const struct turn *turn)
{
    sample->depth = turn->depth;
    sample->delays = turn->delays;
    sample->timers = turn->timers;
}

static bool mixed_init(void *memory, const struct rh_run_options *options)
{
    struct mixed_memory *mixed = memory;
    memset(mixed, 0, sizeof *mixed);
    bool is_ready = rh_strategy_random.init(mixed->random, options) &&
                    rh_strategy_random.init(mixed->strict, options) &&
                    rh_strategy_pos.init(mixed->pos, options) &&
                    rh_strategy_delay.init(mixed->delay, options) &&
                    rh_strategy_pct.init(mixed->pct, options);
    rh_assert(turns[0].strategy == &rh_strategy_random); // which is ready for its first execution
    set(memory_of(mixed, &turns[0]), &turns[0]);
    return is_ready;
}

static void mixed_fini(void *memory)
{
    struct mixed_memory *mixed = memory;
    rh_strategy_pct.fini(mixed->pct);
}

static uint32_t mixed_choose(void *memory, const struct rh_choice_point *point)
{
    struct mixed_memory *mixed = memory;
    const struct turn *turn = turn_of(mixed->executions);
    return turn->strategy->choose(memory_of(mixed, turn), point);
}

// The strategy whose turn it is is told how long any execution has been. To call `next` is to end
// an execution of random's, which weighs it.
static bool mixed_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct mixed_memory *mixed = memory;
    const struct turn *turn = turn_of(mixed->executions), *coming = turn_of(executions);
    struct rh_sample *sample = memory_of(mixed, turn);
    if (mixed->longest < sample->reached)
        mixed->longest = sample->reached;
    if (turn->strategy == &rh_strategy_random) {
        turn->strategy->next(sample, path, executions);
        mixed->weighed += turn->timers != RH_TIMERS_STRICT;
    }
    mixed->executions = executions;
    sample = memory_of(mixed, coming);
    set(sample, coming);
    sample->longest = mixed->longest;
    sample->reached = 0;
    if (coming->strategy != &rh_strategy_random)
        return coming->strategy->next(sample, path, executions);
    rh_sample_next(sample, path, executions);
    return true;
}

static double mixed_estimate(const void *memory, const struct rh_path *path, uint64_t executions)
{
    const struct mixed_memory *mixed = memory;
    (void)executions;
    return rh_strategy_random.estimate(mixed->random, path, mixed->weighed);
}

const struct rh_strategy_ops rh_strategy_mixed = {.name = "mixed",
                                                  .begins_anew = true,
                                                  .init = mixed_init,
                                                  .fini = mixed_fini,
                                                  .choose = mixed_choose,
                                                  .next = mixed_next,
                                                  .estimate = mixed_estimate};
