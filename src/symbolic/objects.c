// SPDX-License-Identifier: MIT
// Objects in memory: bytes, kept as cells that hold one term each, so that what was stored as one
// number is found as that number.
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

struct rh__sym_object *rh__sym_object_new(uint64_t size, enum rh__sym_rest rest)
{
    enum { CELLS = 4 };
    struct rh__sym_object *object = rh_alloc(sizeof *object + CELLS * sizeof(struct rh__sym_cell));
    object->references = 1;
    object->capacity = CELLS;
    object->size = size;
    object->rest = rest;
    object->owner = RH_NONE;
    return object;
}

void rh__sym_object_release(struct rh__sym_object *object)
{
    if (object && --object->references == 0)
        free(object);
}

uint32_t rh__sym_object_add(struct rh__sym_situation *situation, struct rh__sym_object *object)
{
    *rh_vector_push(&situation->objects) = object;
    return (uint32_t)situation->objects.count - 1;
}

static struct rh__sym_object *copy_object(const struct rh__sym_object *object)
{
    size_t size = sizeof *object + object->capacity * sizeof(struct rh__sym_cell);
    struct rh__sym_object *copy = rh_alloc(size);
    memcpy(copy, object, size);
    copy->references = 1;
    return copy;
}

struct rh__sym_object *rh__sym_object_own_at(struct rh__sym_object **slot)
{
    if ((*slot)->references > 1) {
        struct rh__sym_object *copy = copy_object(*slot);
        (*slot)->references--;
        *slot = copy;
    }
    return *slot;
}

struct rh__sym_object *rh__sym_object_own(struct rh__sym_situation *situation, uint32_t number)
{
    return rh__sym_object_own_at(&situation->objects.items[number]);
}

// Index of the first cell that ends behind the offset.
static uint32_t first_behind(const struct rh__sym_object *object, uint64_t offset)
{
    uint32_t low = 0, high = object->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        const struct rh__sym_cell *cell = &object->cells[middle];
        if (cell->offset + (uint64_t)cell->size > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Terms of stretches of a read, from the lowest byte up.
struct pieces {
    rh_term joined;
    bool has_any;
};

static void add_piece(struct rh__sym *sym, struct pieces *pieces, rh_term piece)
{
    pieces->joined =
        pieces->has_any ? rh_term_make2(&sym->terms, RH_TERM_JOIN, piece, pieces->joined) : piece;
    pieces->has_any = true;
}

rh_term rh__sym_object_read(struct rh__sym *sym, const struct rh__sym_object *object,
                            uint64_t offset, unsigned size, bool *is_unset)
{
    uint32_t at = first_behind(object, offset);
    if (at < object->count && object->cells[at].offset == offset && object->cells[at].size == size)
        return object->cells[at].term;
    struct pieces pieces = {0};
    uint64_t end = offset + size;
    while (offset < end) {
        const struct rh__sym_cell *cell = at < object->count ? &object->cells[at] : NULL;
        if (!cell || cell->offset > offset) {
            uint64_t stop = cell && cell->offset < end ? cell->offset : end;
            *is_unset = *is_unset || object->rest == RH__SYM_REST_UNSET;
            add_piece(sym, &pieces,
                      rh_term_constant(&sym->terms, (unsigned)(stop - offset) * 8, 0));
            offset = stop;
            continue;
        }
        uint64_t cell_end = cell->offset + (uint64_t)cell->size;
        uint64_t stop = cell_end < end ? cell_end : end;
        add_piece(sym, &pieces,
                  rh_term_part(&sym->terms, cell->term, (unsigned)(offset - cell->offset) * 8,
                               (unsigned)(stop - offset) * 8));
        offset = stop;
        at++;
    }
    return pieces.joined;
}

static void insert_cell(struct rh__sym_object **slot, uint32_t at, struct rh__sym_cell cell)
{
    struct rh__sym_object *object = *slot;
    if (object->count == object->capacity) {
        object->capacity *= 2;
        object =
            rh_realloc(object, sizeof *object + object->capacity * sizeof(struct rh__sym_cell));
        *slot = object;
    }
    memmove(&object->cells[at + 1], &object->cells[at],
            (object->count - at) * sizeof(struct rh__sym_cell));
    object->cells[at] = cell;
    object->count++;
}

static void remove_cell(struct rh__sym_object *object, uint32_t at)
{
    object->count--;
    memmove(&object->cells[at], &object->cells[at + 1],
            (object->count - at) * sizeof(struct rh__sym_cell));
}

static struct rh__sym_cell part_of_cell(struct rh__sym *sym, struct rh__sym_cell cell,
                                        uint64_t from, uint64_t to)
{
    return (struct rh__sym_cell){(uint32_t)from, (uint32_t)(to - from),
                                 rh_term_part(&sym->terms, cell.term,
                                              (unsigned)(from - cell.offset) * 8,
                                              (unsigned)(to - from) * 8)};
}

// Makes room: no cell holds a byte from `offset` to `end` any more. Gives where a new one goes.
static uint32_t clear_range(struct rh__sym *sym, struct rh__sym_object **slot, uint64_t offset,
                            uint64_t end)
{
    uint32_t at = first_behind(*slot, offset);
    while (at < (*slot)->count && (*slot)->cells[at].offset < end) {
        struct rh__sym_cell cell = (*slot)->cells[at];
        remove_cell(*slot, at);
        if (cell.offset + (uint64_t)cell.size > end)
            insert_cell(slot, at, part_of_cell(sym, cell, end, cell.offset + cell.size));
        if (cell.offset < offset)
            insert_cell(slot, at++, part_of_cell(sym, cell, cell.offset, offset));
        if (at < (*slot)->count && (*slot)->cells[at].offset >= end)
            break;
    }
    return at;
}

void rh__sym_object_write(struct rh__sym *sym, struct rh__sym_object **slot, uint64_t offset,
                          unsigned size, rh_term term)
{
    uint32_t at = first_behind(*slot, offset);
    struct rh__sym_object *object = *slot;
    if (at < object->count && object->cells[at].offset == offset &&
        object->cells[at].size == size) {
        object->cells[at].term = term;
        return;
    }
    at = clear_range(sym, slot, offset, offset + size);
    insert_cell(slot, at, (struct rh__sym_cell){(uint32_t)offset, size, term});
}

void rh__sym_object_copy(struct rh__sym *sym, struct rh__sym_object **to, uint64_t to_offset,
                         const struct rh__sym_object *from, uint64_t from_offset, uint64_t size)
{
    // The source may be the target.
    struct rh__sym_object *source = copy_object(from);
    clear_range(sym, to, to_offset, to_offset + size);
    uint64_t end = from_offset + size;
    for (uint64_t offset = from_offset; offset < end;) {
        uint32_t at = first_behind(source, offset);
        bool has_cell = at < source->count && source->cells[at].offset < end;
        uint64_t start =
            has_cell && source->cells[at].offset > offset ? source->cells[at].offset : offset;
        if (source->rest == RH__SYM_REST_ZERO && (*to)->rest != RH__SYM_REST_ZERO)
            for (uint64_t gap = offset; gap < (has_cell ? start : end); gap++)
                rh__sym_object_write(sym, to, to_offset + gap - from_offset, 1,
                                     rh_term_constant(&sym->terms, 8, 0));
        if (!has_cell)
            break;
        uint64_t cell_end = source->cells[at].offset + (uint64_t)source->cells[at].size;
        uint64_t stop = cell_end < end ? cell_end : end;
        bool is_unset = false;
        rh_term term = rh__sym_object_read(sym, source, start, (unsigned)(stop - start), &is_unset);
        rh__sym_object_write(sym, to, to_offset + start - from_offset, (unsigned)(stop - start),
                             term);
        offset = stop;
    }
    rh__sym_object_release(source);
}
