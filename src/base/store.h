// SPDX-License-Identifier: MIT
// Memory that is taken piece by piece and given back all at once: a stack in reserved address space
// that processes share which are forked later, at the same address in each. Pages come with use.
#ifndef REHEARSE_BASE_STORE_H
#define REHEARSE_BASE_STORE_H

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
// Whether this memory was taken from the store, which may be NULL.
bool rh_store_has(const struct rh_store *store, const void *memory);
// Says that nothing will look at this memory again: its whole pages go back to the system. The
// address space stays taken.
void rh_store_drop(void *memory, size_t size);
const char *rh_store_copy_text(struct rh_store *store, const char *text); // NULL: no room

// A growing array in the store, of elements of `size`: gives `items` if there is room for one more
// than `count`, otherwise a copy in a larger place; NULL if the store has no room.
void *rh_store_grow(struct rh_store *store, void *items, size_t size, uint32_t count,
                    uint32_t *capacity);

#endif
