// SPDX-License-Identifier: MIT
#include "cli/thorough.h"

#include <string.h>

static const char any[] = "--delivery any", causal[] = "--time causal", drop[] = "--drop 1",
                  duplicate[] = "--duplicate 1", crash[] = "--crash 1";

// Faults that are aimed leave others untried.
static bool is_untried(const struct rh_faults *faults, uint16_t most, enum rh_fault fault)
{
    return most == 0 || faults->aims[fault];
}

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
    if (is_untried(&run->faults, run->faults.drops, RH_FAULT_DROP))
        conditions[count++] = drop;
    if (is_untried(&run->faults, run->faults.duplicates, RH_FAULT_DUPLICATE))
        conditions[count++] = duplicate;
    if (is_untried(&run->faults, run->faults.crashes, RH_FAULT_CRASH))
        conditions[count++] = crash;
    return count;
}

static void set_fault(struct rh_faults *faults, uint16_t *most, enum rh_fault fault)
{
    *most = *most > 0 ? *most : 1;
    faults->aims[fault] = NULL;
}

void rh_thorough_set(struct rh_run_options *run, const char *condition)
{
    if (condition == any)
        run->order_rule = RH_ORDER_ANY;
    else if (condition == causal)
        run->time = RH_TIME_CAUSAL;
    else if (condition == drop)
        set_fault(&run->faults, &run->faults.drops, RH_FAULT_DROP);
    else if (condition == duplicate)
        set_fault(&run->faults, &run->faults.duplicates, RH_FAULT_DUPLICATE);
    else
        set_fault(&run->faults, &run->faults.crashes, RH_FAULT_CRASH);
}
