// SPDX-License-Identifier: MIT
// The strategies that have a name.
#ifndef REHEARSE_EXPLORE_RUN_STRATEGIES_H
#define REHEARSE_EXPLORE_RUN_STRATEGIES_H

#include "explore/strategy/strategy.h"

// The strategy of this name; NULL if there is none. "none" is no reduction.
const struct rh_strategy_ops *rh_strategy_named(const char *name);

#endif
