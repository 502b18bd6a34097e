// SPDX-License-Identifier: MIT
// Memory that a test program allocates before its tests run: in constructors of its own and of its libraries, and in a
// main of its own before rh_test_main. Handlers may write to it as to memory of the test's body, so it is watched like
// that; for this it lies in a place of its own, apart from what the tool allocates.
//
// Invariant: blocks are taken and given back only before the tool starts, and only while the process has one thread.
// Afterwards nothing here changes but the blocks' contents, so no lock is needed.
#ifndef REHEARSE_MEMORY_EARLY_H
#define REHEARSE_MEMORY_EARLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory/memory.h"

// Whether malloc has to ask here. True at first.
extern bool rh__early_asks;

// The tool starts: nothing more is allocated here, and what is there can be watched.
void rh_early_end(void);
// Where the blocks lie; the end is the start if there are none.
void rh_early_get(char **start, char **end);
// Whether something was allocated that did not fit here, or mapped that is too large, and so is not watched.
bool rh_early_is_full(void);
void rh_early_leave_out(void);
// Who maps more has no use for most of it, and to watch it costs some memory for each page.
#define RH_EARLY_MAPPING_MOST ((size_t)1 << 30)
// Whether what is mapped or unmapped now is the program's, and belongs to what it had before its tests.
bool rh_early_is_open(void);

// Where a sanitizer brings its own malloc, nothing lies here, and no write to what it gave is seen. Whether the program has
// allocated something, before its tests or in the body of the one that runs.
bool rh_early_is_foreign(void);

// For interposed functions. NULL where libc has to serve: after the end, in a program without tests, or if it does not
// fit.
void *rh_early_alloc(size_t alignment, size_t size);

// The slot behind those of the actors.
static inline bool rh_early_owns(const void *block)
{
    return (uint64_t)block - (RH_REGION_BASE + RH_REGION_SIZE) < RH_SLOT_SIZE;
}

// Of a block that lies here.
void rh_early_free(void *block);
size_t rh_early_usable_size(const void *block);

#endif
