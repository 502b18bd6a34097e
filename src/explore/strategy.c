// SPDX-License-Identifier: MIT
// Depth-first search, and the list of all strategies.
#include "explore/strategy.h"

#include <string.h>

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

const struct rh_strategy_ops *rh_strategy_find(const char *name)
{
    static const struct rh_strategy_ops *const all[] = {
        &rh_strategy_dfs,    &rh_strategy_random,  &rh_strategy_pct,
        &rh_strategy_pos,    &rh_strategy_delay,   &rh_strategy_replay,
        &rh_strategy_source, &rh_strategy_optimal, &rh_strategy_dcute};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}
