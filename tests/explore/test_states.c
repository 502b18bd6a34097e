// SPDX-License-Identifier: MIT
// The set of states against a plain one: every answer is right, through many growths.
#include <stdlib.h>

#include "explore/states/states.h"

#include "../test.h"

#include "base/rng.h"

enum { COUNT = 1000000 };

static int by_value(const void *left, const void *right)
{
    const rh_hash128 *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

// The largest numbers, and some from a small range, so that runs are long and cross the end of the table.
static rh_hash128 crowded(struct rh_rng *rng)
{
    rh_hash128 high = rh_rng_next(rng) % 64;
    if (high >= 32)
        high += UINT64_MAX - 63;
    return high << 64 | (UINT64_C(0xfff0) + rh_rng_next(rng) % 32);
}

static void test_crowd(void)
{
    struct rh_states states;
    _Atomic uint64_t beat = 0;
    EXPECT(rh_states_init(&states));
    struct rh_rng rng;
    rh_rng_seed(&rng, 1);
    bool seen[64][64] = {{false}};
    for (int i = 0; i < 100000; i++) {
        rh_hash128 value = crowded(&rng);
        unsigned high = (unsigned)(value >> 64) & 63, low = (unsigned)value - 0xfff0;
        enum rh_states_answer answer = rh_states_add(&states, value, &beat);
        EXPECT(answer == (seen[high][low] ? RH_STATES_KNOWN : RH_STATES_NEW));
        seen[high][low] = true;
    }
    EXPECT(states.count == 64 * 32);
    rh_states_fini(&states);
}

static void test_many(void)
{
    struct rh_states states;
    _Atomic uint64_t beat = 0;
    EXPECT(rh_states_init(&states));
    uint64_t first = states.capacity;
    double most = 0; // bytes for each state, once the table has grown
    rh_hash128 *values = malloc(sizeof *values * COUNT);
    EXPECT(values != NULL);
    struct rh_rng rng;
    rh_rng_seed(&rng, 2);
    for (int i = 0; i < COUNT; i++)
        values[i] = (rh_hash128)rh_rng_next(&rng) << 64 | rh_rng_next(&rng);
    for (int i = 0; i < COUNT; i++) {
        EXPECT(rh_states_add(&states, values[i], &beat) == RH_STATES_NEW);
        double bytes = (double)sizeof(rh_hash128) * (double)states.capacity / (double)states.count;
        if (states.capacity > first && bytes > most)
            most = bytes;
        EXPECT(rh_states_add(&states, values[i / 2], &beat) == RH_STATES_KNOWN);
    }
    EXPECT(states.count == COUNT);
    for (int i = 0; i < COUNT; i++)
        EXPECT(rh_states_add(&states, values[i], &beat) == RH_STATES_KNOWN);
    // Nothing is there twice.
    qsort(values, COUNT, sizeof *values, by_value);
    uint64_t entries = 0;
    for (uint64_t i = 0; i < states.capacity + 4096; i++)
        entries += states.entries[i] != 0;
    EXPECT(entries == COUNT);
    EXPECT(beat > 0);
    EXPECT(sizeof(rh_hash128) * states.capacity / states.count <= 24);
    EXPECT(most <= 24);
    rh_states_fini(&states);
    free(values);
}

// Whole states: the same one again is known, another one with the same fingerprint is a clash.
static void test_whole(void)
{
    struct rh_states states;
    _Atomic uint64_t beat = 0;
    enum { WHOLE = 200000 };
    EXPECT(rh_states_open(&states, RH_STATES_EXACT, RH_KEEP_WHOLE));
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 1; i <= WHOLE; i++) {
            uint64_t bytes[2] = {i, i * i};
            rh_hash128 value = rh_hash128_of(bytes, 8 + i % 2 * 8, 0);
            enum rh_states_answer answer =
                rh_states_add_whole(&states, value, bytes, 8 + i % 2 * 8, &beat);
            EXPECT(answer == (round == 0 ? RH_STATES_NEW : RH_STATES_KNOWN));
            if (round == 0)
                continue;
            EXPECT(rh_states_add_whole(&states, value, bytes, 4, &beat) == RH_STATES_CLASH);
            bytes[0]++;
            EXPECT(rh_states_add_whole(&states, value, bytes, 8 + i % 2 * 8, &beat) ==
                   RH_STATES_CLASH);
        }
    EXPECT(states.count == WHOLE);
    rh_states_clear(&states);
    uint64_t other = 7;
    EXPECT(rh_states_add_whole(&states, 1, &other, 8, &beat) == RH_STATES_NEW);
    rh_states_fini(&states);
}

// A set that may not grow beyond some size says so, stays below it, and still knows what it has.
static void test_bound(bool full)
{
    struct rh_states states;
    _Atomic uint64_t beat = 0;
    EXPECT(rh_states_open(&states, RH_STATES_EXACT, full));
    states.bytes_most = 5 << 20;
    uint64_t added = 0;
    enum rh_states_answer answer;
    do {
        uint64_t number = ++added;
        answer = rh_states_add_whole(&states, rh_hash128_of(&number, 8, 0), &number, 8, &beat);
    } while (answer == RH_STATES_NEW);
    EXPECT(answer == RH_STATES_BEYOND);
    EXPECT(states.count == added - 1);
    EXPECT(rh_states_bytes(&states) <= states.bytes_most);
    // A ninth more of the table, or one more state as a whole, would have been too much.
    EXPECT(rh_states_bytes(&states) / 9 * 10 + 4096 * 24 > states.bytes_most);
    EXPECT(full || states.count == states.capacity / 4 * 3);
    uint64_t number = 1;
    EXPECT(rh_states_add_whole(&states, rh_hash128_of(&number, 8, 0), &number, 8, &beat) ==
           RH_STATES_KNOWN);
    rh_states_fini(&states);
}

int main(void)
{
    test_crowd();
    test_many();
    test_whole();
    test_bound(false);
    test_bound(true);
    return 0;
}
