// SPDX-License-Identifier: MIT
// Hashing: XXH3. The same on every machine of the same byte order.
#ifndef REHEARSE_BASE_HASH_H
#define REHEARSE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 rh_hash128;

uint64_t rh_hash64(const void *bytes, size_t size, uint64_t seed);
uint64_t rh_hash64_text(const char *text, uint64_t seed);
rh_hash128 rh_hash128_of(const void *bytes, size_t size, uint64_t seed);

// Mixes two words into one: for identities and for canonical forms of pointers.
uint64_t rh_hash64_pair(uint64_t first, uint64_t second);

#endif
