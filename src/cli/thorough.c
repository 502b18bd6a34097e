// SPDX-License-Identifier: MIT
#include "cli/thorough.h"

#include <string.h>

static const char any[] = "--delivery any", causal[] = "--time causal", drop[] = "--drop 1",
                  duplicate[] = "--duplicate 1", crash[] = "--crash 1";

// Strict time is no condition of its own: what happens under it is among what may happen anyway.
// A program that an adapter runs has none of these.
size_t rh_thorough_untried(const struct rh_run_options *run,
                           const char *conditions[RH_CONDITIONS_MOST])
{
    size_t count = 0;
    if (run->adapter->keeps_state)
        return 0;
    if (run->order_rule == RH_ORDER_FIFO)
        conditions[count++] = any;
    if (run->time == RH_TIME_STRICT)
        conditions[count++] = causal;
    if (run->faults.drops == 0)
        conditions[count++] = drop;
    if (run->faults.duplicates == 0)
        conditions[count++] = duplicate;
    if (run->faults.crashes == 0)
        conditions[count++] = crash;
    return count;
}

void rh_thorough_set(struct rh_run_options *run, const char *condition)
{
    if (condition == any)
        run->order_rule = RH_ORDER_ANY;
    else if (condition == causal)
        run->time = RH_TIME_CAUSAL;
    else if (condition == drop)
        run->faults.drops = 1;
    else if (condition == duplicate)
        run->faults.duplicates = 1;
    else
        run->faults.crashes = 1;
}
