// SPDX-License-Identifier: MIT
#include "base/rng.h"

#include "base/hash.h"
#include "test.h"

// The stream is part of what "same seed, same result" promises, so it is pinned. The state 1, 2, 3, 4
// and the four words after it are the published test vector of xoshiro256**.
static void the_stream_is_fixed(void)
{
    struct rh_rng rng = {{1, 2, 3, 4}};
    EXPECT(rh_rng_next(&rng) == 11520);
    EXPECT(rh_rng_next(&rng) == 0);
    EXPECT(rh_rng_next(&rng) == 1509978240);
    EXPECT(rh_rng_next(&rng) == 1215971899390074240);
    rh_rng_seed(&rng, 0);
    EXPECT(rng.state[0] == 0xe220a8397b1dcdaf && rng.state[1] == 0x6e789e6aa1b965f4);
}

static void seeds_differ(void)
{
    struct rh_rng first, second, again;
    rh_rng_seed(&first, 1);
    rh_rng_seed(&second, 2);
    rh_rng_seed(&again, 1);
    uint64_t word = rh_rng_next(&first);
    EXPECT(word == rh_rng_next(&again));
    EXPECT(word != rh_rng_next(&second));
}

static void below_stays_below_and_is_even(void)
{
    struct rh_rng rng;
    rh_rng_seed(&rng, 7);
    int counts[6] = {0};
    for (int i = 0; i < 60000; i++) {
        uint64_t number = rh_rng_below(&rng, 6);
        EXPECT(number < 6);
        counts[number]++;
    }
    for (int i = 0; i < 6; i++)
        EXPECT(counts[i] > 9500 && counts[i] < 10500);
    EXPECT(rh_rng_below(&rng, 1) == 0);

    // With a bound of 3/4 of all words a plain remainder would favour the first third.
    uint64_t bound = 3ull << 62;
    int low = 0;
    for (int i = 0; i < 30000; i++)
        low += rh_rng_below(&rng, bound) < bound / 3;
    EXPECT(low > 9500 && low < 10500);
    for (int i = 0; i < 100; i++)
        EXPECT(rh_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
}

static void hashes_are_fixed(void)
{
    EXPECT(rh_hash64("", 0, 0) == 0x2d06800538d394c2);
    EXPECT(rh_hash64_text("deposit", 0) == rh_hash64("deposit", 7, 0));
    EXPECT(rh_hash64_text("deposit", 0) != rh_hash64_text("deposit", 1));
    EXPECT(rh_hash64_pair(1, 2) != rh_hash64_pair(2, 1));
    EXPECT((uint64_t)rh_hash128_of("", 0, 0) == 0x6001c324468d497f);
    EXPECT((uint64_t)(rh_hash128_of("", 0, 0) >> 64) == 0x99aa06d3014798d8);
}

int main(void)
{
    the_stream_is_fixed();
    seeds_differ();
    below_stays_below_and_is_even();
    hashes_are_fixed();
    return 0;
}
