// SPDX-License-Identifier: MIT
// Identities of actors and messages, and the names that follow from them. Whoever says which
// messages there are computes them by these rules, so that a schedule that one part of the tool
// writes is understood by another.
//
// Actors and messages come into being in a delivery, which has the identity of its message; what
// the test's body makes comes into being in RH_IDENTITY_BODY. Among those of one delivery with the
// same key, the first is number 1.
#ifndef REHEARSE_BASE_IDENTITY_H
#define REHEARSE_BASE_IDENTITY_H

#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"

// What the test's body is in place of a delivery.
static inline uint64_t rh_identity_body(void)
{
    return rh_hash64_text("outside", 2);
}

// The hash of a message type's name.
static inline uint64_t rh_identity_type(const char *name)
{
    return rh_hash64_text(name, 0);
}

// The key of a message: its type's hash, the receiver's identity, what kind of message it is (0: an
// ordinary one), and the delivery that sends it.
static inline uint64_t rh_identity_message_key(uint64_t type, uint64_t receiver, uint64_t kind,
                                               uint64_t delivery)
{
    uint64_t key[4] = {type, receiver, kind, delivery};
    return rh_hash64(key, sizeof key, 0);
}

// The key of an actor: its behaviour's name, and the delivery that creates it.
static inline uint64_t rh_identity_actor_key(const char *behaviour, uint64_t delivery)
{
    uint64_t key[2] = {rh_hash64_text(behaviour, 1), delivery};
    return rh_hash64(key, sizeof key, 1);
}

// The identity of the nth with a key.
static inline uint64_t rh_identity_nth(uint64_t key, uint32_t number)
{
    return rh_hash64_pair(key, number);
}

// Adds the name of a behaviour without "_behaviour" at its end.
void rh_identity_add_behaviour(struct rh_text *text, const char *behaviour);
// Adds what marks an actor's name that was created in a delivery which has to be named: `k3fq.`.
void rh_identity_add_mark(struct rh_text *text, uint64_t delivery);

#endif
