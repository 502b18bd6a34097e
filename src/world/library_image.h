// SPDX-License-Identifier: MIT
// With --private-library each actor has its own version of a library's data. While no handler runs
// the pages of private libraries are as at the start; what an actor's handlers made of them lies in
// the actor's own memory, where undo and fingerprint find it.
#ifndef REHEARSE_WORLD_LIBRARY_IMAGE_H
#define REHEARSE_WORLD_LIBRARY_IMAGE_H

#include <stdint.h>

struct rh_world;
struct rh_actor_record;

// Before a handler of this actor runs: its version takes the place of the data at the start.
void rh_library_enter(const struct rh_actor_record *record);
// Afterwards: the actor's version goes back into its memory.
void rh_library_leave(struct rh_world *world, uint32_t slot);
// The actor stops.
void rh_library_forget(struct rh_world *world, uint32_t slot);

#endif
