// SPDX-License-Identifier: MIT
#include "explore/run/strategies.h"

#include <string.h>

#include "explore/reduce/dcute.h"
#include "explore/reduce/reduce.h"

const struct rh_strategy_ops *rh_strategy_named(const char *name)
{
    static const struct rh_strategy_ops *const all[] = {
        &rh_strategy_dfs,     &rh_strategy_random, &rh_strategy_pct,    &rh_strategy_pos,
        &rh_strategy_delay,   &rh_strategy_mixed,  &rh_strategy_replay, &rh_strategy_source,
        &rh_strategy_optimal, &rh_strategy_dcute,  &rh_strategy_order};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}
