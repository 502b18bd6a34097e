// SPDX-License-Identifier: MIT
// What the debug information says about the bytes of messages and states: which are padding, which
// are pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

// How many pointers of one type are known: more than any program has that is not made to have them.
enum { MOST_POINTERS = 1 << 20 };

static const struct rh_debug_type *find_debug_type(struct rh_world *world, const char *name,
                                                   size_t size)
{
    if (!world->options.debug)
        return NULL;
    char tagged[256];
    snprintf(tagged, sizeof tagged, "struct %s", name);
    const struct rh_debug_type *type = rh_debug_find_type(world->options.debug, tagged, size);
    return type ? type : rh_debug_find_type(world->options.debug, name, size);
}

static void learn_mask(struct rh_type_info *info)
{
    info->mask = rh_alloc(info->size);
    rh_debug_type_mask(info->debug, info->mask);
    bool has_padding = info->tail && info->tail->mask;
    for (size_t i = 0; i < info->size; i++) {
        has_padding |= info->mask[i] == 0;
        if (info->mask[i] != 0)
            info->values_end = i + 1;
    }
    if (has_padding)
        return;
    free(info->mask);
    info->mask = NULL;
}

static void learn_pointers(struct rh_type_info *info)
{
    size_t room = 8;
    do {
        room *= 2;
        info->pointers = rh_realloc(info->pointers, sizeof(size_t) * room);
        info->pointer_count = rh_debug_type_pointers(info->debug, info->pointers, room);
    } while (info->pointer_count == room && room < MOST_POINTERS);
    info->pointees = rh_alloc(sizeof *info->pointees * (info->pointer_count + 1));
}

static void learn_fields(struct rh_type_info *info, const struct rh_debug_type *type)
{
    info->debug = type;
    info->size = rh_debug_type_size(type);
    learn_mask(info);
    learn_pointers(info);
}

static struct rh_type_info *new_info(struct rh_world *world)
{
    struct rh_type_info *info = rh_alloc(sizeof *info);
    *rh_vector_push(&world->types) = info;
    return info;
}

static void learn(struct rh_world *world, struct rh_type_info *info,
                  const struct rh_debug_type *type)
{
    const struct rh_debug_type *element = rh_debug_type_tail(type, &info->tail_start);
    if (element) {
        struct rh_type_info *tail = new_info(world);
        learn_fields(tail, element);
        if (tail->mask || tail->pointer_count > 0)
            info->tail = tail;
    }
    learn_fields(info, type);
}

const struct rh_type_info *rh_type_new(struct rh_world *world, const struct rh_type *type)
{
    struct rh_type_info *info = new_info(world);
    info->name = rh_strdup(type->name);
    info->size = type->size;
    info->name_hash = rh_identity_type(type->name);
    const struct rh_debug_type *debug_type =
        type->size > 0 ? find_debug_type(world, type->name, type->size) : NULL;
    if (debug_type && rh_debug_type_size(debug_type) == type->size)
        learn(world, info, debug_type);
    return info;
}

// Padding.

static void clear(const struct rh_type_info *type, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] &= type->mask[i];
}

void rh_type_clear_padding(const struct rh_type_info *type, void *bytes, size_t size)
{
    // Elements of a flexible array may begin in the padding at the end of the type.
    size_t fields = size > type->size ? type->values_end : size;
    clear(type, bytes, fields);
    if (!type->tail || !type->tail->mask)
        return;
    size_t step = type->tail->size;
    for (size_t start = type->tail_start; start < size; start += step)
        clear(type->tail, (uint8_t *)bytes + start, size - start < step ? size - start : step);
}

// Pointers.

// Visits the actors in one value of a type.
static void visit_actors(const struct rh_debug_type *type, char *bytes, size_t size,
                         rh_visit_actor *visit, void *context)
{
    size_t most = rh_debug_type_size(type) / sizeof(void *);
    size_t *offsets = rh_alloc(sizeof *offsets * (most + 1));
    size_t count = rh_debug_type_actors(type, offsets, most);
    for (size_t i = 0; i < count && offsets[i] + sizeof(uint64_t) <= size; i++) {
        uint64_t address;
        memcpy(&address, bytes + offsets[i], sizeof address);
        address = visit(context, address);
        memcpy(bytes + offsets[i], &address, sizeof address);
    }
    free(offsets);
}

void rh_type_replace_actors(const struct rh_type_info *type, void *bytes, size_t size,
                            rh_visit_actor *visit, void *context)
{
    size_t start;
    if (!type->debug)
        return;
    visit_actors(type->debug, bytes, size, visit, context);
    const struct rh_debug_type *element = rh_debug_type_tail(type->debug, &start);
    size_t step = element ? rh_debug_type_size(element) : 0;
    for (; step > 0 && start + step <= size; start += step)
        visit_actors(element, (char *)bytes + start, step, visit, context);
}

bool rh_type_has_pointer(const struct rh_type_info *type, const void *bytes, size_t size)
{
    for (size_t i = 0; i < type->pointer_count; i++) {
        uint64_t pointer = 0;
        if (type->pointers[i] + sizeof pointer <= size)
            memcpy(&pointer, (const char *)bytes + type->pointers[i], sizeof pointer);
        if (pointer != 0)
            return true;
    }
    return false;
}

static const struct rh_type_info *pointee(struct rh_world *world, const struct rh_type_info *type,
                                          size_t offset)
{
    for (size_t i = 0; i < type->pointer_count; i++) {
        if (type->pointers[i] != offset)
            continue;
        const struct rh_debug_type *target =
            type->pointees[i] ? NULL
                              : rh_debug_type_pointee(world->options.debug, type->debug, offset);
        if (target) {
            struct rh_type_info *info = new_info(world);
            type->pointees[i] = info;
            learn(world, info, target);
        }
        return type->pointees[i];
    }
    return NULL;
}

const struct rh_type_info *rh_type_pointee(struct rh_world *world, const struct rh_type_info *type,
                                           size_t offset)
{
    if (type->tail && offset >= type->tail_start)
        return pointee(world, type->tail, (offset - type->tail_start) % type->tail->size);
    return pointee(world, type, offset);
}
