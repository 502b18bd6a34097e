// SPDX-License-Identifier: MIT
// Seeded random numbers, the same on every machine: splitmix64 for seeding, xoshiro256** for the
// stream.
#ifndef REHEARSE_BASE_RNG_H
#define REHEARSE_BASE_RNG_H

#include <stdint.h>

struct rh_rng {
    uint64_t state[4];
};

void rh_rng_seed(struct rh_rng *rng, uint64_t seed);
uint64_t rh_rng_next(struct rh_rng *rng);
// Uniform in [0, bound), without modulo bias. bound > 0.
uint64_t rh_rng_below(struct rh_rng *rng, uint64_t bound);

#endif
