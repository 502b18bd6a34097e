// SPDX-License-Identifier: MIT
// How operations begin and end. The program's code calls each operation, and the operation runs as
// the tool's code: its libc calls are not the program's.
#ifndef REHEARSE_ADAPTERS_NATIVE_INSIDE_H
#define REHEARSE_ADAPTERS_NATIVE_INSIDE_H

#include "base/status.h"
#include "world/world.h"

static inline struct rh_world *rh_native_enter(void)
{
    if (!rh__process.world)
        rh_panic("an actor operation was called while no actors run; run the program's tests, or "
                 "call it between rh_run and its end");
    rh__process.in_handler = 0;
    return rh__process.world;
}

static inline void rh_native_leave(struct rh_world *world)
{
    rh__process.in_handler =
        world->stage == RH_STAGE_HANDLER || world->stage == RH_STAGE_SETUP ? 1 : 0;
}

#endif
