// SPDX-License-Identifier: MIT
// The whole state as a sequence of words, from which everything could be told that decides what the
// program may do from here on.
//
// RH_FORM_EXACT has what the fingerprint has: actors by identity, their memory where it lies.
//
// RH_FORM_ACTORS is the same for two states that differ only in the names of actors and in where
// blocks lie. Actors that the test's body made, and senders outside, keep their identity; any other
// actor counts as the place at which a walk from the test's actors comes to it. Two different
// states never have the same form, for programs that do not look at the values of addresses; two
// states that are equal but for names may have different forms, where the walk must choose between
// actors that look alike.
#ifndef REHEARSE_WORLD_STATE_CANONICAL_H
#define REHEARSE_WORLD_STATE_CANONICAL_H

#include "world/world.h"

enum rh_form { RH_FORM_EXACT, RH_FORM_ACTORS };

struct rh_form_bytes {
    const void *bytes; // borrowed, until the next call
    size_t size;
};

// `looks`: what the program looks at of enum rh_look. Times that nobody looks at count from the
// earliest time at which something can be delivered, and streams of random numbers that nobody
// draws from do not count. RH_FORM_EXACT has both in any case.
struct rh_form_bytes rh_world_form(struct rh_world *world, enum rh_form form, unsigned looks);

// The numbers of all pending messages in the order in which the newest form has them,
// world->pending_count many: in two states of the same form, messages at the same place correspond.
// Borrowed, until the next form.
const uint32_t *rh_world_form_messages(const struct rh_world *world);

#endif
