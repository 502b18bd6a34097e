// SPDX-License-Identifier: MIT
// The strategies that need no more than a few lines.
#include "explore/strategy.h"

#include <string.h>

#include "base/rng.h"
#include "explore/dcute.h"
#include "explore/estimate.h"
#include "explore/reduce.h"

bool rh_path_next_outcome(struct rh_path *path, uint32_t first)
{
    for (; path->length > first; path->length--) {
        struct rh_decision *last = &path->decisions[path->length - 1];
        if (last->index + 1 >= last->count)
            continue;
        last->index++;
        path->keep = path->length - 1;
        return true;
    }
    return false;
}

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

static double dfs_estimate(const void *memory, const struct rh_path *path, uint64_t executions)
{
    return rh_estimate(rh_branches_of_decision, memory, path, executions);
}

const struct rh_strategy_ops rh_strategy_dfs = {.name = "dfs",
                                                .init = dfs_init,
                                                .choose = dfs_choose,
                                                .next = dfs_next,
                                                .estimate = dfs_estimate};

// random: at each point every way is equally likely. Each execution has a stream of its own, so that it does not
// matter in which process the ones before it ran.

struct random_memory {
    struct rh_rng rng;
    uint64_t seed;
    double sum;    // over all executions, of one over the chance that they had
    double weight; // the same of the present one as far as it goes
};

static void random_start(struct random_memory *memory, uint64_t execution)
{
    rh_rng_seed(&memory->rng, memory->seed ^ (execution * UINT64_C(0x9E3779B97F4A7C15)));
    memory->weight = 1;
}

static bool random_init(void *memory, const struct rh_run_options *options)
{
    struct random_memory *random = memory;
    random->seed = options->seed;
    random_start(random, 0);
    return true;
}

// A fault is taken once in so many times that there could be one: executions that are all faults from their start
// would show little.
enum { FAULT_ONE_IN = 8 };

// How many of the ways, which come first, are no faults.
static uint32_t count_faultless(const struct rh_choice_point *point)
{
    if (!point->is_delivery)
        return point->fault ? 1 : point->count;
    uint32_t count = point->count;
    const struct rh_world *world = point->world;
    while (count > 0 && world->messages[world->deliverable[count - 1]].kind == RH_CRASH)
        count--;
    return count;
}

static uint32_t random_choose(void *memory, const struct rh_choice_point *point)
{
    struct random_memory *random = memory;
    uint32_t first = 0, end = point->count, faultless = count_faultless(point);
    if (faultless < point->count) {
        bool strikes = rh_rng_below(&random->rng, FAULT_ONE_IN) == 0;
        random->weight *= strikes ? FAULT_ONE_IN : FAULT_ONE_IN / (FAULT_ONE_IN - 1.0);
        if (strikes)
            first = faultless;
        else
            end = faultless;
    }
    random->weight *= end - first;
    return first + (uint32_t)rh_rng_below(&random->rng, end - first);
}

static bool random_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct random_memory *random = memory;
    random->sum += random->weight;
    random_start(random, executions);
    path->length = path->keep = 0;
    return true; // the number of runs is a bound like any other
}

// On average each execution is counted once, whatever its chance.
static double random_estimate(const void *memory, const struct rh_path *path, uint64_t executions)
{
    const struct random_memory *random = memory;
    (void)path;
    if (executions == 0)
        return 0;
    double all = random->sum / (double)executions;
    return all < RH_ESTIMATE_MOST ? all : RH_ESTIMATE_MOST;
}

const struct rh_strategy_ops rh_strategy_random = {.name = "random",
                                                   .init = random_init,
                                                   .choose = random_choose,
                                                   .next = random_next,
                                                   .estimate = random_estimate};

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
