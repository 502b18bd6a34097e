// SPDX-License-Identifier: MIT
#include "world/variables.h"

#include <stdlib.h>
#include <string.h>

#include "world/commons.h"
#include "world/world.h"

// In the undo stack lies the number of saved places, then for each place this struct and its old
// contents.
struct saved_place {
    uint32_t index;
    uint32_t size;
    rh_hash128 hash;
};

void rh_variables_watch(struct rh_world *world)
{
    const struct rh_world_options *options = &world->options;
    struct rh_status status = rh_globals_watch(
        &(struct rh_globals_options){.protects = options->protect_globals,
                                     .notes_writes = options->note_writes,
                                     .private_libraries = options->private_libraries,
                                     .debug = options->debug,
                                     .body = &world->actors[0].heap});
    if (!rh_is_ok(&status))
        rh_world_bad_input(world, status);
}

static void clear_holes(const struct rh_watched *place, char *copy)
{
    for (size_t i = 0; i < rh__globals.holes.count; i++) {
        struct rh_range hole = rh__globals.holes.items[i];
        if (hole.start < place->start)
            hole.start = place->start;
        if (hole.end > place->start + place->size)
            hole.end = place->start + place->size;
        if (hole.start < hole.end)
            memset(copy + (hole.start - place->start), 0, (size_t)(hole.end - hole.start));
    }
}

// The hash that the place has with these contents.
static rh_hash128 place_hash(struct rh_world *world, const struct rh_watched *place,
                             const char *contents)
{
    uint64_t seed = (uint64_t)(place - rh__globals.places.items);
    rh_globals_canonical((uint64_t)place->start, &seed);
    char *copy = rh_alloc(place->size);
    rh_copy_raw(copy, contents, place->size);
    clear_holes(place, copy);
    rh_hash128 hash = rh_canonical_hash(world, copy, place->size, seed);
    free(copy);
    return hash;
}

// Saves the place's old contents on the undo stack and takes over the new ones.
static void accept_change(struct rh_world *world, uint32_t index)
{
    struct rh_watched *place = &rh__globals.places.items[index];
    world->wrote_globals = place->differs = true;
    if (world->options.keep_undo) {
        struct saved_place saved = {index, place->size, place->hash};
        memcpy(world->undo + world->undo_top, &saved, sizeof saved);
        memcpy(world->undo + world->undo_top + sizeof saved, place->shadow, place->size);
        world->undo_top += sizeof saved + ((place->size + 15) & ~(size_t)15);
    }
    if (world->options.fingerprints) {
        if (place->base == 0)
            place->base = place_hash(world, place, place->shadow);
        rh_hash128 hash = place_hash(world, place, place->start) - place->base;
        world->fingerprint += hash - place->hash;
        place->hash = hash;
    }
    rh_copy_raw(place->shadow, place->start, place->size);
    if (!world->has_commons && rh__process.owns_malloc)
        world->has_commons = rh_commons_points_into_actors(world, place->shadow, place->size);
}

bool rh_variables_reach_actors(const struct rh_world *world)
{
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        const struct rh_watched *place = &rh__globals.places.items[rh__globals.hot.items[i]];
        if (!place->is_private && rh_commons_points_into_actors(world, place->start, place->size))
            return true;
    }
    return false;
}

static size_t settle(struct rh_world *world)
{
    size_t offset = world->undo_top;
    uint64_t count = 0;
    struct rh_written written = {0};
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        uint32_t index = rh__globals.hot.items[i];
        struct rh_watched *place = &rh__globals.places.items[index];
        if (rh_watched_is_same(place))
            continue;
        char *change = rh_watched_find_change(place, 0);
        if (!change) {
            // The change is in a hole: a symbol was bound on its first use, say. The shadow takes
            // it over, so that it need not be looked at again.
            rh_copy_raw(place->shadow, place->start, place->size);
            continue;
        }
        if (count++ == 0 && world->options.keep_undo)
            world->undo_top += 16;
        if (place->of_program)
            world->wrote_library |= rh_written_note(world, place, change, &written);
        else if (place->of_body)
            world->wrote_body = true;
        else
            world->wrote_library = true;
        accept_change(world, index);
    }
    if (count == 0)
        return 0;
    rh_written_report(world, &written);
    if (!world->options.keep_undo)
        return 0;
    memcpy(world->undo + offset, &count, sizeof count);
    return offset;
}

// Pages that were unmapped leave the fingerprint.
static void forget_gone(struct rh_world *world)
{
    world->fingerprint -= rh__globals.gone;
    rh__globals.gone = 0;
}

size_t rh_variables_settle(struct rh_world *world)
{
    forget_gone(world);
    if (rh__globals.hot.count == 0)
        return 0;
    size_t saved = settle(world);
    // A fault costs as much as some fifty comparisons of a page, so pages may be protected again
    // this often. The first deliveries bind most symbols, so pages that they have made hot need not
    // stay hot for long.
    uint64_t settled = ++rh__globals.settled;
    if (rh__process.owns_malloc && (settled == 64 || settled % 1024 == 0))
        rh_globals_cool_down();
    return saved;
}

bool rh_variables_put_back(struct rh_world *world)
{
    struct rh_written written = {0};
    forget_gone(world);
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        struct rh_watched *place = &rh__globals.places.items[rh__globals.hot.items[i]];
        char *change = rh_watched_is_same(place) ? NULL : rh_watched_find_change(place, 0);
        if (!change)
            continue;
        if (place->of_program)
            rh_written_note(world, place, change, &written);
        for (; change; change = rh_watched_find_change(place, (uint32_t)(change - place->start)))
            rh_copy_raw(change, place->shadow + (change - place->start), 1);
    }
    rh_written_report(world, &written);
    return !world->failed;
}

void rh_variables_restore(struct rh_world *world, size_t saved)
{
    uint64_t count;
    memcpy(&count, world->undo + saved, sizeof count);
    const char *from = world->undo + saved + 16;
    for (uint64_t i = 0; i < count; i++) {
        struct saved_place head;
        memcpy(&head, from, sizeof head);
        from += sizeof head;
        struct rh_watched *place = &rh__globals.places.items[head.index];
        memcpy(place->start, from, head.size);
        memcpy(place->shadow, from, head.size);
        place->hash = head.hash;
        from += (head.size + 15) & ~(size_t)15;
    }
}

rh_hash128 rh_variables_hash(struct rh_world *world)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < rh__globals.hot.count; i++) {
        struct rh_watched *place = &rh__globals.places.items[rh__globals.hot.items[i]];
        if (place->base != 0)
            sum += place_hash(world, place, place->start) - place->base;
    }
    return sum;
}
