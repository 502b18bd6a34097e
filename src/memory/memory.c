// SPDX-License-Identifier: MIT
#include "memory/memory.h"

#include <string.h>
#include <sys/mman.h>

// Blocks come in classes: multiples of 16 up to 1 KiB, then four steps for each doubling.
enum { SMALL_CLASSES = 64, CLASS_COUNT = SMALL_CLASSES + 4 * 16, ALIGNMENT = 16 };

// Stands in front of every block. 16 bytes, so that blocks stay aligned.
struct header {
    uint32_t size;  // as requested
    uint16_t class; // of this block
    uint16_t mark;  // LIVE, ALIGNED, GIVEN, or 0 for a free block
    // Of a free block: offset of the next free block's header. Of an ALIGNED one: distance to the
    // real block.
    uint32_t link;
    uint32_t spare;
};

_Static_assert(sizeof(struct header) == RH_HEAP_GAP, "nothing else lies between blocks");

enum { LIVE = 0xA11C, ALIGNED = 0xA119, GIVEN = 0xA110 };

// Lies at `heap->heap` in the slot.
struct free_lists {
    uint32_t first[CLASS_COUNT]; // offsets of headers; 0: none
};

bool rh_region_map(void)
{
    void *wanted = (void *)RH_REGION_BASE;
    void *got = mmap(wanted, RH_REGION_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != MAP_FAILED && got != wanted)
        munmap(got, RH_REGION_SIZE);
    return got == wanted;
}

static uint32_t class_of(size_t size)
{
    if (size <= 1024)
        return size == 0 ? 0 : (uint32_t)((size - 1) / ALIGNMENT);
    unsigned doubling = 63 - (unsigned)__builtin_clzll(size - 1);
    unsigned step = (unsigned)((size - 1) >> (doubling - 2)) & 3;
    return SMALL_CLASSES + (doubling - 10) * 4 + step;
}

static size_t class_capacity(uint32_t class)
{
    if (class < SMALL_CLASSES)
        return (class + 1) * (size_t)ALIGNMENT;
    unsigned doubling = (class - SMALL_CLASSES) / 4 + 10;
    unsigned step = (class - SMALL_CLASSES) % 4;
    return ((size_t)1 << doubling) + ((size_t)(step + 1) << (doubling - 2));
}

static struct free_lists *lists_of(struct rh_heap *heap, uint32_t slot)
{
    if (heap->heap == 0) {
        heap->heap = (heap->used + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
        heap->used = heap->heap + sizeof(struct free_lists);
    }
    return (struct free_lists *)(rh_slot_base(slot) + heap->heap);
}

static struct header *header_at(uint32_t slot, uint32_t offset)
{
    return (struct header *)(rh_slot_base(slot) + offset);
}

void *rh_heap_alloc(struct rh_heap *heap, uint32_t slot, size_t size)
{
    if (size > RH_SLOT_SIZE / 2)
        return NULL;
    struct free_lists *lists = lists_of(heap, slot);
    uint32_t class = class_of(size);
    uint32_t offset = lists->first[class];
    struct header *header;
    if (offset != 0) {
        header = header_at(slot, offset);
        lists->first[class] = header->link;
    } else {
        size_t needed = sizeof *header + class_capacity(class);
        if (heap->used + needed > RH_SLOT_SIZE)
            return NULL;
        offset = heap->used;
        header = header_at(slot, offset);
        heap->used += (uint32_t)needed;
    }
    rh_assert(heap->used <= RH_SLOT_SIZE && class_capacity(class) >= size);
    *header = (struct header){.size = (uint32_t)size, .class = (uint16_t) class, .mark = LIVE};
    heap->live_count++;
    heap->live_bytes += (uint32_t)size;
    return header + 1;
}

void *rh_heap_memalign(struct rh_heap *heap, uint32_t slot, size_t alignment, size_t size)
{
    if (alignment <= ALIGNMENT)
        return rh_heap_alloc(heap, slot, size);
    if (alignment > RH_SLOT_SIZE / 4 || size > RH_SLOT_SIZE / 4)
        return NULL;
    char *block = rh_heap_alloc(heap, slot, size + alignment + sizeof(struct header));
    if (!block)
        return NULL;
    uintptr_t start = (uintptr_t)block + sizeof(struct header);
    char *aligned = (char *)((start + alignment - 1) & ~(uintptr_t)(alignment - 1));
    struct header *inner = (struct header *)aligned - 1;
    *inner = (struct header){
        .size = (uint32_t)size, .mark = ALIGNED, .link = (uint32_t)(aligned - block)};
    return aligned;
}

// The header of the live block that starts here, following an ALIGNED one; NULL if there is none.
static struct header *live_header(const struct rh_heap *heap, uint32_t slot, const void *block)
{
    uint32_t offset = rh_slot_offset((uint64_t)block);
    if (heap->heap == 0 || (offset & (ALIGNMENT - 1)) != 0 || offset >= heap->used ||
        offset < heap->heap + sizeof(struct free_lists) + sizeof(struct header))
        return NULL;
    struct header *header = header_at(slot, offset) - 1;
    if (header->mark == ALIGNED && header->link < offset - heap->heap)
        header = header_at(slot, offset - header->link) - 1;
    return header->mark == LIVE ? header : NULL;
}

bool rh_heap_free(struct rh_heap *heap, uint32_t slot, void *block)
{
    struct header *header = live_header(heap, slot, block);
    if (!header)
        return false;
    struct free_lists *lists = lists_of(heap, slot);
    heap->live_count--;
    heap->live_bytes -= header->size;
    memset(header + 1, 0, class_capacity(header->class));
    header->size = 0;
    header->mark = 0;
    header->link = lists->first[header->class];
    lists->first[header->class] = rh_slot_offset((uint64_t)header);
    return true;
}

bool rh_heap_give(struct rh_heap *heap, uint32_t slot, void *block)
{
    struct header *header = live_header(heap, slot, block);
    if (!header)
        return false;
    heap->live_count--;
    heap->live_bytes -= header->size;
    memset(header + 1, 0, class_capacity(header->class));
    header->mark = GIVEN;
    return true;
}

bool rh_heap_has_block(const struct rh_heap *heap, uint32_t slot, const void *block)
{
    return live_header(heap, slot, block);
}

size_t rh_heap_block_size(const struct rh_heap *heap, uint32_t slot, const void *block)
{
    if (!live_header(heap, slot, block))
        return 0;
    const struct header *header = (const struct header *)block - 1;
    return header->size;
}

void rh_heap_walk_init(struct rh_heap_walk *walk, const struct rh_heap *heap, uint32_t slot)
{
    *walk = (struct rh_heap_walk){heap, slot, heap->used};
    if (heap->heap != 0)
        walk->offset = heap->heap + sizeof(struct free_lists);
}

bool rh_heap_walk_next(struct rh_heap_walk *walk, struct rh_heap_block *block)
{
    while (walk->offset < walk->heap->used) {
        struct header *header = header_at(walk->slot, walk->offset);
        uint32_t capacity = (uint32_t)class_capacity(header->class);
        walk->offset += (uint32_t)sizeof *header + capacity;
        if (header->mark == LIVE || header->mark == GIVEN) {
            *block = (struct rh_heap_block){(char *)(header + 1), header->size, capacity,
                                            header->mark == GIVEN};
            return true;
        }
    }
    return false;
}

void *rh_heap_init(struct rh_heap *heap, uint32_t slot, size_t size)
{
    rh_assert(slot < RH_SLOT_MOST);
    *heap = (struct rh_heap){.used = RH_STATE_OFFSET};
    if (size > RH_SLOT_SIZE / 2)
        return NULL;
    heap->used += (uint32_t)((size + 7) & ~(size_t)7);
    return rh_slot_base(slot) + RH_STATE_OFFSET;
}

void rh_heap_clear(struct rh_heap *heap, uint32_t slot)
{
    if (heap->used > RH_STATE_OFFSET)
        memset(rh_slot_base(slot) + RH_STATE_OFFSET, 0, heap->used - RH_STATE_OFFSET);
    *heap = (struct rh_heap){.used = RH_STATE_OFFSET};
}
