// SPDX-License-Identifier: MIT
// Memory for what coverage remembers: a stack in reserved address space that all workers of a
// search share, at the same address in each. Memory that is taken stays until the store is closed;
// pages come with use.
#ifndef REHEARSE_COVER_STORE_H
#define REHEARSE_COVER_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rh_store {
    char *memory;
    size_t size;
    size_t top;
    bool is_full; // some request for memory has failed
};

// false if there is no address space of that size.
bool rh_store_open(struct rh_store *store, size_t size);
void rh_store_close(struct rh_store *store);

// Gives zeroed memory. NULL if there is no room; is_full is set then and stays so.
void *rh_store_take(struct rh_store *store, size_t size);
const char *rh_store_copy_text(struct rh_store *store, const char *text); // NULL: no room

// A growing array in the store, of elements of `size`: gives `items` if there is room for one more
// than `count`, otherwise a copy in a larger place; NULL if the store has no room.
void *rh_store_grow(struct rh_store *store, void *items, size_t size, uint32_t count,
                    uint32_t *capacity);

// A table from identities to numbers. Identities are hashes, so the table needs no hash of its own.
// An identity is added only once.
struct rh_numbers {
    struct rh_numbers_entry {
        uint64_t identity;
        uint32_t number; // the number plus 1; 0: the entry is empty
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
