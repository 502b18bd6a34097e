// SPDX-License-Identifier: MIT
// splitmix64 (Steele, Lea, Flood 2014) and xoshiro256** (Blackman, Vigna 2018).
#include "base/rng.h"

#include "base/status.h"

static uint64_t rotate_left(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static uint64_t splitmix_next(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t word = *state;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    return word ^ word >> 31;
}

void rh_rng_seed(struct rh_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        rng->state[i] = splitmix_next(&seed);
}

uint64_t rh_rng_next(struct rh_rng *rng)
{
    uint64_t *state = rng->state;
    uint64_t result = rotate_left(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate_left(state[3], 45);
    return result;
}

uint64_t rh_rng_below(struct rh_rng *rng, uint64_t bound)
{
    rh_assert(bound > 0);
    // 2^64 mod bound. Words below it are an incomplete round of remainders, and are thrown away.
    uint64_t incomplete = -bound % bound;
    uint64_t word = rh_rng_next(rng);
    while (word < incomplete)
        word = rh_rng_next(rng);
    return word % bound;
}
