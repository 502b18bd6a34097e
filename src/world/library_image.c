// SPDX-License-Identifier: MIT
#include "world/library_image.h"

#include <stdlib.h>

#include "memory/watched.h"
#include "world/world.h"

struct image_place {
    uint32_t index;
    uint32_t size;
    uint64_t unused; // keeps the bytes aligned
};

struct image {
    uint64_t count;
    uint64_t size; // of all places together
};

static struct image_place *next_place(struct image_place *place)
{
    return (struct image_place *)((char *)(place + 1) + ((place->size + 15) & ~(size_t)15));
}

void rh_library_enter(const struct rh_actor_record *record)
{
    const struct image *image = record->library_image;
    struct image_place *saved = (struct image_place *)(uintptr_t)(image + 1);
    for (uint64_t i = 0; image && i < image->count; i++, saved = next_place(saved)) {
        struct rh_watched *place = &rh__globals.places.items[saved->index];
        if (!place->open)
            rh_globals_fault(place->start);
        rh_copy_raw(place->start, saved + 1, saved->size);
    }
}

static bool is_changed_private(const struct rh_watched *place)
{
    return place->is_private && place->hot && !rh_watched_is_same(place);
}

static struct image measure_image(void)
{
    struct image image = {.size = sizeof image};
    for (size_t i = 0; i < rh__globals.places.count; i++) {
        const struct rh_watched *place = &rh__globals.places.items[i];
        if (!is_changed_private(place))
            continue;
        image.count++;
        image.size += sizeof(struct image_place) + ((place->size + 15) & ~(size_t)15);
    }
    return image;
}

static void free_image(struct rh_world *world, uint32_t slot)
{
    struct rh_actor_record *record = &world->actors[slot];
    if (record->library_image && rh__process.owns_malloc)
        rh_heap_free(&record->heap, slot, record->library_image);
    else
        free(record->library_image);
    record->library_image = NULL;
}

void rh_library_forget(struct rh_world *world, uint32_t slot)
{
    if (world->actors[slot].library_image)
        free_image(world, slot);
}

static struct image *new_image(struct rh_world *world, uint32_t slot, size_t size)
{
    struct rh_actor_record *record = &world->actors[slot];
    struct image *image =
        rh__process.owns_malloc ? rh_heap_alloc(&record->heap, slot, size) : rh_alloc(size);
    if (!image)
        rh_panic("a private library's data does not fit into the memory of %s",
                 record->behaviour_name);
    return image;
}

void rh_library_leave(struct rh_world *world, uint32_t slot)
{
    struct image measured = measure_image();
    rh_library_forget(world, slot);
    struct image_place *saved = NULL;
    if (measured.count > 0 && world->actors[slot].status != RH_ACTOR_STOPPED &&
        world->actors[slot].status != RH_ACTOR_CRASHED) {
        struct image *image = new_image(world, slot, measured.size);
        *image = measured;
        world->actors[slot].library_image = image;
        saved = (struct image_place *)(image + 1);
    }
    for (size_t i = 0; i < rh__globals.places.count; i++) {
        struct rh_watched *place = &rh__globals.places.items[i];
        if (!is_changed_private(place))
            continue;
        if (saved) {
            *saved = (struct image_place){(uint32_t)i, place->size, 0};
            rh_copy_raw(saved + 1, place->start, place->size);
            saved = next_place(saved);
        }
        rh_copy_raw(place->start, place->shadow, place->size);
    }
}
