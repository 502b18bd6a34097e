// SPDX-License-Identifier: MIT
// Fields that nobody has set. In an execution that looks for them the stack and fresh blocks are
// full of one byte: a field that holds nothing else was never set. Another execution, with another
// byte, tells what is so by chance.
#ifndef REHEARSE_WORLD_UNSET_H
#define REHEARSE_WORLD_UNSET_H

#include "world/world.h"

// The bytes of the two executions.
enum { RH_UNSET_FIRST = 0xd5, RH_UNSET_SECOND = 0x93 };

// Whether this execution looks for them.
static inline bool rh_unset_looks(const struct rh_world *world)
{
    return __builtin_expect(world->options.fill != 0, 0);
}

// The byte for an execution that is to show this finding; 0: none.
static inline uint8_t rh_unset_fill(const struct rh_finding *finding)
{
    return finding->kind == RH_FINDING_UNSET ? RH_UNSET_SECOND : 0;
}

// A message is sent.
void rh_unset_check_message(struct rh_world *world, const struct rh_message *message);
// An actor was created at this place, or has handled a message (file NULL).
void rh_unset_check_state(struct rh_world *world, uint32_t slot, const char *file, int line);

#endif
