// SPDX-License-Identifier: MIT
// The strategies that need no more than a few lines.
#include "explore/strategy.h"

#include <string.h>

#include "base/rng.h"
#include "explore/dcute.h"
#include "explore/reduce.h"

// dfs: every order, by depth-first search; at each point the ways in sending order.

static bool dfs_init(void *memory, const struct rh_run_options *options)
{
    (void)memory;
    (void)options;
    return true;
}

static uint32_t dfs_choose(void *memory, const struct rh_choice_point *point)
{
    (void)memory;
    (void)point;
    return 0;
}

static bool dfs_next(void *memory, struct rh_path *path, uint64_t executions)
{
    (void)memory;
    (void)executions;
    while (path->length > 0) {
        struct rh_decision *last = &path->decisions[path->length - 1];
        if (last->index + 1 < last->count) {
            last->index++;
            last->identity = 0;
            path->keep = path->length - 1;
            return true;
        }
        path->length--;
    }
    path->keep = 0;
    return false;
}

const struct rh_strategy_ops rh_strategy_dfs = {
    .name = "dfs", .init = dfs_init, .choose = dfs_choose, .next = dfs_next};

// random: at each point every way is equally likely. Each execution has a stream of its own, so that it does not
// matter in which process the ones before it ran.

struct random_memory {
    struct rh_rng rng;
    uint64_t seed;
};

static void random_start(struct random_memory *memory, uint64_t execution)
{
    rh_rng_seed(&memory->rng, memory->seed ^ (execution * UINT64_C(0x9E3779B97F4A7C15)));
}

static bool random_init(void *memory, const struct rh_run_options *options)
{
    struct random_memory *random = memory;
    random->seed = options->seed;
    random_start(random, 0);
    return true;
}

static uint32_t random_choose(void *memory, const struct rh_choice_point *point)
{
    struct random_memory *random = memory;
    return (uint32_t)rh_rng_below(&random->rng, point->count);
}

static bool random_next(void *memory, struct rh_path *path, uint64_t executions)
{
    random_start(memory, executions);
    path->length = path->keep = 0;
    return true; // the number of runs is a bound like any other
}

const struct rh_strategy_ops rh_strategy_random = {
    .name = "random", .init = random_init, .choose = random_choose, .next = random_next};

const struct rh_strategy_ops *rh_strategy_find(const char *name)
{
    static const struct rh_strategy_ops *const all[] = {&rh_strategy_dfs,     &rh_strategy_random,
                                                        &rh_strategy_replay,  &rh_strategy_source,
                                                        &rh_strategy_optimal, &rh_strategy_dcute};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}
