// SPDX-License-Identifier: MIT
// The least that a search over 64-byte states can do, as a bare C loop: copy the state, call a handler through a
// pointer, hash with XXH3, probe a set of 2^22 entries. Prints transitions per processor second.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SET_BITS = 22, STATE = 64, TRANSITIONS = 2 << 20 };

struct state {
    uint64_t hash;
    uint64_t received;
    uint64_t rest[6];
};

static void handle(struct state *state, uint64_t number)
{
    state->hash = (state->hash ^ number) * UINT64_C(0x100000001b3);
    state->received++;
}

static int probe(uint64_t *set, uint64_t hash)
{
    uint64_t mask = (UINT64_C(1) << SET_BITS) - 1, at = hash & mask;
    while (set[at] != 0 && set[at] != hash)
        at = (at + 1) & mask;
    int is_new = set[at] == 0;
    set[at] = hash;
    return is_new;
}

int main(void)
{
    _Static_assert(sizeof(struct state) == STATE, "the size that the benchmark names");
    void (*volatile handler)(struct state *, uint64_t) = handle;
    uint64_t *set = calloc(UINT64_C(1) << SET_BITS, sizeof *set);
    if (!set)
        return 1;
    struct state now = {.hash = 1}, saved;
    struct timespec start, end;
    uint64_t found = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (uint64_t i = 0; i < TRANSITIONS; i++) {
        memcpy(&saved, &now, sizeof saved);
        __asm__ volatile("" : : "r"(&saved) : "memory");
        handler(&now, i & 7);
        found += (uint64_t)probe(set, XXH3_64bits(&now, sizeof now) | 1);
        // Every other step goes back, as a search does. In the end the set is half full.
        if (i & 1)
            memcpy(&now, &saved, sizeof now);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%.0f %llu\n", TRANSITIONS / seconds, (unsigned long long)found);
    free(set);
    return 0;
}
