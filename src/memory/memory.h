// SPDX-License-Identifier: MIT
// Actors' private memory.
//
// Each actor has a slot of 64 MiB of address space at a fixed high address; the slot's first
// address is the rh_actor * itself. From the start of a slot lie: 64 unused bytes, the state, then,
// once the actor allocates, a heap. Everything the allocator knows is inside the slot, so saving
// and restoring [0, used) of a slot saves and restores the actor's memory.
//
// Invariants:
//  1. Bytes of a slot at or above `used` are zero; fresh and freed blocks are zero.
//  2. Allocation is a function of the slot's contents: equal contents, equal addresses.
//
// Where malloc is not ours (sanitizers, Valgrind) slots are addresses only and have no memory
// behind them.
#ifndef REHEARSE_MEMORY_MEMORY_H
#define REHEARSE_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define RH_REGION_BASE UINT64_C(0x200000000000)
#define RH_SLOT_SHIFT 26
#define RH_SLOT_SIZE (UINT64_C(1) << RH_SLOT_SHIFT)
#define RH_SLOT_MOST (UINT32_C(1) << 19)
#define RH_REGION_SIZE (RH_SLOT_SIZE * RH_SLOT_MOST)
#define RH_STATE_OFFSET 64

// Maps the region. Called once in a process, before any slot is used. false if the addresses are
// not to be had; then slots are addresses only.
bool rh_region_map(void);

static inline char *rh_slot_base(uint32_t slot)
{
    return (char *)(RH_REGION_BASE + ((uint64_t)slot << RH_SLOT_SHIFT));
}

static inline bool rh_region_has(uint64_t address)
{
    return address - RH_REGION_BASE < RH_REGION_SIZE;
}

static inline uint32_t rh_slot_of(uint64_t address)
{
    return (uint32_t)((address - RH_REGION_BASE) >> RH_SLOT_SHIFT);
}

static inline uint32_t rh_slot_offset(uint64_t address)
{
    return (uint32_t)(address & (RH_SLOT_SIZE - 1));
}

// How much of one slot is in use. Part of the actor's record, with which undo restores it.
struct rh_heap {
    uint32_t used;       // bytes of the slot, from its start
    uint32_t heap;       // offset of the allocator's header; 0 before the first allocation
    uint32_t live_count; // blocks not freed
    uint32_t live_bytes; // bytes in blocks not freed, as requested
};

void *rh_heap_alloc(struct rh_heap *heap, uint32_t slot, size_t size);
void *rh_heap_memalign(struct rh_heap *heap, uint32_t slot, size_t alignment, size_t size);
// false if `block` is not the start of a live block.
bool rh_heap_free(struct rh_heap *heap, uint32_t slot, void *block);
// Whether a live block starts there.
bool rh_heap_has_block(const struct rh_heap *heap, uint32_t slot, const void *block);
// Size as requested; 0 if `block` is not the start of a live block.
size_t rh_heap_block_size(const struct rh_heap *heap, uint32_t slot, const void *block);
// Takes a live block out of use for good: zero, never allocated again, not live. false if `block`
// is not a live block.
bool rh_heap_give(struct rh_heap *heap, uint32_t slot, void *block);
// A live block, or one given away, as a walk visits them in address order.
struct rh_heap_block {
    char *start;
    uint32_t size;     // as requested
    uint32_t capacity; // bytes that belong to the block
    bool given;
};
// Bytes between two blocks that follow each other.
enum { RH_HEAP_GAP = 16 };
struct rh_heap_walk {
    const struct rh_heap *heap;
    uint32_t slot;
    uint32_t offset;
};
void rh_heap_walk_init(struct rh_heap_walk *walk, const struct rh_heap *heap, uint32_t slot);
bool rh_heap_walk_next(struct rh_heap_walk *walk, struct rh_heap_block *block);

// Makes room for the state at the start of an empty slot and gives its address; NULL if the state
// does not fit.
void *rh_heap_init(struct rh_heap *heap, uint32_t slot, size_t size);
// Makes the slot empty and zero again.
void rh_heap_clear(struct rh_heap *heap, uint32_t slot);

#endif
