// SPDX-License-Identifier: MIT
// Blocks of memory that actors of a schedule begin with, and what blocks are at the end: names in
// the schedule, addresses in the world.
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

static struct rh_named_block *find_named(const struct rh_world *world,
                                         const struct rh_block_word *word)
{
    for (size_t i = 0; i < world->blocks.count; i++)
        if (rh_block_word_is(word, world->blocks.items[i].name))
            return &world->blocks.items[i];
    return NULL;
}

uint64_t rh_world_block_address(const struct rh_world *world, const char *word)
{
    struct rh_block_word read;
    const struct rh_named_block *block =
        rh_block_word_read(word, &read) ? find_named(world, &read) : NULL;
    return block ? block->address + read.offset : 0;
}

struct rh_named_block *rh_world_name_block(struct rh_world *world, const char *name)
{
    struct rh_block_word word = {.name = name, .length = strlen(name)};
    struct rh_named_block *block = find_named(world, &word);
    if (block)
        return block;
    block = rh_vector_push(&world->blocks);
    *block = (struct rh_named_block){.name = rh_strdup(name)};
    return block;
}

static bool is_taken(const struct rh_world *world, uint64_t address)
{
    for (size_t i = 0; i < world->blocks.count; i++)
        if (world->blocks.items[i].is_met && world->blocks.items[i].address == address)
            return true;
    return false;
}

bool rh_world_meet_block(struct rh_world *world, const char *word, uint64_t address)
{
    struct rh_block_word read;
    if (!rh_block_word_read(word, &read))
        return false;
    address -= read.offset;
    struct rh_named_block *block = find_named(world, &read);
    if (block && block->is_met)
        return block->address == address;
    if ((block && block->address != address) || is_taken(world, address) ||
        !rh_world_has_block(world, address))
        return false;
    if (!block) {
        char *name = rh_strdup(read.name);
        name[read.length] = '\0';
        block = rh_world_name_block(world, name);
        block->address = address;
        free(name);
    }
    block->is_met = true;
    return true;
}

bool rh_world_has_block(const struct rh_world *world, uint64_t address)
{
    uint32_t slot = rh_slot_of(address);
    return rh_region_has(address) && slot < world->actor_count &&
           rh_heap_has_block(&world->actors[slot].heap, slot, (const void *)address);
}

size_t rh_world_block_size(const struct rh_world *world, uint64_t address)
{
    uint32_t slot = rh_slot_of(address);
    if (!rh_world_has_block(world, address))
        return 0;
    return rh_heap_block_size(&world->actors[slot].heap, slot, (const void *)address);
}

void *rh_world_new_block(struct rh_world *world, uint32_t slot, size_t size)
{
    rh_world_place(world, slot);
    void *block = rh__process.owns_malloc ? rh_heap_alloc(&world->actors[slot].heap, slot, size)
                                          : rh_alloc(size);
    if (!block)
        rh_world_reach_limit(world, "a block of %s does not fit into an actor's memory",
                             world->actors[slot].behaviour_name);
    return block;
}

void rh_world_forget_blocks(struct rh_world *world, size_t count)
{
    while (world->blocks.count > count)
        free(world->blocks.items[--world->blocks.count].name);
    for (size_t i = 0; i < count; i++)
        world->blocks.items[i].is_met = false;
}
