// SPDX-License-Identifier: MIT
#include "world/state/canonical_layout.h"

// The block that an offset leads into; a block's end counts, as that of an array does in C. NULL if
// there is none.
static struct rh_canonical_block *find_block(const struct rh_canonical *canonical, uint32_t slot,
                                             uint32_t offset)
{
    const struct rh_canonical_actor *actor = &canonical->actors[slot];
    struct rh_canonical_block *blocks = canonical->blocks + actor->first_block;
    uint32_t low = 0, high = actor->block_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (blocks[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || offset - blocks[low - 1].offset > blocks[low - 1].capacity)
        return NULL;
    return &blocks[low - 1];
}

static void add_block(struct rh_canonical *canonical, const struct rh_heap_block *block)
{
    if (canonical->block_count == canonical->block_capacity) {
        uint32_t capacity = canonical->block_capacity = canonical->block_capacity * 2 + 64;
        canonical->blocks = rh_realloc(canonical->blocks, sizeof *canonical->blocks * capacity);
        canonical->order = rh_realloc(canonical->order, sizeof *canonical->order * capacity);
    }
    canonical->blocks[canonical->block_count++] =
        (struct rh_canonical_block){.offset = rh_slot_offset((uint64_t)block->start),
                                    .capacity = block->capacity,
                                    .size = block->size,
                                    .given = block->given};
}

static void list_blocks(struct rh_canonical *canonical, uint32_t slot)
{
    struct rh_heap_walk walk;
    struct rh_heap_block block;
    canonical->actors[slot].first_block = canonical->block_count;
    rh_heap_walk_init(&walk, &canonical->world->actors[slot].heap, slot);
    while (rh_heap_walk_next(&walk, &block))
        add_block(canonical, &block);
    canonical->actors[slot].block_count =
        canonical->block_count - canonical->actors[slot].first_block;
}

// The blocks of one actor as they are reached, each laid behind the one before.
struct laying {
    struct rh_canonical *canonical;
    uint32_t slot;
    uint32_t top;
};

static void reach(struct laying *laying, uint64_t word)
{
    struct rh_canonical *canonical = laying->canonical;
    if (!rh_region_has(word) || rh_slot_of(word) != laying->slot)
        return;
    struct rh_canonical_block *block = find_block(canonical, laying->slot, rh_slot_offset(word));
    if (!block || block->place != 0)
        return;
    struct rh_canonical_actor *actor = &canonical->actors[laying->slot];
    canonical->order[actor->first_block + actor->reached++] = (uint32_t)(block - canonical->blocks);
    block->place = laying->top;
    laying->top += block->capacity + RH_HEAP_GAP;
}

static void reach_words(struct laying *laying, const void *bytes, size_t count)
{
    const uint64_t *words = bytes;
    for (size_t i = 0; i < count; i++)
        reach(laying, words[i]);
}

static void reach_held(struct laying *laying)
{
    const struct rh_world *world = laying->canonical->world;
    struct rh_held *held = &laying->canonical->held;
    rh_held_find(held, world, laying->slot);
    for (size_t i = 0; i < held->messages.count; i++) {
        const struct rh_message *message = &world->messages[held->messages.items[i]];
        reach_words(laying, message->payload, message->size / 8);
    }
}

static void lay_out(struct rh_canonical *canonical, uint32_t slot)
{
    const struct rh_actor_record *record = &canonical->world->actors[slot];
    struct rh_canonical_actor *actor = &canonical->actors[slot];
    const char *base = rh_slot_base(slot);
    uint32_t state = (uint32_t)rh_canonical_state_words(record) * 8;
    struct laying laying = {canonical, slot, RH_STATE_OFFSET + state + RH_HEAP_GAP};
    list_blocks(canonical, slot);
    if (record->status == RH_ACTOR_WAITING)
        reach(&laying, (uint64_t)record->saved_stack);
    reach(&laying, (uint64_t)record->library_image);
    reach_words(&laying, base + RH_STATE_OFFSET, state / 8);
    if (record->status == RH_ACTOR_WAITING)
        reach_held(&laying);
    for (uint32_t i = 0; i < actor->reached; i++) {
        const struct rh_canonical_block *block =
            &canonical->blocks[canonical->order[actor->first_block + i]];
        reach_words(&laying, base + block->offset, block->capacity / 8);
    }
    for (uint32_t i = 0; i < actor->block_count; i++) {
        const struct rh_canonical_block *block = &canonical->blocks[actor->first_block + i];
        actor->pinned |= block->place == 0 && !block->given;
    }
}

void rh_canonical_lay_out(struct rh_canonical *canonical)
{
    canonical->block_count = 0;
    for (uint32_t slot = 1; slot < canonical->world->actor_count; slot++)
        if (canonical->world->actors[slot].heap.heap != 0)
            lay_out(canonical, slot);
}

void rh_canonical_check_address(struct rh_canonical *canonical, uint64_t address)
{
    uint32_t slot = rh_slot_of(address), offset = rh_slot_offset(address);
    const struct rh_heap *heap = &canonical->world->actors[slot].heap;
    if (slot != 0 && heap->heap != 0 && offset >= heap->heap &&
        !find_block(canonical, slot, offset))
        canonical->actors[slot].pinned = true;
}

uint32_t rh_canonical_offset(const struct rh_canonical *canonical, uint32_t slot, uint32_t offset)
{
    const struct rh_canonical_actor *actor = &canonical->actors[slot];
    if (actor->pinned || actor->block_count == 0 ||
        offset < canonical->world->actors[slot].heap.heap)
        return offset;
    const struct rh_canonical_block *block = find_block(canonical, slot, offset);
    return block ? block->place + (offset - block->offset) : offset;
}
