// SPDX-License-Identifier: MIT
// Memory that a test program allocates before its tests run: in constructors of its own, which may
// run in a worker, and of its libraries, and in a main of its own before rh_test_main. Handlers may
// write to this memory as to that of the test's body, so it is watched in the same way; therefore
// it lies apart from what the tool allocates.
//
// Invariant: blocks are taken and given back only before the tool starts or by constructors, and
// only while the process has one thread. Afterwards only the blocks' contents change, so no lock is
// needed.
#ifndef REHEARSE_MEMORY_EARLY_H
#define REHEARSE_MEMORY_EARLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory/memory.h"

// Whether malloc has to ask rh_early_alloc. True at first.
extern bool rh__early_asks;
// Whether memory of the test's body has to be asked for here, since constructors run in its place.
extern bool rh__early_has_resumed;

// The tool starts: from now on nothing is allocated here, and the blocks can be watched.
void rh_early_end(void);
// Constructors that were put off are about to run, and rh_early_end comes behind them.
void rh_early_resume(void);
// Where the blocks lie; the end is the start if there are none.
void rh_early_get(char **start, char **end);
// Whether a block did not fit here, or a mapping was too large, and so is not watched.
bool rh_early_is_full(void);
void rh_early_leave_out(void);
// A program that maps more has no use for most of the mapping, and watching costs some memory for
// each page.
#define RH_EARLY_MAPPING_MOST ((size_t)1 << 30)
// Whether a mapping made or removed now is the program's, and belongs to what it had before its
// tests.
bool rh_early_is_open(void);

// For interposed functions. NULL where libc has to serve: after rh_early_end, in a program without
// tests, or if the block does not fit.
void *rh_early_alloc(size_t alignment, size_t size);

// Whether the block lies here: in the slot behind those of the actors.
static inline bool rh_early_owns(const void *block)
{
    return (uint64_t)block - (RH_REGION_BASE + RH_REGION_SIZE) < RH_SLOT_SIZE;
}

// For a block that rh_early_owns.
void rh_early_free(void *block);
size_t rh_early_usable_size(const void *block);

#endif
