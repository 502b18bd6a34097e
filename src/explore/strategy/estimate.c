// SPDX-License-Identifier: MIT
#include "explore/strategy/estimate.h"

bool rh_branches_of_decision(const void *memory, const struct rh_path *path, uint32_t index,
                             struct rh_branches *branches)
{
    (void)memory;
    if (index >= path->length)
        return false;
    const struct rh_decision *decision = &path->decisions[index];
    *branches = (struct rh_branches){decision->index, decision->count};
    return true;
}

double rh_estimate(rh_branches_of *branches_of, const void *memory, const struct rh_path *path,
                   uint64_t executions)
{
    double over = 0; // the part that is over of what lies below the present point
    for (uint32_t i = path->length + 1; i-- > 0;) {
        struct rh_branches branches;
        if (!branches_of(memory, path, i, &branches) || branches.total == 0)
            continue;
        over = (branches.done + over) / branches.total;
        if (over > 1)
            over = 1; // the search went on while we looked
    }
    bool is_huge = over * RH_ESTIMATE_MOST <= (double)executions;
    return executions == 0 ? 0 : is_huge ? RH_ESTIMATE_MOST : (double)executions / over;
}
