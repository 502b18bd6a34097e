// SPDX-License-Identifier: MIT
// What the program keeps for its thread by pthread_setspecific and tss_set while it is under
// control. libc has such values where nobody watches; here they have pages of their own, which are
// watched as the data of a library is: a value that a handler sets is in the fingerprint, is put
// back by undo, and leads to memory that is not lost.
#ifndef REHEARSE_MEMORY_SPECIFIC_H
#define REHEARSE_MEMORY_SPECIFIC_H

#include <limits.h>
#include <stdbool.h>

struct rh_specific {
    const void *value;
    bool is_set;      // `value` takes the place of the one that libc has
    bool is_reserved; // a key that libc knows as in use, for handlers to create
    bool is_created;  // of a reserved key: a handler has created it
};

// By key, PTHREAD_KEYS_MAX many; NULL before rh_specific_map.
extern struct rh_specific *rh__specific;

// Makes room. Called once, before anything is watched.
void rh_specific_map(void);
// Where the pages are.
void rh_specific_get(char **start, char **end);

#endif
