// SPDX-License-Identifier: MIT
// Memory for what coverage remembers: a stack in reserved address space that all workers of a search share, at the same
// address in each. What is taken stays until the store is closed; pages come with use.
#ifndef REHEARSE_COVER_STORE_H
#define REHEARSE_COVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rh_store {
    char *memory;
    size_t size;
    size_t top;
    bool is_full; // something that was asked for was not to be had
};

// false if there is no such address space.
bool rh_store_open(struct rh_store *store, size_t size);
void rh_store_close(struct rh_store *store);

// Zeroed. NULL, and is_full from then on, if there is no room.
void *rh_store_take(struct rh_store *store, size_t size);
const char *rh_store_copy_text(struct rh_store *store, const char *text); // NULL likewise

// A growing array in the store: gives `items` if there is room for one more than `count`, or a copy in a larger place;
// NULL if there is no room.
void *rh_store_grow(struct rh_store *store, void *items, size_t size, uint32_t count,
                    uint32_t *capacity);

// Numbers by identity. Identities are hashes, so that they need no other. One is added once.
struct rh_numbers {
    struct rh_numbers_entry {
        uint64_t identity;
        uint32_t number; // plus 1; 0: empty
    } * entries;
    uint32_t capacity; // a power of two, or 0
    uint32_t count;
};

#define RH_NO_NUMBER UINT32_MAX
uint32_t rh_numbers_find(const struct rh_numbers *numbers, uint64_t identity);
// false if there is no room.
bool rh_numbers_add(struct rh_numbers *numbers, struct rh_store *store, uint64_t identity,
                    uint32_t number);

#endif
