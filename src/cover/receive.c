// SPDX-License-Identifier: MIT
#include "cover/receive.h"

#include <stdlib.h>

#include "base/text.h"

void rh_receives_link(struct rh_receives *execution, uint32_t actors)
{
    uint32_t *next = rh_alloc(sizeof *next * (actors + (size_t)1));
    for (uint32_t i = 0; i < actors; i++)
        next[i] = RH_NONE;
    for (uint32_t i = execution->count; i-- > 0;) {
        execution->items[i].next = next[execution->items[i].actor];
        next[execution->items[i].actor] = i;
    }
    free(next);
}
