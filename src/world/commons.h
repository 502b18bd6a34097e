// SPDX-License-Identifier: MIT
// Commons: memory of actors that handlers share. What a library allocates in a handler is memory of
// the running actor. If the library keeps a pointer to it in data of its own, the handlers of other
// actors reach it: they read, write and free it, and so may all that it points to.
//
// Invariant: as long as no data that handlers share points into the memory of an actor
// (`has_commons` of the world is false), a delivery changes no actor's memory but that of its
// receiver. From the delivery on that stores such a pointer, undo saves every actor's memory before
// each delivery, the fingerprint is renewed for each actor whose memory has changed, leaks are
// looked for in the memory of all actors together, and what others may reach stays when an actor's
// life ends.
#ifndef REHEARSE_WORLD_COMMONS_H
#define REHEARSE_WORLD_COMMONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rh_world;

// Whether bytes that handlers share hold a pointer into the memory of an actor.
bool rh_commons_points_into_actors(const struct rh_world *world, const void *bytes, size_t size);

// Saves all actors but the receiver on the undo stack; gives the offset of what was saved.
size_t rh_commons_save(struct rh_world *world, uint32_t receiver);
// Undoes what a delivery did to actors other than its receiver.
void rh_commons_restore(struct rh_world *world, size_t saved);
// After a delivery: takes over what it did to actors other than its receiver.
void rh_commons_settle(struct rh_world *world, uint32_t receiver);

#endif
