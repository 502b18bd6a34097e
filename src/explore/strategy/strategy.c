// SPDX-License-Identifier: MIT
// Depth-first search.
#include "explore/strategy/strategy.h"

#include "explore/strategy/estimate.h"

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
                                                .can_complete = true,
                                                .tries_all = true,
                                                .init = dfs_init,
                                                .choose = dfs_choose,
                                                .next = dfs_next,
                                                .estimate = dfs_estimate};
