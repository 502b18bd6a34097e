// SPDX-License-Identifier: MIT
// The only place that includes xxHash.
#include "base/hash.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t rh_hash64(const void *bytes, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, size, seed);
}

uint64_t rh_hash64_text(const char *text, uint64_t seed)
{
    return rh_hash64(text, strlen(text), seed);
}

rh_hash128 rh_hash128_of(const void *bytes, size_t size, uint64_t seed)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, seed);
    return (rh_hash128)hash.high64 << 64 | hash.low64;
}

uint64_t rh_hash64_pair(uint64_t first, uint64_t second)
{
    uint64_t pair[2] = {first, second};
    return XXH3_64bits_withSeed(pair, sizeof pair, 0);
}
