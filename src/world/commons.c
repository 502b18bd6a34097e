// SPDX-License-Identifier: MIT
#include "world/commons.h"

#include <string.h>

#include "world/undo.h"

// On the undo stack lies the number of saved actors, then for each of them this struct and its
// memory.
struct saved_actor {
    uint32_t slot;
    uint32_t size;
    uint64_t unused; // keeps the record aligned
    struct rh_actor_record record;
};
enum { HEAD = 16 };

bool rh_commons_points_into_actors(const struct rh_world *world, const void *bytes, size_t size)
{
    const uint64_t *words = bytes;
    for (size_t i = 0; i < size / 8; i++) {
        if (!rh_region_has(words[i]) || rh_slot_offset(words[i]) < RH_STATE_OFFSET)
            continue;
        uint32_t slot = rh_slot_of(words[i]);
        if (slot > 0 && slot < world->actor_count)
            return true;
    }
    return false;
}

// Nobody has a pointer to a state that is not in its slot yet.
static bool is_reachable(const struct rh_world *world, uint32_t slot)
{
    const struct rh_actor_record *record = &world->actors[slot];
    return record->status != RH_ACTOR_OUTSIDE && !record->is_unplaced;
}

static void save_actor(struct rh_world *world, uint32_t slot)
{
    struct saved_actor *saved = (struct saved_actor *)(world->undo + world->undo_top);
    saved->slot = slot;
    saved->size = world->actors[slot].heap.used - RH_STATE_OFFSET;
    saved->record = world->actors[slot];
    memcpy(saved + 1, rh_slot_base(slot) + RH_STATE_OFFSET, saved->size);
    world->undo_top += rh_undo_round_up(sizeof *saved + saved->size);
}

size_t rh_commons_save(struct rh_world *world, uint32_t receiver)
{
    size_t offset = world->undo_top;
    uint64_t count = 0;
    world->undo_top += HEAD;
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (slot != receiver && is_reachable(world, slot)) {
            save_actor(world, slot);
            count++;
        }
    memcpy(world->undo + offset, &count, sizeof count);
    return offset;
}

// Calls a function for each actor that was saved.
static void visit_saved(struct rh_world *world, size_t offset,
                        void (*visit)(struct rh_world *world, const struct saved_actor *saved))
{
    uint64_t count;
    memcpy(&count, world->undo + offset, sizeof count);
    for (offset += HEAD; count > 0; count--) {
        const struct saved_actor *saved = (const struct saved_actor *)(world->undo + offset);
        visit(world, saved);
        offset += rh_undo_round_up(sizeof *saved + saved->size);
    }
}

static bool has_changed(const struct rh_world *world, const struct saved_actor *saved)
{
    const struct rh_actor_record *record = &world->actors[saved->slot];
    return record->heap.used - RH_STATE_OFFSET != saved->size ||
           memcmp(rh_slot_base(saved->slot) + RH_STATE_OFFSET, saved + 1, saved->size) != 0;
}

static void restore_saved(struct rh_world *world, const struct saved_actor *saved)
{
    if (has_changed(world, saved))
        rh_undo_restore_actor(world, saved->slot, &saved->record, saved + 1);
}

void rh_commons_restore(struct rh_world *world, size_t saved)
{
    visit_saved(world, saved, restore_saved);
}

static void settle_actor(struct rh_world *world, uint32_t slot)
{
    world->actors[slot].changed_in = world->generation;
    if (world->options.fingerprints)
        rh_fingerprint_actor(world, slot);
}

static void settle_saved(struct rh_world *world, const struct saved_actor *saved)
{
    if (!has_changed(world, saved))
        return;
    world->busy_count += rh_actor_is_busy(&world->actors[saved->slot]);
    world->busy_count -= rh_actor_is_busy(&saved->record);
    settle_actor(world, saved->slot);
}

// Without an undo stack nothing says which actors have changed.
static void settle_all(struct rh_world *world, uint32_t receiver)
{
    world->busy_count = 0;
    for (uint32_t slot = 1; slot < world->actor_count; slot++) {
        world->busy_count += rh_actor_is_busy(&world->actors[slot]);
        if (slot != receiver && is_reachable(world, slot))
            settle_actor(world, slot);
    }
}

void rh_commons_settle(struct rh_world *world, uint32_t receiver)
{
    if (!world->options.keep_undo) {
        settle_all(world, receiver);
        return;
    }
    // In the delivery that begins to share, nothing was saved: there was nothing to reach.
    const struct rh_undo_record *undo = (struct rh_undo_record *)(world->undo + world->undo_last);
    if (undo->others)
        visit_saved(world, undo->others, settle_saved);
}
