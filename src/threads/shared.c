// SPDX-License-Identifier: MIT
// Which memory threads share. For each eight bytes it is kept, for as long as the search lasts,
// which threads have read and which have written there; where one has written and another touched,
// accesses are events. That grows only: when something turns out to be shared, the search starts
// again, so that in the executions of the last round every access to it was an event.
#include <string.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "base/status.h"
#include "threads/engine.h"

enum { GRANULE = 8, SLOTS = 1 << 22, GRANULES_MOST = SLOTS / 4 * 3 };

struct granule {
    uintptr_t number; // address divided by GRANULE; 0: free
    uint16_t readers, writers;
    bool is_shared;
    bool is_viewed;  // a view reads here
    bool is_blocked; // a commit block writes here
    bool is_tried;   // an object lies here that somebody tries
};

#define GRANULES_ADDRESS UINT64_C(0x330000000000)
#define granules ((struct granule *)GRANULES_ADDRESS)

void rh__shared_start(void)
{
    void *start =
        mmap((void *)GRANULES_ADDRESS, SLOTS * sizeof(struct granule), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    rh_assert(start == (void *)GRANULES_ADDRESS);
}

void rh__shared_forget(void)
{
    madvise((void *)GRANULES_ADDRESS, SLOTS * sizeof(struct granule), MADV_DONTNEED);
    rh__engine->granule_count = 0;
}

static struct granule *granule_of(uintptr_t number)
{
    uint64_t slot = (number * UINT64_C(0x9e3779b97f4a7c15)) >> 42;
    while (granules[slot].number && granules[slot].number != number)
        slot = (slot + 1) % SLOTS;
    if (__builtin_expect(!granules[slot].number, false)) {
        granules[slot].number = number;
        if (++rh__engine->granule_count == GRANULES_MOST)
            rh__exceed("touches more than 24 MB");
    }
    return &granules[slot];
}

void rh__note_grown(void)
{
    rh__engine->has_grown = true;
    rh__engine->growths++;
}

static bool touch(struct granule *granule, uint16_t thread, bool writes)
{
    if (__builtin_expect(granule->is_shared, true))
        return true;
    granule->readers |= thread;
    if (writes)
        granule->writers |= thread;
    uint16_t all = granule->readers;
    bool is_shared = granule->writers && ((all & (all - 1)) || granule->is_viewed);
    if (!is_shared)
        return false;
    granule->is_shared = true;
    rh__note_grown();
    return true;
}

bool rh__is_shared(uintptr_t address, size_t size, bool writes)
{
    uint16_t thread = (uint16_t)(1u << rh__engine->current);
    bool is_shared = false;
    for (uintptr_t i = address / GRANULE; i <= (address + size - 1) / GRANULE; i++)
        is_shared |= touch(granule_of(i), thread, writes);
    return is_shared;
}

// Whoever commits looks at it, whichever thread that is.
void rh__note_viewed(uintptr_t address, size_t size)
{
    for (uintptr_t i = address / GRANULE; i <= (address + size - 1) / GRANULE; i++) {
        struct granule *granule = granule_of(i);
        if (granule->is_viewed)
            continue;
        granule->is_viewed = true;
        rh__note_grown();
        granule->is_shared = granule->is_shared || granule->writers;
    }
}

bool rh__is_viewed(uintptr_t address, size_t size)
{
    for (uintptr_t i = address / GRANULE; i <= (address + size - 1) / GRANULE; i++)
        if (granule_of(i)->is_viewed)
            return true;
    return false;
}

void rh__note_blocked(uintptr_t address, size_t size)
{
    for (uintptr_t i = address / GRANULE; i <= (address + size - 1) / GRANULE; i++) {
        struct granule *granule = granule_of(i);
        if (granule->is_blocked)
            continue;
        granule->is_blocked = true;
        rh__note_grown();
    }
}

bool rh__is_blocked(uintptr_t address, size_t size)
{
    for (uintptr_t i = address / GRANULE; i <= (address + size - 1) / GRANULE; i++)
        if (granule_of(i)->is_blocked)
            return true;
    return false;
}

bool rh__is_written(uintptr_t address)
{
    return granule_of(address / GRANULE)->writers != 0;
}

void rh__share(uintptr_t address, size_t size)
{
    for (uintptr_t i = address / GRANULE; i <= (address + size - 1) / GRANULE; i++)
        granule_of(i)->is_shared = true;
    rh__note_grown();
}

// Only what is allocated can be freed.
void rh__note_object(uintptr_t address)
{
    if (rh__heap_has(address))
        rh__is_shared(address, 1, false);
}

bool rh__is_object_shared(uintptr_t address)
{
    return rh__heap_has(address) && granule_of(address / GRANULE)->is_shared;
}

void rh__note_tried(uintptr_t address)
{
    struct granule *granule = granule_of(address / GRANULE);
    if (granule->is_tried)
        return;
    granule->is_tried = true;
    rh__note_grown();
}

bool rh__is_tried(uintptr_t address)
{
    return granule_of(address / GRANULE)->is_tried;
}
