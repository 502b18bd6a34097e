// SPDX-License-Identifier: MIT
// The set of states that a search has seen, as 128-bit fingerprints: 16 bytes a state, open addressing, never more
// than three quarters full. It lies in shared memory that is reserved at its largest and grows in place, so that it
// survives the workers that fill it.
#ifndef REHEARSE_EXPLORE_STATES_H
#define REHEARSE_EXPLORE_STATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct rh_states {
    rh_hash128 *entries; // 0: free
    uint64_t capacity;   // a power of two
    uint64_t count;
};

// false if the memory is not to be had.
bool rh_states_init(struct rh_states *states);
void rh_states_fini(struct rh_states *states);
void rh_states_clear(struct rh_states *states);

enum rh_states_answer { RH_STATES_NEW, RH_STATES_KNOWN, RH_STATES_FULL };
// `beat` is increased now and then while the set grows, to show that this is no hang.
enum rh_states_answer rh_states_add(struct rh_states *states, rh_hash128 fingerprint,
                                    _Atomic uint64_t *beat);

// A bound on the chance that two different states were taken for one: two fingerprints of 128 bits that agree, or
// two of `actors` identities of 64 bits.
double rh_states_collision_chance(const struct rh_states *states, uint64_t actors);

#endif
